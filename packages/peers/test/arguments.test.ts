import { decodeText, parseJson, parseYaml } from '@coreiso/diagnostics';
import { expect, test } from 'vitest';

// biome-ignore lint/suspicious/noExplicitAny: what callers without types may hand over
const wrong = (value: unknown): any => value;

test.each<[parameter: string, call: () => unknown]>([
  ['text', () => parseYaml(wrong(undefined))],
  ['text', () => parseYaml(wrong(Uint8Array.of(0x61)))],
  ['text', () => parseJson(wrong({}))],
  ['bytes', () => decodeText(wrong('a'))],
])('misuse names %s', (parameter, call) => {
  expect(call).toThrow(TypeError);
  expect(call).toThrow(new RegExp(`^${parameter} must be `));
});
