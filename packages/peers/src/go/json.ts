import { isObject } from '../members.ts';
import { compareBytes } from './bytes.ts';

/**
 * Writes JSON as Go writes a map: keys in the order of their bytes, and the characters of HTML markup escaped.
 *
 * @example goJson({ b: 1, a: '<' }, 0) // '{"a":"\\u003c","b":1}'
 */
export function goJson(value: unknown, indent: number): string {
  const sorted = JSON.stringify(
    value,
    (_, member: unknown) =>
      isObject(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => compareBytes(a, b))) : member,
    indent,
  );
  return escapeHtml(sorted);
}

/**
 * Adds the escapes of Go's encoder that JSON itself does not require.
 *
 * @example escapeHtml('"a&b"') // '"a\\u0026b"'
 */
export function escapeHtml(json: string): string {
  return json.replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
