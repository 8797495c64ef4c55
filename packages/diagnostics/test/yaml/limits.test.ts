import { parseJson, parseYaml } from '@coreiso/diagnostics';
import { describe, expect, test } from 'vitest';

function codeOf(outcome: { ok: boolean; diagnostics: readonly { code: string }[] } | undefined): string | undefined {
  return outcome?.ok === false ? outcome.diagnostics[0]?.code : undefined;
}

function yaml(text: string, limits = {}): string | undefined {
  return codeOf(parseYaml(text, limits).at(-1));
}

/** `levels` anchors; each refers to the previous one nine times. */
function bomb(levels: number): string {
  const lines = ['a0: &a0 x'];
  for (let level = 1; level <= levels; level++) {
    lines.push(
      `a${level}: &a${level} [${Array(9)
        .fill(`*a${level - 1}`)
        .join(', ')}]`,
    );
  }
  return lines.join('\n');
}

describe('depth', () => {
  test.each([
    ['flow lists', (depth: number) => '['.repeat(depth) + ']'.repeat(depth)],
    ['flow mappings', (depth: number) => '{a: '.repeat(depth) + '}'.repeat(depth)],
    ['block lists', (depth: number) => '- '.repeat(depth)],
    [
      'block mappings',
      (depth: number) => Array.from({ length: depth }, (_, level) => `${' '.repeat(level)}a:\n`).join(''),
    ],
    ['explicit keys', (depth: number) => '? '.repeat(depth)],
    ['pairs', (depth: number) => `${'[a: '.repeat(depth / 2)}b${']'.repeat(depth / 2)}`],
  ])('is limited exactly: %s', (_, nested) => {
    expect(yaml(nested(20), { depth: 20 })).toBeUndefined();
    expect(yaml(nested(22), { depth: 20 })).toBe('diagnostics/too-deep');
  });

  test('counts the nodes below an alias', () => {
    const chain = ['a0: &a0 [x]'];
    for (let level = 1; level < 50; level++) chain.push(`a${level}: &a${level} [*a${level - 1}]`);
    expect(yaml(chain.join('\n'), { depth: 51 })).toBeUndefined();
    expect(yaml(chain.join('\n'), { depth: 50 })).toBe('diagnostics/too-deep');
  });

  test('refuses a million brackets immediately', () => {
    expect(yaml('['.repeat(1_000_000))).toBe('diagnostics/too-deep');
    expect(codeOf(parseJson('['.repeat(1_000_000)))).toBe('diagnostics/too-deep');
  });

  test('JSON may be as deep as in Go', () => {
    expect(parseJson('['.repeat(10_000) + ']'.repeat(10_000)).ok).toBe(true);
    const outcome = parseJson(`${'['.repeat(10_000)}{}`);
    expect(outcome.diagnostics[0]).toMatchObject({
      code: 'diagnostics/too-deep',
      message: "invalid character '{' exceeded max depth",
    });
  });
});

describe('nodes', () => {
  test('are limited exactly, aliases counted in full', () => {
    // Two keys, a list of two, and the same list again.
    const text = 'a: &a [1, 2]\nb: *a';
    expect(yaml(text, { nodes: 9 })).toBeUndefined();
    expect(yaml(text, { nodes: 8 })).toBe('diagnostics/too-many-nodes');
  });

  test('of all documents together are limited', () => {
    expect(yaml('--- [1, 2]\n'.repeat(10), { nodes: 29 })).toBe('diagnostics/too-many-nodes');
  });

  test('refuse a bomb of aliases', () => {
    expect(yaml(bomb(3))).toBeUndefined();
    expect(yaml(bomb(60))).toBe('diagnostics/too-many-nodes');
  });

  test('of JSON are limited exactly, keys counted', () => {
    expect(codeOf(parseJson('{"a": [1, 2]}', { nodes: 5 }))).toBeUndefined();
    expect(codeOf(parseJson('{"a": [1, 2]}', { nodes: 4 }))).toBe('diagnostics/too-many-nodes');
  });
});

test('the length is limited exactly', () => {
  expect([yaml('abc', { length: 3 }), yaml('abcd', { length: 3 })]).toEqual([undefined, 'diagnostics/too-long']);
  expect([codeOf(parseJson('123', { length: 3 })), codeOf(parseJson('1234', { length: 3 }))]).toEqual([
    undefined,
    'diagnostics/too-long',
  ]);
});

test('refuses invalid limits as a mistake of the caller', () => {
  expect(() => parseYaml('', { depth: -1 })).toThrow(RangeError);
  expect(() => parseYaml('', { depth: 5000 })).toThrow('limits.depth');
  expect(() => parseJson('', { nodes: 1.5 })).toThrow('limits.nodes');
});
