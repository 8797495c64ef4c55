/** Misuse from plain JavaScript, found where arguments enter: a `TypeError` that names the parameter. */

/**
 * Refuses what is not an object of named members: a list, bytes, nothing.
 *
 * @example requireObject('options', options)
 */
export function requireObject(name: string, value: unknown): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || ArrayBuffer.isView(value)) {
    throw new TypeError(`${name} must be an object, not ${kindOf(value)}`);
  }
}

/**
 * Refuses what is no text.
 *
 * @example requireText('path', path)
 */
export function requireText(name: string, value: unknown): void {
  if (typeof value !== 'string') throw new TypeError(`${name} must be a string, not ${kindOf(value)}`);
}

/**
 * Refuses what is neither a text nor bytes.
 *
 * @example requireContent('content', content)
 */
export function requireContent(name: string, value: unknown): void {
  if (typeof value === 'string' || value instanceof Uint8Array) return;
  throw new TypeError(`${name} must be a string or a Uint8Array, not ${kindOf(value)}`);
}

/**
 * Refuses what is no array: a text would be taken for a list of its letters.
 *
 * @example requireList('files', files)
 */
export function requireList(name: string, value: unknown): void {
  if (!Array.isArray(value)) throw new TypeError(`${name} must be an array, not ${kindOf(value)}`);
}

/**
 * Refuses an object without these methods.
 *
 * @example requireMethods('cluster', cluster, ['get', 'list'])
 */
export function requireMethods(name: string, value: unknown, methods: readonly string[]): void {
  requireObject(name, value);
  const absent = methods.find((method) => typeof (value as Record<string, unknown>)[method] !== 'function');
  if (absent !== undefined) throw new TypeError(`${name}.${absent} must be a function`);
}

/**
 * Refuses what cannot be called.
 *
 * @example requireFunction('random', random)
 */
export function requireFunction(name: string, value: unknown): void {
  if (typeof value !== 'function') throw new TypeError(`${name} must be a function, not ${kindOf(value)}`);
}

/**
 * Refuses, with a `RangeError`, a word that is none of these.
 *
 * @example requireOneOf('mode', mode, ['strict', 'compatible'])
 */
export function requireOneOf(name: string, value: unknown, words: readonly string[]): void {
  if (!words.some((word) => word === value)) throw new RangeError(`${name} must be one of ${words.join(', ')}`);
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'an array';
  const kind = value instanceof Uint8Array ? 'Uint8Array' : typeof value;
  return /^[aeiou]/.test(kind) ? `an ${kind}` : `a ${kind}`;
}
