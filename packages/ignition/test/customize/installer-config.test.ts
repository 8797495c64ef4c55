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

test('keeps the type of values, and takes null as absent', () => {
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
])('accepts %j', (text) => {
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
  ['steam: a\n', [], 'unknown setting steam'],
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
])('refuses %j', (text, path, cause) => {
  expect(refusal(text)).toMatchObject({ chain: ['parsing installer config c.yaml', cause], path });
});

test('suggests the key that was meant', () => {
  expect(refusal('steam: a\n').help).toBe('Did you mean stream?');
});

test('refuses bytes that are not text', () => {
  expect(refusal(Uint8Array.of(0xff)).chain[0]).toBe('parsing installer config c.yaml');
});

test.each<[text: string, values: [string, unknown][]]>([
  ['stream: ~\n', []],
  ['stream: x\n', [['stream', 'x']]],
  ['stream: true\n', [['stream', 'true']]],
  ['image-url: ~\n', []],
  ['image-file: ~\n', []],
  ['image-file: x\n', [['image-file', 'x']]],
  ['image-file: true\n', [['image-file', 'true']]],
  ['ignition-file: ~\n', []],
  ['ignition-file: x\n', [['ignition-file', 'x']]],
  ['ignition-file: true\n', [['ignition-file', 'true']]],
  ['ignition-url: ~\n', []],
  ['ignition-hash: ~\n', []],
  ['architecture: ~\n', [['architecture', '~']]],
  ['architecture: x\n', [['architecture', 'x']]],
  ['architecture: true\n', [['architecture', 'true']]],
  ['platform: ~\n', []],
  ['platform: x\n', [['platform', 'x']]],
  ['platform: true\n', [['platform', 'true']]],
  ['console: [ttyS0]\n', [['console', ['ttyS0']]]],
  ['append-karg: [ttyS0]\n', [['append-karg', ['ttyS0']]]],
  ['delete-karg: [ttyS0]\n', [['delete-karg', ['ttyS0']]]],
  ['copy-network: true\n', [['copy-network', true]]],
  ['network-dir: ~\n', [['network-dir', '~']]],
  ['network-dir: x\n', [['network-dir', 'x']]],
  ['network-dir: true\n', [['network-dir', 'true']]],
  ['save-partlabel: [ttyS0]\n', [['save-partlabel', ['ttyS0']]]],
  ['save-partindex: [ttyS0]\n', [['save-partindex', ['ttyS0']]]],
  ['offline: true\n', [['offline', true]]],
  ['insecure: true\n', [['insecure', true]]],
  ['insecure-ignition: true\n', [['insecure-ignition', true]]],
  ['stream-base-url: ~\n', []],
  ['preserve-on-error: true\n', [['preserve-on-error', true]]],
  ['secure-ipl: true\n', [['secure-ipl', true]]],
  ['dest-device: ~\n', []],
  ['dest-device: x\n', [['dest-device', 'x']]],
  ['dest-device: true\n', [['dest-device', 'true']]],
  ['fetch-retries: infinite\n', [['fetch-retries', 'infinite']]],
  ['fetch-retries: 4294967295\n', [['fetch-retries', '4294967295']]],
  ['fetch-retries: +5\n', [['fetch-retries', '+5']]],
  [
    'ignition-hash: sha256-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n',
    [['ignition-hash', 'sha256-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa']],
  ],
  [
    'ignition-hash: sha512-FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF\n',
    [
      [
        'ignition-hash',
        'sha512-FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF',
      ],
    ],
  ],
  ['ignition-url: http://x/\n', [['ignition-url', 'http://x/']]],
  ['image-url: x:y\n', [['image-url', 'x:y']]],
  ['console: ["ttyS0,115200n8", "tty0"]\n', [['console', ['ttyS0,115200n8', 'tty0']]]],
  ['platform: "~"\n', [['platform', '~']]],
  ["platform: 'null'\n", [['platform', 'null']]],
  ['stream: 9223372036854775808\n', [['stream', '9223372036854775808']]],
  ['save-partindex: [1, 2-3]\n', [['save-partindex', ['1', '2-3']]]],
])('reads %j', (text, values) => {
  expect([...read(text)]).toEqual(values);
});

