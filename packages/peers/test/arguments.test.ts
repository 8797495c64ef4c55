import { decodeText, parseJson, parseYaml } from '@coreiso/diagnostics';
import {
  type ArgumentKind,
  checkArgument,
  checkMembers,
  checkMethods,
  checkOptions,
  checkWhole,
  checkWord,
  WORK,
} from '@coreiso/peers/arguments';
import { expect, test } from 'vitest';

// biome-ignore lint/suspicious/noExplicitAny: callers without types may pass anything
const wrong = (value: unknown): any => value;

test.each<[parameter: string, call: () => unknown]>([
  ['text', () => parseYaml(wrong(undefined))],
  ['text', () => parseYaml(wrong(Uint8Array.of(0x61)))],
  ['text', () => parseJson(wrong({}))],
  ['bytes', () => decodeText(wrong('a'))],
])('misuse is an error that names %s', (parameter, call) => {
  expect(call).toThrow(TypeError);
  expect(call).toThrow(new RegExp(`^${parameter} must be `));
});

class Apple {}

/** A value of each kind that is easily mistaken for another, with its description in errors. */
const VALUES = {
  undefined: [undefined, 'undefined'],
  null: [null, 'null'],
  text: ['a', 'a string'],
  number: [7, 'a number'],
  bigint: [7n, 'a bigint'],
  true: [true, 'a boolean'],
  false: [false, 'a boolean'],
  function: [() => {}, 'a function'],
  object: [{}, 'an object'],
  bare: [Object.create(null), 'an object'],
  apple: [new Apple(), 'an Apple'],
  array: [[7], 'an array'],
  texts: [['a', 'b'], 'an array'],
  set: [new Set(), 'a Set'],
  bytes: [Uint8Array.of(1), 'a Uint8Array'],
  view: [new DataView(new ArrayBuffer(1)), 'a DataView'],
  blob: [new Blob([]), 'a Blob'],
  source: [{ size: 1, read: () => {} }, 'an object'],
  unreadable: [{ size: 1, read: 'a' }, 'an object'],
  sizeless: [{ read: () => {} }, 'an object'],
  sized: [{ size: 1 }, 'an object'],
  // Only a Blob has all four members.
  ...Object.fromEntries(
    ['arrayBuffer', 'slice', 'stream', 'size'].map((absent) => {
      const members = { arrayBuffer: 1, slice: 1, stream: 1, size: 1, [absent]: undefined };
      return [`no ${absent}`, [JSON.parse(JSON.stringify(members)), 'an object']];
    }),
  ),
  signal: [new AbortController().signal, 'an AbortSignal'],
  date: [new Date(0), 'a Date'],
} as Record<string, readonly [value: unknown, words: string]>;

const BLOBLIKE = ['no arrayBuffer', 'no slice', 'no stream', 'no size'];
const NAMED = ['object', 'bare', 'apple', 'set', 'source', 'unreadable', 'sizeless', 'sized', 'blob', 'signal', 'date'];
const OBJECTS = [...NAMED, ...BLOBLIKE];

test.each<[kind: ArgumentKind, words: string, accepted: string[]]>([
  ['text', 'a string', ['text']],
  ['number', 'a number', ['number']],
  ['flag', 'true or false', ['true', 'false']],
  ['function', 'a function', ['function']],
  ['object', 'an object', OBJECTS],
  ['array', 'an array', ['array', 'texts']],
  ['list', 'an array or another iterable', ['array', 'texts', 'set']],
  ['texts', 'an array of strings', ['texts']],
  ['bytes', 'a Uint8Array', ['bytes']],
  ['document', 'a string or a Uint8Array', ['text', 'bytes']],
  ['blob', 'a Blob', ['blob']],
  ['source', 'a ByteSource', ['source']],
  ['content', 'a Uint8Array or a ByteSource', ['bytes', 'source']],
  ['input', 'a ByteSource, a Blob or a Uint8Array', ['bytes', 'blob', 'source']],
  ['state', 'a string, a network state or { node, document }', ['text', ...OBJECTS]],
  ['signal', 'an AbortSignal', ['signal']],
  ['date', 'a Date', ['date']],
])('%s is %s', (kind, words, accepted) => {
  const isAccepted = (value: unknown) => {
    try {
      checkArgument('it', value, kind);
      return true;
    } catch {
      return false;
    }
  };
  const names = Object.keys(VALUES);
  expect(names.filter((name) => isAccepted(VALUES[name]?.[0]))).toEqual(
    names.filter((name) => accepted.includes(name)),
  );
  for (const name of names.filter((other) => !accepted.includes(other))) {
    const [value, given] = VALUES[name]!;
    expect(() => checkArgument('it', value, kind)).toThrow(new TypeError(`it must be ${words}, not ${given}`));
  }
});

test('checks each option, and accepts undefined as absent', () => {
  const kinds = { ...WORK, mode: 'text' } as const;
  const check = (options: unknown, parameter?: string) => () => checkOptions(wrong(options), kinds, parameter);
  expect(check({})).not.toThrow();
  expect(check({ mode: undefined, unknown: 1 })).not.toThrow();
  expect(check({ mode: 'a', signal: new AbortController().signal, onProgress: () => {} })).not.toThrow();
  expect(check('a')).toThrow(new TypeError('options must be an object, not a string'));
  expect(check({ mode: 7 })).toThrow(new TypeError('mode must be a string, not a number'));
  expect(check({ mode: 7 }, 'how')).toThrow(new TypeError('how.mode must be a string, not a number'));
  expect(check({ signal: {} })).toThrow(new TypeError('signal must be an AbortSignal, not an object'));
  expect(check({ onProgress: 'a' })).toThrow(new TypeError('onProgress must be a function, not a string'));
});

test('checks members and methods by name', () => {
  expect(() => checkMembers('it', { a: 1, b: 2 }, ['a', 'b'])).not.toThrow();
  expect(() => checkMembers('it', { a: 1, c: 2 }, ['a', 'b'])).toThrow(
    new TypeError('it.c must not be given, only a, b'),
  );
  const methods = { get: () => {}, list: () => {} };
  expect(() => checkMethods('it', methods, ['get', 'list'])).not.toThrow();
  expect(() => checkMethods('it', methods, ['get', 'watch'])).toThrow(
    new TypeError('it.watch must be a function, not undefined'),
  );
  expect(() => checkMethods('it', 'text', [])).toThrow(new TypeError('it must be an object, not a string'));
});

test('refuses unknown words and numbers out of range, and names the accepted ones', () => {
  expect(() => checkWord('mode', 'b', ['a', 'b'])).not.toThrow();
  expect(() => checkWord('mode', 'c', ['a', 'b'])).toThrow(new RangeError('mode must be one of a, b, not "c"'));
  expect(() => checkWord('mode', 7, ['a', 'b'])).toThrow(new RangeError('mode must be one of a, b, not a number'));
  for (const value of [0, 1, Number.MAX_SAFE_INTEGER]) expect(() => checkWhole('n', value)).not.toThrow();
  for (const value of [2, 3]) expect(() => checkWhole('n', value, 2, 3)).not.toThrow();
  for (const value of [-1, 0.5, Number.NaN, 2 ** 53]) {
    expect(() => checkWhole('n', value)).toThrow(
      new RangeError(`n must be a whole number of at least 0, not ${value}`),
    );
  }
  for (const value of [1, 4, 2.5]) {
    expect(() => checkWhole('n', value, 2, 3)).toThrow(
      new RangeError(`n must be a whole number from 2 to 3, not ${value}`),
    );
  }
});
