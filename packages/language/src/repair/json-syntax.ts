// Repairs JSON as people write it by hand: commas, comments, quotes, octal numbers. Takes one step at a time, and judges each by
// how far the text can be read after it.
import { applyEdits, parseJson, type TextEdit } from '@coreiso/diagnostics';
import type { Proposal } from './proposal.ts';

/** The most mistakes that are repaired in one text. */
const MOST_STEPS = 50;

/** A mistake: its place in the original text, and its repair. */
export interface Cause {
  readonly message: string;
  readonly proposal: Proposal;
}

export function mendJson(text: string): readonly Cause[] {
  const causes: Cause[] = [];
  let current = text;
  let failure = failureOf(current);
  // Each step edits the text of the step before; its places are mapped back to the original text.
  const steps: TextEdit[][] = [];
  while (failure !== undefined && causes.length < MOST_STEPS) {
    const best = bestStep(current, failure);
    if (best === undefined) return [];
    causes.push({
      message: best.message,
      proposal: {
        title: best.title,
        edits: best.edits.map((edit) => mapToOriginal(edit, steps)),
        certain: best.certain,
        isRough: BRACKETS.test(best.message),
      },
    });
    steps.push(best.edits);
    current = applyEdits(current, best.edits);
    failure = failureOf(current);
  }
  // With several wrong brackets, the intended nesting is unknown.
  const hasStray = causes.length > 1 && causes.some(({ message }) => message.endsWith('has no meaning here'));
  const isGuess = hasStray || causes.filter(({ proposal }) => proposal.isRough === true).length > 1;
  return isGuess
    ? causes.map(({ message, proposal }) => ({ message, proposal: { ...proposal, certain: false } }))
    : causes;
}

function failureOf(text: string): number | undefined {
  const outcome = parseJson(text);
  return outcome.ok ? undefined : (outcome.diagnostics[0]?.range?.start.offset ?? text.length);
}

const BRACKETS = /^(?:[\]}] is missing|[\]}] closes|a bracket closes|closing brackets|there is text after)/;

interface Step {
  readonly certain: boolean;
  readonly message: string;
  readonly title: string;
  readonly edits: TextEdit[];
}

/** The step with the longest readable text; of equal ones the first. */
function bestStep(text: string, failure: number): Step | undefined {
  let best: Step | undefined;
  let furthest = failure;
  for (const step of stepsAt(text, failure)) {
    const mended = applyEdits(text, step.edits);
    const shift = step.edits.reduce((sum, { start, end, text: written }) => sum + written.length - (end - start), 0);
    const reached = failureOf(mended);
    if (reached === undefined) return step;
    if (reached - Math.max(shift, 0) <= furthest) continue;
    furthest = reached - Math.max(shift, 0);
    best = step;
  }
  return best;
}

/** Steps that delete text, or that close a bracket which may have been meant to stay open. */
const UNSURE = /^(?:there is text after|an escaped quote|a backslash among)/;

const SMART_QUOTES = /[\u201c\u201d\u201e\u2033]/;

