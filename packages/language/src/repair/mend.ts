// Puts it together: findings about a text, each with the repairs that have been tried and do mend it.
import {
  applyEdits,
  type Diagnostic,
  type Fix,
  nodeAt,
  type Path,
  type TextDocument,
  type TextEdit,
} from '@coreiso/diagnostics';
import { judge, read, type Source } from '../judge.ts';
import type { LanguageKind } from '../kinds.ts';
import { lint, twins } from '../lint.ts';
import { membersOf, type Schema, schemaOf } from '../schema.ts';
import { mendJson } from './json-syntax.ts';
import type { Proposal } from './proposal.ts';
import { change, duplicateRepairs, keyRepairs, missingRepairs, type Subject } from './tree-repairs.ts';
import { valueRepairs } from './value-repairs.ts';
import { hasOpenQuote, indentRepairs, type Line, lineRepairs, linesOf, wholeTextRepairs } from './yaml-lines.ts';

/** Findings whose repairs are tried; each trial reads the whole text. */
const MOST_TRIED = 40;
const MOST_TRIALS = 12;

/**
 * All findings about a text with the fixes that were found to mend it: each was tried, and the text judged again.
 *
 * @example findingsWithFixes({ kind: 'network-state', text })
 */
export function findingsWithFixes(source: Source): readonly Diagnostic[] {
  const { failure, documents } = read(source.kind, source.text);
  if (failure !== undefined) return withCauses(source, judge(source), failure);
  const findings = judged(source);
  const [document] = documents;
  if (document?.root === undefined) return findings;
  const mender = new Mender(source, { kind: source.kind, document }, findings);
  return withoutRivals(
    findings.map((finding, index) => (index < MOST_TRIED ? mender.mended(finding) : { finding, gain: 0 })),
  );
}

/** What the reader of the kind says, and what it takes without a word. */
function judged(source: Source): readonly Diagnostic[] {
  const findings = judge(source);
  const [document] = read(source.kind, source.text).documents;
  if (document === undefined) return findings;
  const lines = new Set(findings.map(({ range }) => range?.start.line));
  const more = [...lint(source.kind, document), ...twins(document, findings)].filter(
    ({ range }) => !lines.has(range?.start.line),
  );
  return [...findings.map((finding) => placed(finding, document)), ...more];
}

/** Findings about what is not there stand where it should be. */
function placed(finding: Diagnostic, document: TextDocument): Diagnostic {
  if (finding.range !== undefined || document.root === undefined || !finding.code.startsWith('ignition/version'))
    return finding;
  const path = ['ignition', 'version'];
  const node = nodeAt(document.root, path);
  const strange = node.kind === 'mapping' ? node.entries[0]?.key : undefined;
  return { ...finding, path, range: document.range(strange ?? node) };
}

interface Mended {
  readonly finding: Diagnostic;
  /** How much less there is to say once the first fix is made. */
  readonly gain: number;
}

/** Of fixes that touch the same place, the one that mends more stays safe. */
function withoutRivals(mended: readonly Mended[]): readonly Diagnostic[] {
  const best = [...mended].sort((a, b) => b.gain - a.gain);
  const taken: TextEdit[] = [];
  const losers = new Set<Diagnostic>();
  for (const { finding } of best) {
    const edits = finding.fixes?.find(({ safe }) => safe)?.edits ?? [];
    const isSame = edits.every((edit) =>
      taken.some((one) => one.start === edit.start && one.end === edit.end && one.text === edit.text),
    );
    if (!isSame && edits.some((edit) => taken.some((one) => one.start <= edit.end && edit.start <= one.end)))
      losers.add(finding);
    else taken.push(...edits);
  }
  return mended.map(({ finding }) => {
    if (!losers.has(finding) || finding.fixes === undefined) return finding;
    return { ...finding, fixes: finding.fixes.map((fix) => ({ ...fix, safe: false })) };
  });
}

/** A text that cannot be read: what is in the way, where it is, and how to mend it. */
function withCauses(source: Source, findings: readonly Diagnostic[], failure: Diagnostic): readonly Diagnostic[] {
  const causes = source.kind === 'ignition' ? mendJson(source.text) : mendYaml(source, failure);
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

/** Lines above the place where reading ends that may be the reason. */
const REACH = 12;
const MOST_STEPS = 8;
const MOST_OPEN = 8;

/** One repair after the other, until the text can be read. */
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
  // Several steps are told as one: the places of the later ones are not those of the user's text.
  const proposal =
    more.length === 0
      ? only
      : { title: only.title, edits: difference(source.text, current), certain: taken.every(({ certain }) => certain) };
  return [{ message: `this line cannot be read as it is written: ${lowered(only.title)}`, proposal }];
}

