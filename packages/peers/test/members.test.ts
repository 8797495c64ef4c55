import { isObject, listOf, memberOf, textOf } from '@coreiso/peers/members';
import { expect, test } from 'vitest';

const node = { metadata: { name: 'a', age: 1 }, status: { addresses: [1, 2] } };

test('finds the value at a path, and nothing at a path that does not exist', () => {
  expect(memberOf(node, 'metadata', 'name')).toBe('a');
  expect(memberOf(node)).toBe(node);
  for (const path of [
    ['spec', 'name'],
    ['metadata', 'name', 'length'],
    ['status', 'addresses', '0'],
  ]) {
    expect(memberOf(node, ...path)).toBeUndefined();
  }
  expect([null, [], 'a', undefined, {}].map(isObject)).toEqual([false, false, false, false, true]);
});

test('reads texts and lists of another type as empty', () => {
  expect([textOf(node, 'metadata', 'name'), textOf(node, 'metadata', 'age'), textOf(node, 'spec')]).toEqual([
    'a',
    '',
    '',
  ]);
  expect([listOf(node, 'status', 'addresses'), listOf(node, 'status'), listOf(node, 'spec')]).toEqual([[1, 2], [], []]);
});
