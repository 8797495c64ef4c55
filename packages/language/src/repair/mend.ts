// Combines the parts: findings about a text, each with the fixes that were tried and that repair it.
import { applyEdits, type Diagnostic, type TextDocument, type TextEdit } from '@coreiso/diagnostics';
import { withArguments } from '../arguments.ts';
import { judged } from '../findings.ts';
import { judge, read, type Source } from '../judge.ts';
import { editsOfWhole, type Part, partAt, partsOf, placeInPart } from '../parts.ts';
import { withCauses } from './causes.ts';
import { type MeasuredRepair, RepairSearch } from './repair-search.ts';
import { weightOf } from './weight.ts';

/** Findings whose repairs are tried; each trial reads the text again. */
const MOST_TRIED = 40;
/** The same for findings that need the whole of a long text. */
const MOST_LONG = 4;

/**
 * All findings about a text, with fixes. Each fix was tried, and the text checked again. `findings` may come from
 * another check of the same text, such as one that knows the cluster; they get the fixes of the same findings here.
 *
 * @example findingsWithFixes({ kind: 'network-state', text })
 */
export function findingsWithFixes(source: Source, findings?: readonly Diagnostic[]): readonly Diagnostic[] {
  if (findings?.length === 0) return findings;
  const { documents, failure } = read(source.kind, source.text);
  const own = failure === undefined ? withFixes(source, judged(source)) : withCauses(source, judge(source), failure);
  return findings?.map((one) => withOwnFixes(one, own, documents)) ?? own;
}

/** Adds the fixes and values of the equal finding here. */
function withOwnFixes(finding: Diagnostic, own: readonly Diagnostic[], documents: readonly TextDocument[]): Diagnostic {
  const place = finding.range?.start.offset;
  const duplicate = own.find(
    ({ code, message, range }) => code === finding.code && message === finding.message && range?.start.offset === place,
  );
  const document = documents.find(
    ({ root }) => root !== undefined && place !== undefined && root.start <= place && place <= root.end,
  );
  const fixes = duplicate?.fixes ?? finding.fixes;
  const named = withArguments(
    { ...finding, ...(duplicate?.arguments && { arguments: duplicate.arguments }) },
    document,
  );
  return fixes === undefined ? named : { ...named, fixes };
}

/** The findings about a readable text, with fixes; only those of `wanted` if it is given. */
export function withFixes(
  source: Source,
  findings: readonly Diagnostic[],
  wanted: (finding: Diagnostic) => boolean = () => true,
): readonly Diagnostic[] {
  const parts = partsOf(source);
  const searches = new RepairSearches(source, findings, parts);
  let tried = 0;
  const mended = findings.map((finding) => {
    if (!wanted(finding) || tried >= MOST_TRIED) return { finding, gain: 0 };
    tried++;
    return searches.measure(finding);
  });
  // Hosts of a long list are repaired one by one.
  return parts === undefined ? withoutConflicts(source, findings, mended) : mended.map(({ finding }) => finding);
}

/** Repairs of the whole text, and findings about each host in a long list. */
class RepairSearches {
  readonly #source: Source;
  readonly #findings: readonly Diagnostic[];
  readonly #parts: readonly Part[] | undefined;
  readonly #ofParts = new Map<Part, readonly Diagnostic[]>();
  #whole: RepairSearch | undefined;
  #long = 0;

  constructor(source: Source, findings: readonly Diagnostic[], parts: readonly Part[] | undefined) {
    this.#source = source;
    this.#findings = findings;
    this.#parts = parts;
  }

  measure(finding: Diagnostic): MeasuredRepair {
    const part = partAt(this.#parts, finding.range?.start.offset ?? -1);
    const measure = part && this.#mendedIn(part, finding);
    if (measure !== undefined) return measure;
    if (this.#parts !== undefined && this.#long++ >= MOST_LONG) return { finding, gain: 0 };
    this.#whole ??= repairSearchOf(this.#source, this.#findings);
    return this.#whole?.measure(finding) ?? { finding, gain: 0 };
  }

  /** Undefined if the host by itself has no such finding: the cause is another host. */
  #mendedIn(part: Part, finding: Diagnostic): MeasuredRepair | undefined {
    let known = this.#ofParts.get(part);
    if (known === undefined) {
      const isReadable = read(part.source.kind, part.source.text).failure === undefined;
      known = isReadable ? withFixes(part.source, judged(part.source)) : [];
      this.#ofParts.set(part, known);
    }
    const place = placeInPart(part, finding);
    const own = known.find(({ code, range }) => code === finding.code && range?.start.offset === place);
    if (own === undefined) return undefined;
    const fixes = own.fixes?.map((fix) => ({ ...fix, edits: editsOfWhole(part, fix.edits) }));
    return { finding: fixes === undefined ? finding : { ...finding, fixes }, gain: 0 };
  }
}

function repairSearchOf(source: Source, findings: readonly Diagnostic[]): RepairSearch | undefined {
  const [document] = read(source.kind, source.text).documents;
  return document?.root === undefined ? undefined : new RepairSearch(source, { kind: source.kind, document }, findings);
}

/**
 * Marks fixes as unsafe that do not work together. If two fixes touch the same place, the one that repairs more stays safe;
 * any other fix stays safe if it still repairs something after the better ones.
 */
function withoutConflicts(
  source: Source,
  findings: readonly Diagnostic[],
  mended: readonly MeasuredRepair[],
): readonly Diagnostic[] {
  const best = [...mended].sort((a, b) => b.gain - a.gain);
  const taken: TextEdit[] = [];
  const losers = new Set<Diagnostic>();
  let left = weightOf(findings);
  for (const { finding, gain } of best) {
    const edits = safeEdits(finding);
    if (edits.every((edit) => taken.some((one) => isSameEdit(one, edit)))) continue;
    const doesTouch = edits.some((edit) => taken.some((one) => one.start <= edit.end && edit.start <= one.end));
    const after = doesTouch ? undefined : taken.length === 0 ? left - gain : weightAfter(source, [...taken, ...edits]);
    // Rules are applied only when all values have their type, so more findings may follow.
    const isStage = finding.code === 'ignition/type';
    if (after === undefined || (taken.length > 0 && after >= left && !isStage)) losers.add(finding);
    else {
      taken.push(...edits);
      left = after;
    }
  }
  return mended.map(({ finding }) => {
    if (!losers.has(finding) || finding.fixes === undefined) return finding;
    return { ...finding, fixes: finding.fixes.map((fix) => ({ ...fix, safe: false })) };
  });
}

function safeEdits({ fixes = [] }: Diagnostic): readonly TextEdit[] {
  return fixes.find(({ safe }) => safe)?.edits ?? [];
}

function isSameEdit(a: TextEdit, b: TextEdit): boolean {
  return a.start === b.start && a.end === b.end && a.text === b.text;
}

function weightAfter(source: Source, edits: readonly TextEdit[]): number | undefined {
  const text = applyEdits(source.text, edits);
  return read(source.kind, text).failure === undefined ? weightOf(judged({ ...source, text })) : undefined;
}
