/** The prefix of each base in JavaScript. */
export type BasePrefix = '0x' | '0o' | '0b' | '';

/**
 * The number, or undefined if it has more than `bits` digits without leading zeros: hostile texts must not cause a slow
 * conversion.
 */
export function readDigits(prefix: BasePrefix, digits: string, bits: number): bigint | undefined {
  const significant = digits.replace(/^0+(?=.)/, '');
  return significant.length > bits ? undefined : BigInt(prefix + significant);
}