test.each<[text: string, cause: string]>([
  ['stream: [ttyS0]\n', 'expected a string, not a list'],
  ['image-url: x\n', 'image-url must be a URL'],
  ['image-url: [ttyS0]\n', 'expected a string, not a list'],
  ['image-url: true\n', 'image-url must be a URL'],
  ['image-file: [ttyS0]\n', 'expected a string, not a list'],
  ['ignition-file: [ttyS0]\n', 'expected a string, not a list'],
  ['ignition-url: x\n', 'ignition-url must be a URL'],
  ['ignition-url: [ttyS0]\n', 'expected a string, not a list'],
  ['ignition-url: true\n', 'ignition-url must be a URL'],
  ['ignition-hash: x\n', 'ignition-hash must be sha256- or sha512- with the hexadecimal digits of a digest'],
  ['ignition-hash: [ttyS0]\n', 'expected a string, not a list'],
  ['ignition-hash: true\n', 'ignition-hash must be sha256- or sha512- with the hexadecimal digits of a digest'],
  ['architecture: [ttyS0]\n', 'expected a string, not a list'],
  ['platform: [ttyS0]\n', 'expected a string, not a list'],
  ['console: ~\n', 'expected a list, not null'],
  ['console: x\n', 'expected a list, not a string'],
  ['console: true\n', 'expected a list, not true or false'],
  ['append-karg: ~\n', 'expected a list, not null'],
  ['append-karg: x\n', 'expected a list, not a string'],
  ['append-karg: true\n', 'expected a list, not true or false'],
  ['delete-karg: ~\n', 'expected a list, not null'],
  ['delete-karg: x\n', 'expected a list, not a string'],
  ['delete-karg: true\n', 'expected a list, not true or false'],
  ['copy-network: ~\n', 'expected true or false, not null'],
  ['copy-network: x\n', 'expected true or false, not a string'],
  ['copy-network: [ttyS0]\n', 'expected true or false, not a list'],
  ['network-dir: [ttyS0]\n', 'expected a string, not a list'],
  ['save-partlabel: ~\n', 'expected a list, not null'],
  ['save-partlabel: x\n', 'expected a list, not a string'],
  ['save-partlabel: true\n', 'expected a list, not true or false'],
  ['save-partindex: ~\n', 'expected a list, not null'],
  ['save-partindex: x\n', 'expected a list, not a string'],
  ['save-partindex: true\n', 'expected a list, not true or false'],
  ['offline: ~\n', 'expected true or false, not null'],
  ['offline: x\n', 'expected true or false, not a string'],
  ['offline: [ttyS0]\n', 'expected true or false, not a list'],
  ['insecure: ~\n', 'expected true or false, not null'],
  ['insecure: x\n', 'expected true or false, not a string'],
  ['insecure: [ttyS0]\n', 'expected true or false, not a list'],
  ['insecure-ignition: ~\n', 'expected true or false, not null'],
  ['insecure-ignition: x\n', 'expected true or false, not a string'],
  ['insecure-ignition: [ttyS0]\n', 'expected true or false, not a list'],
  ['stream-base-url: x\n', 'stream-base-url must be a URL'],
  ['stream-base-url: [ttyS0]\n', 'expected a string, not a list'],
  ['stream-base-url: true\n', 'stream-base-url must be a URL'],
  ['preserve-on-error: ~\n', 'expected true or false, not null'],
  ['preserve-on-error: x\n', 'expected true or false, not a string'],
  ['preserve-on-error: [ttyS0]\n', 'expected true or false, not a list'],
  ['fetch-retries: ~\n', 'fetch-retries must be a number or infinite'],
  ['fetch-retries: x\n', 'fetch-retries must be a number or infinite'],
  ['fetch-retries: [ttyS0]\n', 'expected a string, not a list'],
  ['fetch-retries: true\n', 'fetch-retries must be a number or infinite'],
  ['secure-ipl: ~\n', 'expected true or false, not null'],
  ['secure-ipl: x\n', 'expected true or false, not a string'],
  ['secure-ipl: [ttyS0]\n', 'expected true or false, not a list'],
  ['dest-device: [ttyS0]\n', 'expected a string, not a list'],
  ['fetch-retries: -5\n', 'fetch-retries must be a number or infinite'],
  ['fetch-retries: 5.5\n', 'fetch-retries must be a number or infinite'],
  [
    'ignition-hash: sha256-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n',
    'ignition-hash must be sha256- or sha512- with the hexadecimal digits of a digest',
  ],
  [
    'ignition-hash: md5-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n',
    'ignition-hash must be sha256- or sha512- with the hexadecimal digits of a digest',
  ],
  ['stream-base-url: /x\n', 'stream-base-url must be a URL'],
  ['console: [ttyS0,115200n8]\n', 'console must be a console such as ttyS0,115200n8'],
  ['stream: {a: 1}\n', 'expected a string, not an object'],
  ['copy-network: "true"\n', 'expected true or false, not a string'],
  ['copy-network: {}\n', 'expected true or false, not an object'],
])('refuses %j', (text, cause) => {
  expect(refusal(text).chain[1]).toBe(cause);
});
