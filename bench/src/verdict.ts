// Whether one of two candidates that were measured in turns is faster, on a machine that does other things as well.

/** What pairs of measurements say. */
export interface Verdict {
  readonly word: 'faster' | 'slower' | 'same' | 'unclear';
  /** The median of the ratios of the pairs. */
  readonly ratio: number;
  /** Holds the true median in 95 of 100 cases, whatever the noise is like. */
  readonly low: number;
  readonly high: number;
}

/** A difference that matters to no one. */
const NEGLIGIBLE = 1.03;
/** With an interval within this, looking longer is not worth it. */
const NARROW = 1.1;
const DOUBT = 0.05;

/**
 * Judges pairs of measurements, ours and theirs: a busy minute hits both of a pair. The interval is that of the sign
 * test, which assumes nothing of the noise but that it falls on either side.
 */
export function judge(pairs: readonly { readonly ours: number; readonly theirs: number }[]): Verdict {
  const ratios = pairs.map(({ ours, theirs }) => ours / theirs).sort((a, b) => a - b);
  const middle = ratios.length >> 1;
  const at = (index: number): number => ratios[index] ?? Number.NaN;
  const ratio = ratios.length % 2 === 1 ? at(middle) : (at(middle - 1) + at(middle)) / 2;
  const cut = cutOff(ratios.length);
  if (cut === undefined) return { word: 'unclear', ratio, low: 0, high: Number.POSITIVE_INFINITY };
  const [low, high] = [at(cut), at(ratios.length - 1 - cut)];
  return { word: wordFor(low, high), ratio, low, high };
}

function wordFor(low: number, high: number): Verdict['word'] {
  if (low > NEGLIGIBLE) return 'slower';
  if (high < 1 / NEGLIGIBLE) return 'faster';
  return low > 1 / NARROW && high < NARROW ? 'same' : 'unclear';
}

/** How many of the sorted ratios may be left out at each end; `undefined` where all of them do not suffice. */
function cutOff(count: number): number | undefined {
  let [term, below] = [0.5 ** count, 0];
  let cut: number | undefined;
  for (let left = 0; ; left++) {
    below += term;
    if (2 * below > DOUBT) return cut;
    cut = left;
    term = (term * (count - left)) / (left + 1);
  }
}
