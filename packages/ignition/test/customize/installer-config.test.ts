import { expect, test } from 'vitest';
import { readInstallerConfig } from '../../src/customize/installer-config.ts';
import { Refusal } from '../../src/customize/refusal.ts';

const read = (text: string | Uint8Array) =>
  readInstallerConfig(typeof text === 'string' ? new TextEncoder().encode(text) : text, 'c.yaml');

function refusal(text: string | Uint8Array): Refusal {
  try {
    read(text);
  } catch (error) {
    if (error instanceof Refusal) return error;
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

test.each([
  ['null\n', [], 'expected an object, not null'],
  ['? [a]\n: b\n', [], 'expected a key, not a list'],
  ['console: ~\n', ['console'], 'expected a list, not null'],
  ['append-karg:\n- a\n- [b]\n', ['append-karg', 1], 'expected a string, not a list'],
  ['insecure: yes\n', ['insecure'], 'expected true or false, not a string'],
  ['insecure: 1.5\n', ['insecure'], 'expected true or false, not a number with a fraction'],
  ['insecure: 7\n', ['insecure'], 'expected true or false, not a whole number'],
  ['stream: a\nstream: b\n', [], 'stream is given twice'],
  ['steam: a\n', [], 'there is no setting steam'],
  ['fetch-retries: ""\n', ['fetch-retries'], 'fetch-retries must be a number or infinite'],
  ['fetch-retries: 4294967296\n', ['fetch-retries'], 'fetch-retries must be a number or infinite'],
  ['image-url: 5\n', ['image-url'], 'image-url must be a URL'],
  [
    'ignition-hash: sha512-00\n',
    ['ignition-hash'],
    'ignition-hash must be sha256- or sha512- with the hexadecimal digits of a digest',
  ],
  ['console: [x]\n', ['console', 0], 'console must be a console such as ttyS0,115200n8'],
  ['{"stream": "x"', [], "did not find expected ',' or '}' while parsing a flow mapping"],
  ['stream: a\n---\nstream: b\n', [], 'there is more than one document'],
])('%j is refused', (text, path, cause) => {
  expect(refusal(text)).toMatchObject({ chain: ['parsing installer config c.yaml', cause], path });
});

test('a mistyped key is told the one that was meant', () => {
  expect(refusal('steam: a\n').help).toBe('Did you mean stream?');
});

test('bytes that are no text are refused', () => {
  expect(refusal(Uint8Array.of(0xff)).chain[0]).toBe('parsing installer config c.yaml');
});