function lowered(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** One edit for everything between what both texts begin and end with. */
function difference(before: string, after: string): TextEdit[] {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start++;
  let tail = 0;
  while (tail < Math.min(before.length, after.length) - start && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return [{ start, end: before.length - tail, text: after.slice(start, after.length - tail) }];
}

/** The repair that leaves the fewest mistakes; where none makes the text readable, the one after which most can be read. */
function bestRepair(source: Source, failure: Diagnostic, keys: ReadonlySet<string>): Proposal | undefined {
  const lines = linesOf(source.text);
  const at = (failure.range?.start.line ?? lines.length) - 1;
  const proposals = [...wholeTextRepairs(source.text, lines)];
  // A quote that is not closed swallows everything up to the next one, however far.
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

/** The line where reading ends, those above it, the one below. */
function candidates(lines: readonly Line[], at: number): number[] {
  const order: number[] = [];
  for (let distance = 0; distance <= REACH; distance++) if (at - distance >= 0) order.push(at - distance);
  if (at + 1 < lines.length) order.splice(1, 0, at + 1);
  return order;
}

function weightOf(findings: readonly Diagnostic[]): number {
  return findings.reduce((sum, { severity }) => sum + (severity === 'error' ? 100 : severity === 'warning' ? 1 : 0), 0);
}

const knownKeys = new Map<LanguageKind, ReadonlySet<string>>();

/** The names of all members anywhere in a kind of document. */
function allKeys(kind: LanguageKind): ReadonlySet<string> {
  let keys = knownKeys.get(kind);
  if (keys === undefined) {
    const found = new Set<string>();
    const visit = (part: unknown): void => {
      if (typeof part !== 'object' || part === null) return;
      for (const name of membersOf([part as Schema]).keys()) found.add(name);
      for (const inner of Object.values(part)) visit(inner);
    };
    visit(schemaOf(kind));
    keys = found;
    knownKeys.set(kind, keys);
  }
  return keys;
}

class Mender {
  readonly #source: Source;
  readonly #subject: Subject;
  readonly #before: readonly Diagnostic[];
  readonly #lines: readonly Line[];

  constructor(source: Source, subject: Subject, before: readonly Diagnostic[]) {
    this.#source = source;
    this.#subject = subject;
    this.#before = before;
    this.#lines = linesOf(source.text);
  }

  mended(finding: Diagnostic): Mended {
    if (finding.severity === 'info') return { finding, gain: 0 };
    const fixes: Fix[] = [];
    const seen = new Set<string>();
    let gain = 0;
    let trials = 0;
    for (const proposal of this.#proposals(finding)) {
      if (proposal.edits.length === 0 || trials >= MOST_TRIALS) continue;
      const text = applyEdits(this.#source.text, proposal.edits);
      if (seen.has(text) || text === this.#source.text) continue;
      seen.add(text);
      trials++;
      const left = this.#leftAfter(finding, text);
      if (left === undefined) continue;
      const isSafe = proposal.certain && (proposal.isRough !== true || left < 100);
      gain = Math.max(gain, weightOf(this.#before) - left);
      fixes.push({ title: proposal.title, edits: proposal.edits, safe: isSafe });
      if (fixes.length >= 3 || isSafe) break;
    }
    const { fixes: _, ...bare } = finding;
    return { finding: fixes.length === 0 ? bare : { ...bare, fixes }, gain };
  }

  /** The weight of what is left to say, where the finding is gone and less is left than before. */
  #leftAfter(finding: Diagnostic, text: string): number | undefined {
    const { failure } = read(this.#source.kind, text);
    if (failure !== undefined) return undefined;
    const after = judged({ ...this.#source, text });
    const isSame = (one: Diagnostic): boolean => one.code === finding.code && one.message === finding.message;
    if (after.filter(isSame).length >= this.#before.filter(isSame).length) return undefined;
    const left = weightOf(after);
    return left < weightOf(this.#before) ? left : undefined;
  }

  *#proposals(finding: Diagnostic): Generator<Proposal> {
    const { code, path, help = '', range } = finding;
    for (const { title, edits, safe } of finding.fixes ?? []) yield { title, edits, certain: safe };
    const near = /[Dd]id you mean `?([^`?]+?)`?\?/.exec(help)?.[1];
    const subject = this.#subject;
    const known = path.length > 0 ? path : this.#pathAt(range?.start.offset);
    if (/(?:unknown|misplaced|ignored|unused|refused)-key$|key-case$/.test(code)) {
      yield* keyRepairs(subject, known, near);
      yield* keyRepairs(subject, this.#pathAt(range?.start.offset), near);
    }
    const [, key, value] = /Write `([\w-]+): ([^`]+)`/.exec(help) ?? [];
    if (key !== undefined && value !== undefined && known.at(-1) === key) {
      yield* change(subject, `Write \`${key}: ${value}\``, { do: 'set', path: known, value });
    }
    if (/missing|api-version|version-unreadable/.test(code)) yield* missingRepairs(subject, known);
    if (/duplicate/.test(code)) yield* duplicateRepairs(subject, range?.start.offset ?? 0);
    yield* valueRepairs(subject, known, near);
    const here = this.#pathAt(range?.start.offset);
    if (here.join('\0') !== known.join('\0')) yield* valueRepairs(subject, here, near);
    if (this.#source.kind === 'ignition' || range === undefined) return;
    const keys = allKeys(this.#source.kind);
    const index = range.start.line - 1;
    const line = this.#lines[index];
    if (line !== undefined) yield* lineRepairs(line, keys);
    yield* wholeTextRepairs(this.#source.text, this.#lines);
    yield* indentRepairs(this.#lines, index);
  }

  /** The path of the innermost value that is written at a place, or whose key is. */
  #pathAt(offset: number | undefined): Path {
    const path: (string | number)[] = [];
    let node = this.#subject.document.root;
    while (node !== undefined && offset !== undefined && node.kind !== 'scalar') {
      if (node.kind === 'sequence') {
        const index = node.items.findLastIndex(({ start, end }) => start <= offset && offset <= end);
        if (index === -1) break;
        path.push(index);
        node = node.items[index];
        continue;
      }
      const entry = node.entries.findLast(
        ({ key, value }) => key.start <= offset && offset <= Math.max(key.end, value.end),
      );
      if (entry?.key.kind !== 'scalar') break;
      path.push(entry.key.text);
      if (offset < entry.key.end) break;
      node = entry.value;
    }
    return path;
  }
}
