// Whether one of two candidates, measured in turns, is faster on a machine with other work.

/** The result of pairs of measurements. */
export interface Verdict {
  readonly word: 'faster' | 'slower' | 'same' | 'unclear';
  /** The median of the ratios of the pairs. */
  readonly ratio: number;
  /** Contains the true median in 95 of 100 cases, for any noise. */
  readonly low: number;
  readonly high: number;
}

/** A negligible difference. */
const NEGLIGIBLE = 1.03;
/** If the interval is within this, more measurements are not worth their time. */
const NARROW = 1.1;
const DOUBT = 0.05;

/**
 * Judges pairs of measurements, ours and theirs: a busy minute affects both of a pair. The interval is that of the sign
 * test, which only assumes that noise affects either side equally.
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

/** The number of sorted ratios to leave out at each end; `undefined` if there are too few. */
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
