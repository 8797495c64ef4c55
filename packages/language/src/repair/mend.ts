// Puts it together: findings about a text, each with the repairs that have been tried and do mend it.
import type { Diagnostic, TextEdit } from '@coreiso/diagnostics';
import { judged } from '../findings.ts';
import { judge, read, type Source } from '../judge.ts';
import { editsOfWhole, type Part, partAt, partsOf, placeInPart } from '../parts.ts';
import { withCauses } from './causes.ts';
import { type Mended, Mender } from './mender.ts';

/** Findings whose repairs are tried; each trial reads the text again. */
const MOST_TRIED = 40;
/** The same for those that a long text has to be read as a whole for. */
const MOST_LONG = 4;

/**
 * All findings about a text with the fixes that were found to mend it: each was tried, and the text judged again.
 *
 * @example findingsWithFixes({ kind: 'network-state', text })
 */
export function findingsWithFixes(source: Source): readonly Diagnostic[] {
  const { failure } = read(source.kind, source.text);
  if (failure !== undefined) return withCauses(source, judge(source), failure);
  return withFixes(source, judged(source));
}

/** The findings about a text that can be read, with fixes; of `wanted` alone, where only those are of interest. */
export function withFixes(
  source: Source,
  findings: readonly Diagnostic[],
  wanted: (finding: Diagnostic) => boolean = () => true,
): readonly Diagnostic[] {
  const menders = new Menders(source, findings);
  let tried = 0;
  return withoutRivals(
    findings.map((finding) => {
      if (!wanted(finding) || tried >= MOST_TRIED) return { finding, gain: 0 };
      tried++;
      return menders.mended(finding);
    }),
  );
}

/** A mender of the whole text, and one of each host in a long list of them. */
class Menders {
  readonly #source: Source;
  readonly #findings: readonly Diagnostic[];
  readonly #parts: readonly Part[] | undefined;
  readonly #ofParts = new Map<
    Part,
    { readonly mender: Mender; readonly findings: readonly Diagnostic[] } | undefined
  >();
  #whole: Mender | undefined;
  #long = 0;

  constructor(source: Source, findings: readonly Diagnostic[]) {
    this.#source = source;
    this.#findings = findings;
    this.#parts = partsOf(source);
  }

  mended(finding: Diagnostic): Mended {
    const part = partAt(this.#parts, finding.range?.start.offset ?? -1);
    const mended = part && this.#mendedIn(part, finding);
    if (mended !== undefined) return mended;
    if (this.#parts !== undefined && this.#long++ >= MOST_LONG) return { finding, gain: 0 };
    this.#whole ??= menderOf(this.#source, this.#findings);
    return this.#whole?.mended(finding) ?? { finding, gain: 0 };
  }

  /** Undefined where the host by itself is not found fault with: the reason is another host. */
  #mendedIn(part: Part, finding: Diagnostic): Mended | undefined {
    if (!this.#ofParts.has(part)) {
      const findings = read(part.source.kind, part.source.text).failure === undefined ? judged(part.source) : [];
      const mender = menderOf(part.source, findings);
      this.#ofParts.set(part, mender && { mender, findings });
    }
    const known = this.#ofParts.get(part);
    const place = placeInPart(part, finding);
    const own = known?.findings.find(({ code, range }) => code === finding.code && range?.start.offset === place);
    if (known === undefined || own === undefined) return undefined;
    const { finding: mended, gain } = known.mender.mended(own);
    const fixes = mended.fixes?.map((fix) => ({ ...fix, edits: editsOfWhole(part, fix.edits) }));
    return { finding: fixes === undefined ? finding : { ...finding, fixes }, gain };
  }
}

function menderOf(source: Source, findings: readonly Diagnostic[]): Mender | undefined {
  const [document] = read(source.kind, source.text).documents;
  return document?.root === undefined ? undefined : new Mender(source, { kind: source.kind, document }, findings);
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