function* stepsAt(text: string, at: number): Generator<Step> {
  const before = endOfTextBefore(text, at);
  const previous = text[before - 1] ?? '';
  const here = text[at] ?? '';
  const rest = text.slice(at, at + 2000);
  const step = (message: string, title: string, start: number, end: number, written: string): Step => {
    const certain = !UNSURE.test(message);
    return { message, title, edits: [{ start, end, text: written }], certain };
  };
  const comment = /^(?:\/\/[^\r\n]*|#[^\r\n]*|\/\*[\s\S]*?\*\/)/.exec(rest);
  if (comment !== null) yield step('JSON has no comments', 'Remove the comment', at, at + comment[0].length, '');
  if (previous === ',' && (here === '}' || here === ']' || here === '')) {
    yield step('a comma before the closing bracket', 'Remove the comma', before - 1, before, '');
  }
  if (previous === ',' && here === ',') yield step('two commas', 'Remove one comma', at, at + 1, '');
  if (here === ';') yield step('a semicolon instead of a comma', 'Write a comma', at, at + 1, ',');
  const arrow = /^=>?/.exec(rest);
  if (arrow !== null) {
    const colon = previous === ':' ? '' : ':';
    yield step('an equals sign instead of a colon', 'Write a colon', at, at + arrow[0].length, colon);
  }
  const single = /^'((?:[^'\\\r\n]|\\.)*)'/.exec(rest);
  if (single !== null) {
    const written = JSON.stringify((single[1] ?? '').replaceAll("\\'", "'"));
    yield step('single quotes', 'Write double quotes', at, at + single[0].length, written);
  }
  if (SMART_QUOTES.test(here)) {
    const quoted = /^[\u201c\u201d\u201e\u2033]([^"\u201c\u201d\u2033\r\n]*)["\u201c\u201d\u2033]/.exec(rest);
    if (quoted !== null)
      yield step('typographic quotes', 'Write straight quotes', at, at + quoted[0].length, `"${quoted[1]}"`);
  }
  yield* numbers(text, at, step);
  yield* words(text, at, step);
  if (/^[/.]/.test(here) && comment === null) {
    const bare = /^[^"{}[\],\r\n]*/.exec(rest)?.[0].trimEnd() ?? here;
    yield step('a text without quotes', 'Put the text in quotes', at, at + bare.length, JSON.stringify(bare));
  }
  yield* insideString(text, at, step);
  if (previous === '"' && text[before - 2] === ',' && before - 2 > 0) {
    yield step('the comma is inside the quotes', 'Move the comma after the quote', before - 2, before, '",');
  }
  if (before > 0 && /["}\]\w]/.test(previous) && here !== '') {
    yield step('a comma is missing', 'Add the comma', before, before, ',');
    yield step('a colon is missing', 'Add the colon', before, before, ':');
  }
  yield* brackets(text, at, step);
  if (/[;:\\'.`|~^]/.test(here)) yield step(`${here} has no meaning here`, `Remove ${here}`, at, at + 1, '');
}

type MakeStep = (message: string, title: string, start: number, end: number, written: string) => Step;

/** Numbers with leading zeros are meant as octal by people who write modes so. */
function* numbers(text: string, at: number, step: MakeStep): Generator<Step> {
  let start = at;
  while (/[\w+-]/.test(text[start - 1] ?? '')) start--;
  const number = /^(?:0[oO]?([0-7]+)|0[xX]([0-9a-fA-F]+)|\+(\d+))(?![\w.])/.exec(text.slice(start, start + 40));
  if (number === null) return;
  const [written, octal, hexadecimal, decimal] = number;
  const value =
    octal !== undefined
      ? Number.parseInt(octal, 8)
      : hexadecimal !== undefined
        ? Number.parseInt(hexadecimal, 16)
        : Number(decimal);
  yield step(`JSON has no number ${written}`, `Write ${value}`, start, start + written.length, String(value));
}

/** Words without quotes. Reading stops inside words that begin like true, false and null. */
function* words(text: string, place: number, step: MakeStep): Generator<Step> {
  if (!/[A-Za-z_$]/.test(text[place] ?? '')) return;
  let at = place;
  while (/[\w$]/.test(text[at - 1] ?? '')) at--;
  const rest = text.slice(at, at + 2000);
  const word = /^[A-Za-z_$][\w$./:-]*/.exec(rest)?.[0] ?? '';
  // After a backslash the word is the rest of a string.
  if (word === '' || text[at - 1] === '\\') return;
  const literal = { true: 'true', false: 'false', none: 'null', null: 'null', nil: 'null', yes: 'true', no: 'false' }[
    word.toLowerCase()
  ];
  if (literal !== undefined)
    yield step(`${word} is not a JSON literal`, `Write ${literal}`, at, at + word.length, literal);
  const name = /^[\w$-]+/.exec(word)?.[0] ?? word;
  const end = at + name.length;
  if (text[end] === '"' && /^"\s*:/.test(text.slice(end)))
    yield step('an opening quote is missing', 'Add the quote', at, at, '"');
  if (/^\s*:/.test(text.slice(end))) yield step('a key without quotes', 'Put the key in quotes', at, end, `"${name}"`);
  if (/^"\s*[,}\]\r\n]/.test(text.slice(at + word.length)))
    yield step('an opening quote is missing', 'Add the quote', at, at, '"');
  const bare = /^[^"{}[\],\r\n]*/.exec(rest)?.[0].trimEnd() ?? word;
  yield step('a text without quotes', 'Put the text in quotes', at, at + bare.length, JSON.stringify(bare));
}

/** Strings that run over the end of their line, or have a backslash that escapes nothing. */
function* insideString(text: string, at: number, step: MakeStep): Generator<Step> {
  const line = Math.max(text.lastIndexOf('\n', at - 1), text.lastIndexOf('\r', at - 1)) + 1;
  if (/[\r\n]/.test(text[at] ?? '\n')) {
    const written = text.slice(line, at);
    const end = line + (/\s*,?\s*$/.exec(written)?.index ?? written.length);
    const message = text[end - 1] === '"' ? 'an escaped quote at the end of the line' : 'a closing quote is missing';
    yield step(message, 'Add the quote', end, end, '"');
  }
  if (text[at] === '\t') yield step('a tab in a text', 'Write \\t', at, at + 1, '\\t');
  if (text[at - 1] === '\\') {
    // Next to other words it may be one of those with a missing letter.
    const [rest = ''] = /^[^\r\n]{0,400}/.exec(text.slice(at)) ?? [];
    const isAlone = !/\\[nrt]/.test(text.slice(line, at) + rest);
    const message = isAlone ? 'a backslash that escapes nothing' : 'a backslash among others that escapes nothing';
    yield step(message, 'Double the backslash', at - 1, at - 1, '\\');
  }
  // `"path: "/etc/x"`: the name's closing quote is one word too late.
  const late = /"([\w-]+)(\s*:\s*)"$/.exec(text.slice(line, at));
  if (late !== null) {
    const place = line + late.index + 1 + (late[1] ?? '').length;
    yield step('a closing quote is missing', 'Add the quote', place, place, '"');
  }
}

/** Brackets that are open at the end, or that close nothing. */
function* brackets(text: string, at: number, step: MakeStep): Generator<Step> {
  const open = openBrackets(text.slice(0, at));
  const here = text[at] ?? '';
  if (at >= text.trimEnd().length) {
    const closing = open
      .map((bracket) => (bracket === '{' ? '}' : ']'))
      .reverse()
      .join('');
    const end = text.trimEnd().length;
    if (closing !== '') yield step('closing brackets are missing', `Add ${closing}`, end, end, closing);
  }
  if (here === '}' || here === ']') {
    const wanted = open.at(-1) === '{' ? '}' : ']';
    if (open.length === 0) yield step('a bracket closes nothing', 'Remove the bracket', at, at + 1, '');
    else if (here !== wanted) {
      const before = endOfTextBefore(text, at);
      yield step(`${wanted} is missing`, `Add ${wanted}`, before, before, wanted);
      yield step(`${here} closes a ${open.at(-1)}`, `Write ${wanted}`, at, at + 1, wanted);
    }
  }
  if (open.length === 0 && here !== '')
    yield step('there is text after the end', 'Remove the rest', at, text.trimEnd().length, '');
}

function openBrackets(text: string): string[] {
  const open: string[] = [];
  for (const [token] of text.matchAll(/"(?:[^"\\\r\n]|\\.)*"?|[{}[\]]/g)) {
    if (token === '{' || token === '[') open.push(token);
    else if (token === '}' || token === ']') open.pop();
  }
  return open;
}

/** The offset after the last character before a place that is not a blank. */
function endOfTextBefore(text: string, at: number): number {
  let place = at;
  while (place > 0 && /\s/.test(text[place - 1] ?? '')) place--;
  return place;
}

/** Maps a place back to the text before later steps. */
function mapToOriginal(edit: TextEdit, steps: readonly TextEdit[][]): TextEdit {
  let { start, end } = edit;
  for (const taken of steps.toReversed()) {
    for (const { start: from, end: to, text } of taken.toReversed()) {
      const shift = text.length - (to - from);
      if (start >= from + text.length) start -= shift;
      else if (start > from) start = to;
      if (end >= from + text.length) end -= shift;
      else if (end > from) end = to;
    }
  }
  return { start, end: Math.max(start, end), text: edit.text };
}
