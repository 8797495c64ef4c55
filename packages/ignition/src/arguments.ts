// What callers without types get wrong is told by the name of the parameter.

export function requireObject(name: string, value: unknown): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || ArrayBuffer.isView(value)) {
    throw new TypeError(`${name} must be an object, not ${kindOf(value)}`);
  }
}

export function requireText(name: string, value: unknown): void {
  if (typeof value !== 'string') throw new TypeError(`${name} must be a string, not ${kindOf(value)}`);
}

/** A text, or its bytes. */
export function requireContent(name: string, value: unknown): void {
  if (typeof value === 'string' || value instanceof Uint8Array) return;
  throw new TypeError(`${name} must be a string or a Uint8Array, not ${kindOf(value)}`);
}

/** A text would be taken for a list of its letters. */
export function requireList(name: string, value: unknown): void {
  if (!Array.isArray(value)) throw new TypeError(`${name} must be an array, not ${kindOf(value)}`);
}

export function requireOneOf(name: string, value: unknown, words: readonly string[]): void {
  if (!words.some((word) => word === value)) throw new RangeError(`${name} must be one of ${words.join(', ')}`);
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'an array';
  const kind = value instanceof Uint8Array ? 'Uint8Array' : typeof value;
  return /^[aeiou]/.test(kind) ? `an ${kind}` : `a ${kind}`;
}
