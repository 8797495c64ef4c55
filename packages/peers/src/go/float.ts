/** With the fewest digits, `g` writes an exponent from this power of ten on, and below 1e-4. */
const EXPONENT_FROM = 6;

/**
 * Formats a float as Go's `strconv.FormatFloat(value, 'g', -1, bits)` does: with the fewest digits that identify it.
 *
 * @example formatFloat(16777216, 32) // '1.6777216e+07'
 */
export function formatFloat(value: number, bits: 32 | 64): string {
  const exact = bits === 32 ? Math.fround(value) : value;
  if (Number.isNaN(exact)) return 'NaN';
  if (!Number.isFinite(exact)) return exact > 0 ? '+Inf' : '-Inf';
  if (exact === 0) return Object.is(exact, -0) ? '-0' : '0';
  const [mantissa = '', power = ''] = (bits === 32 ? shortestSingle(exact) : exact.toExponential()).split('e');
  const exponent = Number(power);
  if (exponent >= -4 && exponent < EXPONENT_FROM) return Number(`${mantissa}e${power}`).toString();
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${Math.abs(exponent).toString().padStart(2, '0')}`;
}

function shortestSingle(single: number): string {
  let digits = 1;
  while (Math.fround(Number(single.toPrecision(digits))) !== single) digits++;
  return single.toExponential(digits - 1);
}
