import { formatFloat } from './float.ts';

/**
 * The text that sigs.k8s.io/yaml writes into a string field for a value; null has no text.
 *
 * @example goText(1234567.5) // '1.2345675e+06'
 */
export function goText(value: null | boolean | bigint | number | string): string | undefined {
  if (value === null) return undefined;
  return typeof value === 'number' ? formatFloat(value, 32) : String(value);
}
