// Checks of arguments that plain JavaScript may pass: an argument of the wrong type is a `TypeError` that names the parameter. A
// value of the right type that is out of range is a `RangeError`, or an error of the calling package.

/** The kinds of arguments that can be checked. */
export type ArgumentKind =
  | 'text'
  | 'number'
  | 'flag'
  | 'function'
  | 'object'
  | 'array'
  | 'list'
  | 'texts'
  | 'bytes'
  | 'document'
  | 'blob'
  | 'source'
  | 'content'
  | 'input'
  | 'state'
  | 'signal'
  | 'date';

/** The test for each kind, and its name in errors. */
const KINDS: Readonly<Record<ArgumentKind, readonly [is: (value: unknown) => boolean, words: string]>> = {
  text: [isText, 'a string'],
  number: [(value) => typeof value === 'number', 'a number'],
  flag: [(value) => typeof value === 'boolean', 'true or false'],
  function: [(value) => typeof value === 'function', 'a function'],
  object: [isNamed, 'an object'],
  array: [Array.isArray, 'an array'],
  list: [isList, 'an array or another iterable'],
  texts: [(value) => Array.isArray(value) && value.every(isText), 'an array of strings'],
  bytes: [isBytes, 'a Uint8Array'],
  document: [(value) => isText(value) || isBytes(value), 'a string or a Uint8Array'],
  blob: [isBlob, 'a Blob'],
  source: [isSource, 'a ByteSource'],
  content: [(value) => isBytes(value) || isSource(value), 'a Uint8Array or a ByteSource'],
  input: [(value) => isBytes(value) || isBlob(value) || isSource(value), 'a ByteSource, a Blob or a Uint8Array'],
  state: [(value) => isText(value) || isNamed(value), 'a string, a network state or { node, document }'],
  signal: [(value) => isObject(value) && 'aborted' in value, 'an AbortSignal'],
  date: [(value) => value instanceof Date, 'a Date'],
};

/** Options that all long operations have. */
export const WORK: { readonly signal: 'signal'; readonly onProgress: 'function' } = {
  signal: 'signal',
  onProgress: 'function',
};

/**
 * Throws a `TypeError` for an argument of another kind.
 *
 * @example checkArgument('path', path, 'text')
 */
export function checkArgument(parameter: string, value: unknown, kind: ArgumentKind): void {
  const [is, words] = KINDS[kind];
  if (!is(value)) throw new TypeError(`${parameter} must be ${words}, not ${nameOf(value)}`);
}

/**
 * Throws a `TypeError` if the options are not an object, or if one of them has another kind. `undefined` counts as absent.
 *
 * @example checkOptions(options, { ...WORK, mode: 'text' })
 */
export function checkOptions(
  options: object,
  kinds: Readonly<Record<string, ArgumentKind>>,
  parameter = 'options',
): void {
  checkArgument(parameter, options, 'object');
  for (const name in kinds) {
    const value = (options as Record<string, unknown>)[name];
    const kind = kinds[name];
    if (value === undefined || kind === undefined) continue;
    checkArgument(parameter === 'options' ? name : `${parameter}.${name}`, value, kind);
  }
}

/**
 * Throws a `TypeError` for an unknown member, which would otherwise be ignored silently.
 *
 * @example checkMembers('changes', changes, ['ignition', 'files'])
 */
export function checkMembers(parameter: string, value: object, known: readonly string[]): void {
  const stranger = Object.keys(value).find((name) => !known.includes(name));
  if (stranger !== undefined) {
    throw new TypeError(`${parameter}.${stranger} must not be given, only ${known.join(', ')}`);
  }
}

/**
 * Throws a `TypeError` unless the value is an object with these methods.
 *
 * @example checkMethods('cluster', cluster, ['get', 'list'])
 */
export function checkMethods(parameter: string, value: unknown, methods: readonly string[]): void {
  checkArgument(parameter, value, 'object');
  for (const method of methods) {
    checkArgument(`${parameter}.${method}`, (value as Record<string, unknown>)[method], 'function');
  }
}

/**
 * Throws a `RangeError` unless the value is one of these words.
 *
 * @example checkWord('mode', mode, ['strict', 'compatible'])
 */
export function checkWord(parameter: string, value: unknown, words: readonly string[]): void {
  if (words.some((word) => word === value)) return;
  const given = typeof value === 'string' ? JSON.stringify(value) : nameOf(value);
  throw new RangeError(`${parameter} must be one of ${words.join(', ')}, not ${given}`);
}

/**
 * Throws a `RangeError` unless the value is a whole number within these bounds.
 *
 * @example checkWhole('retries', retries, 0, 10)
 */
export function checkWhole(parameter: string, value: number, least = 0, most: number = Number.MAX_SAFE_INTEGER): void {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return;
  const bounds = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  throw new RangeError(`${parameter} must be a whole number ${bounds}, not ${String(value)}`);
}

/** Whether a value is a `Uint8Array`. */
export function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array;
}

/** Whether a value is a Blob, also one of another window. */
export function isBlob(value: unknown): value is Blob {
  return isObject(value) && 'arrayBuffer' in value && 'slice' in value && 'stream' in value && 'size' in value;
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isSource(value: unknown): boolean {
  return isObject(value) && 'size' in value && 'read' in value && typeof value.read === 'function';
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is an object with named members, not an array or bytes. */
function isNamed(value: unknown): boolean {
  return isObject(value) && !ArrayBuffer.isView(value);
}

function isList(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Symbol.iterator in value && !isBytes(value);
}

function nameOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value !== 'object') return `a ${typeof value}`;
  if (Array.isArray(value)) return 'an array';
  const name = Object.getPrototypeOf(value)?.constructor?.name ?? 'Object';
  return name === 'Object' ? 'an object' : `${/^[AEIO]/.test(name) ? 'an' : 'a'} ${name}`;
}
