import { expect, test } from 'vitest';
import { readInstallerConfig } from '../../src/customize/installer-config.ts';
import { Refusal } from '../../src/customize/refusal.ts';

const read = (text: string | Uint8Array) =>
  readInstallerConfig(typeof text === 'string' ? new TextEncoder().encode(text) : text, 'c.yaml');

function refusal(text: string | Uint8Array): readonly string[] {
  try {
    read(text);
  } catch (error) {
    if (error instanceof Refusal) return error.chain;
    throw error;
  }
  throw new Error('accepted');
}

test('values keep their kind; null and absent are the same', () => {
  const text =
    'stream: 123\nplatform: ~\narchitecture: ~\nconsole:\nappend-karg: [1, true, ~]\ninsecure: True\nfetch-retries: 3\n';
  expect(Object.fromEntries(read(text))).toEqual({
    stream: '123',
    architecture: '~',
    console: [],
    'append-karg': ['1', 'true', '~'],
    insecure: true,
    'fetch-retries': '3',
  });
});

test.each([
  '',
  '# nothing\n',
  '{}',
  '{"stream": "x"}',
  '\ufeffstream: a\n',
  '---\nstream: a\n...\n',
  'stream: !!str 5\n',
])('%j is accepted', (text) => {
  expect(() => read(text)).not.toThrow();
});

// The texts are those of coreos-installer 0.27.0 for the same input.
test.each([
  ['null\n', 'invalid type: unit value, expected struct InstallConfig'],
  ['foo\n', 'invalid type: string "foo", expected struct InstallConfig'],
  ['? [a]\n: b\n', 'invalid type: sequence, expected field identifier at line 1 column 3'],
  ['console: ~\n', 'console: invalid type: unit value, expected a sequence at line 1 column 10'],
  ['append-karg: x\n', 'append-karg: invalid type: string "x", expected a sequence at line 1 column 14'],
  ['append-karg:\n- a\n- [b]\n', 'append-karg[1]: invalid type: sequence, expected a string at line 3 column 3'],
  ['insecure: yes\n', 'insecure: invalid type: string "yes", expected a boolean at line 1 column 11'],
  ['insecure: "true"\n', 'insecure: invalid type: string "true", expected a boolean at line 1 column 11'],
  ['insecure: ~\n', 'insecure: invalid type: unit value, expected a boolean at line 1 column 11'],
  ['insecure: 1.5\n', 'insecure: invalid type: floating point `1.5`, expected a boolean at line 1 column 11'],
  ['insecure: .inf\n', 'insecure: invalid type: floating point `inf`, expected a boolean at line 1 column 11'],
  ['insecure: 7\n', 'insecure: invalid type: integer `7`, expected a boolean at line 1 column 11'],
  ['stream: {a: b}\n', 'stream: invalid type: map, expected a string at line 1 column 9'],
  ['stream: a\nstream: b\n', 'duplicate field `stream`'],
  ['stream: *q\n', 'unknown anchor at line 1 column 9'],
  ['fetch-retries: x\n', 'fetch-retries: invalid digit found in string at line 1 column 16'],
  ['fetch-retries: ""\n', 'fetch-retries: cannot parse integer from empty string at line 1 column 16'],
  ['fetch-retries: 4294967296\n', 'fetch-retries: number too large to fit in target type at line 1 column 16'],
  ['image-url: http://\n', 'image-url: empty host at line 1 column 12'],
  ['image-url: 5\n', 'image-url: relative URL without a base at line 1 column 12'],
  ['image-url: "http://a b"\n', 'image-url: invalid international domain name at line 1 column 12'],
  ['ignition-hash: abc\n', "ignition-hash: failed to detect hash-type and digest in 'abc' at line 1 column 16"],
  ['ignition-hash: sha256-zz\n', 'ignition-hash: decoding hex digest at line 1 column 16'],
  ['ignition-hash: sha512-00\n', 'ignition-hash: wrong digest length (8) at line 1 column 16'],
  ['ignition-hash: md5-aa\n', "ignition-hash: unknown hash type 'md5' at line 1 column 16"],
  ['{"stream": "x"', "did not find expected ',' or '}' at line 2 column 1, while parsing a flow mapping"],
  ['stream: a\n---\nstream: b\n', 'deserializing from YAML containing more than one document is not supported'],
])('%j is refused', (text, cause) => {
  expect(refusal(text)).toEqual(['parsing installer config c.yaml', cause]);
});

test('bytes that are no text are refused', () => {
  expect(refusal(Uint8Array.of(0xff))[0]).toBe('parsing installer config c.yaml');
});
