import { secretText } from '@coreiso/peers/secret-text';
import { expect, test } from 'vitest';

test.each<[string, unknown, string | undefined]>([
  ['base64', { data: { key: 'cGFzcw==' } }, 'pass'],
  ['base64 with line ends', { data: { key: 'cGFz\n cw==\n' } }, 'pass'],
  ['plain text, which counts first', { data: { key: 'eA==' }, stringData: { key: 'pass' } }, 'pass'],
  ['an empty text', { data: { key: '' } }, ''],
  ['no base64', { data: { key: 'pass?word' } }, undefined],
  ['a number', { data: { key: 1 } }, undefined],
  ['another key', { data: { other: 'eA==' } }, undefined],
  ['no data', {}, undefined],
  ['no object', null, undefined],
])('%s', (_, secret, text) => {
  expect(secretText(secret, 'key')).toBe(text);
});
