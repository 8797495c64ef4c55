// Tries possible readings of a mistake, and keeps those that repair it.
import { applyEdits, type Diagnostic, type Fix, type Path } from '@coreiso/diagnostics';
import { judged } from '../findings.ts';
import { read, type Source } from '../judge.ts';
import { pathAt } from '../path-at.ts';
import { allKeys } from './all-keys.ts';
import type { Proposal } from './proposal.ts';
import { sanityRepairs } from './sanity-repairs.ts';
import { change, duplicateRepairs, keyRepairs, missingRepairs, type Subject } from './tree-repairs.ts';
import { valueRepairs, wordRepairs } from './value-repairs.ts';
import { weightOf } from './weight.ts';
import { indentRepairs, type Line, lineRepairs, linesOf, wholeTextRepairs } from './yaml-lines.ts';

const MOST_TRIALS = 12;

export interface MeasuredRepair {
  readonly finding: Diagnostic;
  /** The weight of findings that the first fix removes. */
  readonly gain: number;
}

export class RepairSearch {
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

  measure(finding: Diagnostic): MeasuredRepair {
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
      const left = this.#leftAfter(finding, text, proposal.reveals);
      if (left === undefined) continue;
      const isSafe = proposal.certain && (proposal.isRough !== true || left < 100);
      gain = Math.max(gain, weightOf(this.#before) - left);
      fixes.push({ title: proposal.title, edits: proposal.edits, safe: isSafe });
      if (fixes.length >= 3 || isSafe) break;
    }
    const { fixes: _, ...bare } = finding;
    return { finding: fixes.length === 0 ? bare : { ...bare, fixes }, gain };
  }

  /** The weight of the remaining findings, if the finding is gone and the weight is lower than before. */
  #leftAfter(finding: Diagnostic, text: string, reveals?: Path): number | undefined {
    const { failure } = read(this.#source.kind, text);
    if (failure !== undefined) return undefined;
    const after = judged({ ...this.#source, text });
    const isSame = (one: Diagnostic): boolean => one.code === finding.code && one.message === finding.message;
    if (after.filter(isSame).length >= this.#before.filter(isSame).length) return undefined;
    const left = weightOf(reveals === undefined ? after : after.filter(({ path }) => !isBelow(path, reveals)));
    return left < weightOf(this.#before) ? left : undefined;
  }

  *#proposals(finding: Diagnostic): Generator<Proposal> {
    const { code, path, help = '', range } = finding;
    for (const { title, edits, safe } of finding.fixes ?? []) yield { title, edits, certain: safe };
    const near = /[Dd]id you mean `?([^`?]+?)`?\?/.exec(help)?.[1];
    const subject = this.#subject;
    const known = path.length > 0 ? path : this.#pathAt(range?.start.offset);
    const isOfKey = /(?:unknown|misplaced|ignored|unused|refused)-key$|key-case$/.test(code);
    if (isOfKey || /\bunknown field\b/.test(finding.message)) {
      const into = /Move `[^`]+` into `([^`]+)`/.exec(help)?.[1];
      for (const proposal of keyRepairs(subject, known, near))
        yield into !== undefined && proposal.title.endsWith(` to \`${into}\``)
          ? { ...proposal, certain: true }
          : proposal;
      yield* keyRepairs(subject, this.#pathAt(range?.start.offset), near);
    }
    const [, key, value] = /Write `([\w-]+): ([^`]+)`/.exec(help) ?? [];
    if (key !== undefined && value !== undefined && known.at(-1) === key) {
      yield* change(subject, `Write \`${key}: ${value}\``, { do: 'set', path: known, value });
    }
    const word = /^Write `?([\w./:-]+)`?\.$/.exec(help)?.[1];
    const isValue = word !== undefined && typeof known.at(-1) === 'string' && !/^(?:true|false|\d+)$/.test(word);
    if (isValue) yield* wordRepairs(subject, known, word);
    if (/missing|api-version|version-unreadable/.test(code)) yield* missingRepairs(subject, known);
    if (/duplicate/.test(code)) yield* duplicateRepairs(subject, range?.start.offset ?? 0);
    yield* sanityRepairs(subject, code, known);
    yield* valueRepairs(subject, known, near);
    const here = this.#pathAt(range?.start.offset);
    if (here.join('\0') !== known.join('\0')) yield* valueRepairs(subject, here, near);
    if (this.#source.kind === 'ignition' || range === undefined) return;
    const keys = allKeys(this.#source.kind);
    const index = range.start.line - 1;
    const line = this.#lines[index];
    if (line !== undefined) yield* lineRepairs(line, keys);
    yield* wholeTextRepairs(this.#source.text, this.#lines);
    // A finding about a value is no reason to look for its line elsewhere.
    const isOfStructure = /-key$|wrong-type|syntax|invalid-argument|no-hosts|required|pool-name/.test(code);
    for (const proposal of indentRepairs(this.#lines, index))
      yield isOfStructure ? proposal : { ...proposal, certain: false };
  }

  #pathAt(offset: number | undefined): Path {
    return pathAt(this.#subject.document.root, offset);
  }
}

function isBelow(path: Path, top: Path): boolean {
  return path.length > top.length && top.every((step, index) => step === path[index]);
}
