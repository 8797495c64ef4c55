import { expect, test } from 'vitest';
import { contentsOf, resource } from '../../src/index.ts';

const text = (bytes: Uint8Array | undefined): string | undefined => bytes && new TextDecoder().decode(bytes);

test.each([
  ['percent-encoded', { source: 'data:,hi%20there' }, 'hi there'],
  ['base64', { source: 'data:;base64,aGk=' }, 'hi'],
  ['compressed', resource('a'.repeat(5000)), 'a'.repeat(5000)],
  ['empty', { source: 'data:,' }, ''],
])('gives the bytes of a resource that is %s', (_, held, expected) => {
  expect(text(contentsOf(held))).toBe(expected);
});

test.each([
  ['elsewhere', { source: 'https://example.test/a' }],
  ['absent', {}],
  ['broken', { source: 'data:;base64,%' }],
  ['said to be compressed, and is not', { source: 'data:,hi', compression: 'gzip' }],
  ['a bomb', resource(new Uint8Array((64 << 20) + 1))],
])('gives no bytes of a resource that is %s', (_, held) => {
  expect(contentsOf(held)).toBeUndefined();
});

test('refuses an argument that is not a resource', () => {
  expect(() => contentsOf('data:,hi' as never)).toThrow('resource');
});
