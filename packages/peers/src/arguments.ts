// Misuse from plain JavaScript, found where arguments enter: a `TypeError` that names the parameter. What is of the right
// type and of a wrong value is a `RangeError`, or an error of anyone who needs it.

/** What an argument may have to be. */
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

/** How each is recognised, and how an error says it. */
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

/** Options that everything long has. */
export const WORK: { readonly signal: 'signal'; readonly onProgress: 'function' } = {
  signal: 'signal',
  onProgress: 'function',
};

/**
 * Refuses an argument of another kind.
 *
 * @example checkArgument('path', path, 'text')
 */
export function checkArgument(parameter: string, value: unknown, kind: ArgumentKind): void {
  const [is, words] = KINDS[kind];
  if (!is(value)) throw new TypeError(`${parameter} must be ${words}, not ${nameOf(value)}`);
}

/**
 * Refuses options that are no object, or that have one of another kind; what is `undefined` is absent.
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
 * Refuses a member that means nothing and would be left out without a word.
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
 * Refuses an object without these methods.
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
 * Refuses, with a `RangeError`, a word that is none of these.
 *
 * @example checkWord('mode', mode, ['strict', 'compatible'])
 */
export function checkWord(parameter: string, value: unknown, words: readonly string[]): void {
  if (words.some((word) => word === value)) return;
  const given = typeof value === 'string' ? JSON.stringify(value) : nameOf(value);
  throw new RangeError(`${parameter} must be one of ${words.join(', ')}, not ${given}`);
}

/**
 * Refuses, with a `RangeError`, a number that is not whole or is outside these bounds.
 *
 * @example checkWhole('retries', retries, 0, 10)
 */
export function checkWhole(parameter: string, value: number, least = 0, most: number = Number.MAX_SAFE_INTEGER): void {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return;
  const bounds = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  throw new RangeError(`${parameter} must be a whole number ${bounds}, not ${String(value)}`);
}

/** Whether a value is bytes in memory. */
export function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array;
}

/** Whether a value is a Blob; those of another window count too. */
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

/** An object of named members: no list, no bytes. */
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
