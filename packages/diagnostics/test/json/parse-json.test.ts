import { json, type Node, parseJson, toPlain, valueOrThrow } from '@coreiso/diagnostics';
import { TextIndex } from '@coreiso/peers/text-index';
import { decodeLossless } from '@coreiso/peers/utf8';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { everyNode } from '../yaml/tree.ts';

function parse(text: string): Node {
  return valueOrThrow(parseJson(text)).root!;
}

/** With JavaScript's numbers, to compare with `JSON.parse`. */
function values(node: Node): unknown {
  return JSON.parse(
    JSON.stringify(toPlain(node, json), (_, value) => (typeof value === 'bigint' ? Number(value) : value)),
  );
}

describe('a text that JSON.parse reads', () => {
  const documents = fc
    .tuple(fc.json(), fc.constantFrom(undefined, 1, '\t', ' \r\n'))
    .map(([text, indent]) => JSON.stringify(JSON.parse(text), null, indent));

  test('has the same value', () => {
    fc.assert(
      fc.property(documents, (text) => {
        expect(values(parse(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  test('has nodes whose source reads as their value', () => {
    fc.assert(
      fc.property(documents, (text) => {
        for (const node of everyNode(parse(text))) {
          expect(JSON.parse(text.slice(node.start, node.end))).toEqual(values(node));
        }
      }),
    );
  });

  test('is the only text that is accepted', () => {
    const pieces = fc.constantFrom(
      ...'{}[],:"\\/ \n0123.-+eEtrufalsn\u0001é'.split(''),
      'true',
      'null',
      '"a"',
      '\\u00e9',
      '1e5',
      '{"a":',
    );
    const texts = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(texts, (text) => {
        expect(parseJson(text).ok).toBe(isJson(text));
      }),
      { numRuns: 5000 },
    );
  });
});

test.each([
  ['', 'unexpected end of JSON input', 0],
  [' \n', 'unexpected end of JSON input', 2],
  ['{', 'unexpected end of JSON input', 1],
  ['[1', 'unexpected end of JSON input', 2],
  ['"a', 'unexpected end of JSON input', 2],
  ['{"a"', 'unexpected end of JSON input', 4],
  ['{"a":1,', 'unexpected end of JSON input', 7],
  ['tru', "invalid character ' ' in literal true (expecting 'e')", 3],
  ['nul1', "invalid character '1' in literal null (expecting 'l')", 3],
  ['fals', "invalid character ' ' in literal false (expecting 'e')", 4],
  ['-', "invalid character ' ' in numeric literal", 1],
  ['-a', "invalid character 'a' in numeric literal", 1],
  ['1.', "invalid character ' ' after decimal point in numeric literal", 2],
  ['1.a', "invalid character 'a' after decimal point in numeric literal", 2],
  ['1e+', "invalid character ' ' in exponent of numeric literal", 3],
  ['0644', "invalid character '6' after top-level value", 1],
  ['[01]', "invalid character '1' after array element", 2],
  ['"\\', "invalid character ' ' in string escape code", 2],
  ['"\\x"', "invalid character 'x' in string escape code", 2],
  ['"\\u12g4"', "invalid character 'g' in \\u hexadecimal character escape", 5],
  ['"\\u12', "invalid character ' ' in \\u hexadecimal character escape", 5],
  ['"a\nb"', "invalid character '\\n' in string literal", 2],
  ['"\u0000"', "invalid character '\\x00' in string literal", 1],
  ['[1,]', "invalid character ']' looking for beginning of value", 3],
  ['{"a":1,}', "invalid character '}' looking for beginning of object key string", 7],
  ['{a:1}', "invalid character 'a' looking for beginning of object key string", 1],
  ['{"a" 1}', "invalid character '1' after object key", 5],
  ['{"a":1 "b"}', "invalid character '\"' after object key:value pair", 7],
  ['[1 2]', "invalid character '2' after array element", 3],
  ['1 2', "invalid character '2' after top-level value", 2],
  ["'", "invalid character '\\'' looking for beginning of value", 0],
  ['\\', "invalid character '\\\\' looking for beginning of value", 0],
  ['\u007f', "invalid character '\\x7f' looking for beginning of value", 0],
  ['\ufeff1', "invalid character 'ï' looking for beginning of value", 0],
  ['é', "invalid character 'Ã' looking for beginning of value", 0],
  ['😀', "invalid character 'ð' looking for beginning of value", 0],
])('reports a syntax error in Go’s words at its place: %j', (text, message, offset) => {
  const outcome = parseJson(text);
  expect(outcome.ok).toBe(false);
  expect(outcome.diagnostics[0]).toMatchObject({
    code: 'diagnostics/json-syntax',
    message,
    range: { start: { offset } },
  });
});

test.each([
  ['', { needed: 'more' }],
  ['[1', { needed: 'more' }],
  ['[,', { needed: 'value', found: "','" }],
  ['{a', { needed: 'member-name', found: "'a'" }],
  ['{"a"]', { needed: 'colon', found: "']'" }],
  ['{"a":1]', { needed: 'member-end', found: "']'" }],
  ['[1}', { needed: 'item-end', found: "'}'" }],
  ['1 é', { needed: 'end', found: "'Ã'" }],
  ['"\n', { needed: 'string', found: "'\\n'" }],
  ['"\\x', { needed: 'escape', found: "'x'" }],
  ['"\\u12', { needed: 'hexadecimal-escape' }],
  ['-', { needed: 'digit' }],
  ['1.x', { needed: 'fraction-digit', found: "'x'" }],
  ['1e+', { needed: 'exponent-digit' }],
  ['nul ', { needed: 'word', found: "' '" }],
])('reports the parts of a syntax error: %j', (text, json) => {
  expect(parseJson(text).diagnostics[0]?.json).toEqual(json);
});

test('members keep their order and their duplicates', () => {
  const root = parse('{"b":1,"a":2,"b":3}');
  const names = root.kind === 'mapping' ? root.entries.map(({ key }) => (key.kind === 'scalar' ? key.text : '')) : [];
  expect(names).toEqual(['b', 'a', 'b']);
  expect(values(root)).toEqual({ a: 2, b: 3 });
});

test.each([
  ['"\\ud83d\\ude00"', '😀'],
  ['"\\ud83d"', '\ufffd'],
  ['"\\ude00\\ud83d"', '\ufffd\ufffd'],
  ['"\\ud83dx"', '\ufffdx'],
  ['"\\ud83d\\u0041"', '\ufffdA'],
  ['"\\ud83d\\ud83d\\ude00"', '\ufffd😀'],
  ['"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9"', '"\\/\b\f\n\r\té'],
  ['"\\\\u0041"', '\\u0041'],
  ['"\ud83d"', '\ufffd'],
])('decodes escapes and replaces lone surrogates: %j', (text, expected) => {
  expect(parse(text)).toMatchObject({ kind: 'scalar', text: expected, style: 'double' });
});

describe('bytes that are not UTF-8', () => {
  test('are each U+FFFD in a string', () => {
    const text = decodeLossless(Uint8Array.of(0x22, 0xff, 0xe2, 0x82, 0x78, 0x22));
    expect(parse(text)).toMatchObject({ text: '\ufffd\ufffd\ufffdx' });
  });

  test.each([
    [[0xff], "'ÿ'"],
    [[0x80], "'\\u0080'"],
    [[0xa0], "'\\u00a0'"],
  ])('are named by their value elsewhere: %j', (bytes, name) => {
    const outcome = parseJson(decodeLossless(Uint8Array.from(bytes)));
    expect(outcome.diagnostics[0]?.message).toBe(`invalid character ${name} looking for beginning of value`);
  });

  test('count as single bytes', () => {
    const text = decodeLossless(Uint8Array.of(0x22, 0xff, 0xfe, 0x22, 0x31));
    const outcome = parseJson(text);
    const offset = outcome.diagnostics[0]!.range!.start.offset;
    expect(new TextIndex(text).byteOffset(offset)).toBe(4);
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
