// Finds the lines that make a text unreadable, and repairs for them.
import { applyEdits, type Diagnostic, type Fix, type TextEdit } from '@coreiso/diagnostics';
import { judged } from '../findings.ts';
import { read, type Source } from '../judge.ts';
import { allKeys } from './all-keys.ts';
import { mendJson } from './json-syntax.ts';
import type { Proposal } from './proposal.ts';
import { weightOf } from './weight.ts';
import { hasOpenQuote, indentRepairs, type Line, lineRepairs, linesOf, wholeTextRepairs } from './yaml-lines.ts';

/** A reason why a text cannot be read: the message, its place and a repair. */
export function withCauses(
  source: Source,
  findings: readonly Diagnostic[],
  failure: Diagnostic,
): readonly Diagnostic[] {
  const causes = source.kind === 'ignition' ? isCertain(source, mendJson(source.text)) : mendYaml(source, failure);
  const lines = linesOf(source.text);
  const rest = [...causes];
  const told = findings.map((finding) => {
    const line = finding.range?.start.line ?? failure.range?.start.line;
    const own = rest.findIndex(({ proposal }) => lineOf(lines, proposal.edits[0]?.start ?? 0).number === line);
    const [cause] = own === -1 ? [] : rest.splice(own, 1);
    return cause === undefined ? finding : { ...finding, fixes: [fixOf(cause.proposal)] };
  });
  const added = rest.map(({ message, proposal }): Diagnostic => {
    const line = lineOf(lines, proposal.edits[0]?.start ?? 0);
    const text = line.text.trimStart();
    const column = line.text.length - text.length;
    const end = line.text.trimEnd().length;
    const range = {
      start: { offset: line.start + column, line: line.number, column: column + 1 },
      end: { offset: line.start + end, line: line.number, column: end + 1 },
    };
    return { severity: 'error', code: 'language/cause', message, path: [], range, fixes: [fixOf(proposal)] };
  });
  return [...told, ...added];
}

/**
 * Whether the repair is certain: inserted text may mean something else. Unknown keys show that; several steps, or a
 * bracket, are certain only if no findings remain.
 */
function isCertain(source: Source, causes: readonly Cause[]): readonly Cause[] {
  const left = leftAfter(
    source,
    causes.flatMap(({ proposal }) => proposal.edits),
  );
  const isRough = causes.length > 1 || causes.some(({ proposal }) => proposal.isRough === true);
  const isGuess = left === undefined || (isRough ? weightOf(left) > 0 : left.some(({ code }) => code === UNUSED));
  if (!isGuess) return causes;
  return causes.map(({ message, proposal }) => ({ message, proposal: { ...proposal, certain: false } }));
}

const UNUSED = 'ignition/unused-key';

function leftAfter(source: Source, edits: readonly TextEdit[]): readonly Diagnostic[] | undefined {
  try {
    const text = applyEdits(source.text, edits);
    return read(source.kind, text).failure === undefined ? judged({ ...source, text }) : undefined;
  } catch (error) {
    // Steps that build on each other cannot be applied at once.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function fixOf({ title, edits, certain }: Proposal): Fix {
  return { title, edits, safe: certain };
}

function lineOf(lines: readonly Line[], offset: number): Line {
  return lines.findLast(({ start }) => start <= offset) ?? { number: 1, start: 0, text: '' };
}

interface Cause {
  readonly message: string;
  readonly proposal: Proposal;
}

/** Lines above the end of the readable text that may be the cause. */
const REACH = 12;
const MOST_STEPS = 8;
const MOST_OPEN = 8;

/** Applies one repair after the other until the text can be read. */
function mendYaml(source: Source, first: Diagnostic): Cause[] {
  const keys = allKeys(source.kind);
  const taken: Proposal[] = [];
  let current = source.text;
  let failure: Diagnostic | undefined = first;
  for (let step = 0; failure !== undefined && step < MOST_STEPS; step++) {
    const best = bestRepair({ ...source, text: current }, failure, keys);
    if (best === undefined) return [];
    taken.push(best);
    current = applyEdits(current, best.edits);
    failure = read(source.kind, current).failure;
  }
  if (failure !== undefined) return [];
  const [only, ...more] = taken;
  if (only === undefined) return [];
  // Several steps become one: the places of later steps are not those of the user's text.
  const proposal =
    more.length === 0
      ? only
      : { title: only.title, edits: difference(source.text, current), certain: taken.every(({ certain }) => certain) };
  return [{ message: `this line cannot be read as it is written: ${lowered(only.title)}`, proposal }];
}

function lowered(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** One edit that replaces everything between the common beginning and the common end of two texts. */
function difference(before: string, after: string): TextEdit[] {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start++;
  let tail = 0;
  while (tail < Math.min(before.length, after.length) - start && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return [{ start, end: before.length - tail, text: after.slice(start, after.length - tail) }];
}

/** The repair that leaves the fewest mistakes; if none makes the text readable, the one with the longest readable part. */
function bestRepair(source: Source, failure: Diagnostic, keys: ReadonlySet<string>): Proposal | undefined {
  const lines = linesOf(source.text);
  const at = (failure.range?.start.line ?? lines.length) - 1;
  const proposals = [...wholeTextRepairs(source.text, lines)];
  // An unclosed quote swallows everything up to the next quote.
  for (const line of lines.filter(hasOpenQuote).slice(0, MOST_OPEN)) proposals.push(...lineRepairs(line, keys));
  for (const index of candidates(lines, at)) {
    const line = lines[index];
    if (line !== undefined) proposals.push(...lineRepairs(line, keys));
  }
  for (const index of candidates(lines, at)) proposals.push(...indentRepairs(lines, index));
  let best: { proposal: Proposal; errors: number; data: string } | undefined;
  let furthest: { proposal: Proposal; line: number } | undefined;
  let isTied = false;
  for (const proposal of proposals) {
    const text = applyEdits(source.text, proposal.edits);
    const { failure: next } = read(source.kind, text);
    if (next !== undefined) {
      const line = next.range?.start.line ?? 0;
      if (line > (furthest?.line ?? at + 1)) furthest = { proposal, line };
      continue;
    }
    const after = judged({ ...source, text });
    const errors = weightOf(after);
    if (best === undefined || errors < best.errors) {
      best = { proposal, errors, data: text };
      isTied = false;
    } else if (errors === best.errors && text !== best.data) isTied = true;
    if (errors === 0) break;
  }
  if (best !== undefined) return isTied && best.errors > 0 ? { ...best.proposal, certain: false } : best.proposal;
  return furthest?.proposal;
}

/** The line where reading ends, the lines above it, and the line below. */
function candidates(lines: readonly Line[], at: number): number[] {
  const order: number[] = [];
  for (let distance = 0; distance <= REACH; distance++) if (at - distance >= 0) order.push(at - distance);
  if (at + 1 < lines.length) order.splice(1, 0, at + 1);
  return order;
}
