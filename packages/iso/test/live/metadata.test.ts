import { describe, expect, test } from 'vitest';
import { IsoError } from '../../src/errors.ts';
import { type JsonObject, parseMetadata } from '../../src/live/metadata.ts';
import { utf8 } from '../initrd/archives.ts';

const parse = (value: unknown): JsonObject => parseMetadata(utf8(JSON.stringify(value)));

/** The message of the error, whose code is always the same. */
function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(IsoError);
    expect(error).toMatchObject({ code: 'ISO_BAD_METADATA' });
    return (error as Error).message;
  }
  return 'none';
}

describe('a file of metadata', () => {
  test.each([
    ['a list', '[]', 'expected an object'],
    ['null', 'null', 'expected an object'],
    ['a number', '1', 'expected an object'],
    ['a text', '"x"', 'expected an object'],
    ['no JSON', '{', 'invalid JSON'],
    ['nothing', '', 'invalid JSON'],
    ['JSON behind a byte order mark, which serde refuses', '\ufeff{}', 'invalid JSON'],
  ])('that is %s is refused', (_, text, message) => {
    expect(refusal(() => parseMetadata(utf8(text)))).toBe(message);
  });

  test('that is not UTF-8 is refused', () => {
    expect(refusal(() => parseMetadata(Uint8Array.of(0x7b, 0xff, 0x7d)))).toBe('invalid UTF-8');
  });
});

describe('a member', () => {
  const invalid = (expected: string) => `invalid value of \`a\`, expected ${expected}`;
  const MISSING = 'missing field `a`';
  const read = {
    string: (json: JsonObject) => json.string('a'),
    size: (json: JsonObject) => json.size('a'),
    optionalSize: (json: JsonObject) => json.optionalSize('a'),
    optionalCharacter: (json: JsonObject) => json.optionalCharacter('a'),
    flag: (json: JsonObject) => json.flag('a'),
    flags: (json: JsonObject) => json.flags('a'),
    objects: (json: JsonObject) => json.objects('a').length,
  };

  test.each<[keyof typeof read, object, unknown]>([
    ['string', { a: '' }, ''],
    ['string', { a: 'x' }, 'x'],
    ['size', { a: 0 }, 0],
    ['size', { a: Number.MAX_SAFE_INTEGER }, Number.MAX_SAFE_INTEGER],
    ['optionalSize', {}, undefined],
    ['optionalSize', { a: null }, undefined],
    ['optionalSize', { a: 7 }, 7],
    ['optionalCharacter', {}, undefined],
    ['optionalCharacter', { a: null }, undefined],
    ['optionalCharacter', { a: '#' }, '#'],
    ['optionalCharacter', { a: '😀' }, '😀'],
    ['flag', {}, false],
    ['flag', { a: false }, false],
    ['flag', { a: true }, true],
    ['flags', {}, {}],
    ['flags', { a: { x: true, y: false, z: 1, n: null } }, { x: true, y: false }],
    ['objects', { a: [] }, 0],
    ['objects', { a: [{}, {}] }, 2],
  ])('is read by %s: %j gives %j', (kind, value, expected) => {
    expect(read[kind](parse(value))).toEqual(expected);
  });

  test.each<[keyof typeof read, object, string]>([
    ['string', {}, MISSING],
    ['string', { a: null }, invalid('a string')],
    ['string', { a: 1 }, invalid('a string')],
    ['size', {}, MISSING],
    ['size', { a: null }, invalid('a size')],
    ['size', { a: -1 }, invalid('a size')],
    ['size', { a: 0.5 }, invalid('a size')],
    ['size', { a: '1' }, invalid('a size')],
    ['size', { a: 2 ** 53 }, invalid('a size')],
    ['optionalSize', { a: -1 }, invalid('a size')],
    ['optionalCharacter', { a: '' }, invalid('a character')],
    ['optionalCharacter', { a: 'ab' }, invalid('a character')],
    ['optionalCharacter', { a: 1 }, invalid('a character')],
    ['flag', { a: null }, invalid('a boolean')],
    ['flag', { a: 1 }, invalid('a boolean')],
    ['flags', { a: true }, 'expected an object'],
    ['flags', { a: null }, 'expected an object'],
    ['objects', {}, MISSING],
    ['objects', { a: {} }, invalid('a list')],
    ['objects', { a: [1] }, 'expected an object'],
  ])('is refused by %s: %j: %s', (kind, value, message) => {
    expect(refusal(() => read[kind](parse(value)))).toBe(message);
  });
});
