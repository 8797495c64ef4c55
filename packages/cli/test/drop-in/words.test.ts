import { parseYaml } from '@coreiso/diagnostics';
import { type CustomizeContext, type CustomizeOptions, customizeOrThrow } from '@coreiso/ignition/customize';
import { describe, expect, test } from 'vitest';
import { asUpstreamRefuses } from '../../src/drop-in/words/refusal.ts';
import { serdeYamlEncodingMessage, serdeYamlMessage } from '../../src/drop-in/words/serde-yaml.ts';

const features = { installerConfig: true, liveInitrdNetwork: true, installerConfigDirectives: { console: true } };

/** Returns the messages of a refusal, outermost first. */
async function refusal(
  option: 'liveIgnition' | 'installerConfig' | 'networkNmstate',
  text: string,
  more: Partial<CustomizeContext> = {},
): Promise<string[]> {
  const bytes = new TextEncoder().encode(text);
  const options: CustomizeOptions = { [option]: [{ name: 'in', read: () => bytes }] };
  try {
    await customizeOrThrow(options, { features, mode: 'compatible', newer: 'refuse', ...more });
  } catch (error) {
    const chain: string[] = [];
    for (let one = asUpstreamRefuses(error, bytes); one instanceof Error; one = one.cause) chain.push(one.message);
    return chain;
  }
  throw new Error('accepted');
}

// The messages of coreos-installer 0.27.0 for the same input.
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
])('refuses the installer config %j', async (text, cause) => {
  expect(await refusal('installerConfig', text)).toEqual(['parsing installer config in', cause]);
});

test.each([
  ['', 'empty string, expected a semver version'],
  ['3', 'unexpected end of input while parsing major version number'],
  ['3.3', 'unexpected end of input while parsing minor version number'],
  ['03.3.0', 'invalid leading zero in major version number'],
  ['3.3.99999999999999999999', 'value of patch version number exceeds u64::MAX'],
  ['3.3.0-', 'empty identifier segment in pre-release identifier'],
  ['3.3.0-01', 'invalid leading zero in pre-release identifier'],
  ['3.3.0+a..b', 'empty identifier segment in build metadata'],
  ['3x3.0', "unexpected character 'x' after major version number"],
  ["3.'.0", "unexpected character '\\'' while parsing minor version number"],
  ['3.3.0 ', "unexpected character ' ' after patch version number"],
])('refuses the version %j', async (version, reason) => {
  const text = JSON.stringify({ ignition: { version } });
  expect(await refusal('liveIgnition', text)).toEqual([
    'parsing Ignition config in',
    `couldn't parse config version: ${reason}`,
    reason,
  ]);
});

test.each([
  ['{"ignition":\n {"version":3}}', 'invalid type: integer `3`, expected a string at line 2 column 13'],
  ['{"ignition":[]}', 'invalid length 0, expected struct MinimalIgnition with 1 element at line 1 column 14'],
  [
    '{"ignition":{"version":"3.3.0"},"storage":{"files":[{"user":7}]}}',
    'invalid type: integer `7`, expected struct NodeUser at line 1 column 61',
  ],
  ['{"ignition":{"version":"3.3.0"},}', 'trailing comma at line 1 column 33'],
  ['', 'EOF while parsing a value at line 1 column 0'],
])('refuses the Ignition config %j', async (text, cause) => {
  expect(await refusal('liveIgnition', text)).toEqual([
    'parsing Ignition config in',
    `serialization error: ${cause}`,
    cause,
  ]);
});

test.each([
  ['nmstate/wrong-type', ['parsing nmstate', 'no']],
  ['nmstate/invalid-argument', ['generating configuration from nmstate', 'InvalidArgument: no']],
])('words the refusal of a network state with %s', async (code, chain) => {
  const diagnostics = [{ severity: 'error' as const, code, message: 'no', path: [] }];
  expect(await refusal('networkNmstate', '', { toKeyfiles: () => ({ ok: false, diagnostics }) })).toEqual(chain);
});

describe('serde_yaml', () => {
  test.each([
    [
      'interfaces:\n- name: "a\n',
      'found unexpected end of stream at line 3 column 1, while scanning a quoted scalar at line 2 column 9',
    ],
    ['@a: 1\n', 'found character that cannot start any token, while scanning for the next token'],
    ['a:\n- b\n   c: d\n', 'mapping values are not allowed in this context at line 3 column 5'],
    [
      'a: [b\n',
      "did not find expected ',' or ']' at line 2 column 1, while parsing a flow sequence at line 1 column 4",
    ],
    ['a: [b', "did not find expected ',' or ']' at line 2 column 1, while parsing a flow sequence at line 1 column 4"],
    ['a: 1\nb', "could not find expected ':' at line 3 column 1, while scanning a simple key at line 2 column 1"],
    ['a: *b', 'unknown anchor at line 1 column 4'],
    ['é: \u0007', 'control characters are not allowed at position 4'],
  ])('reports a syntax error in %j', (text, words) => {
    const outcome = parseYaml(text)[0];
    const finding = outcome.ok ? undefined : outcome.diagnostics[0];
    expect(serdeYamlMessage(finding!)).toBe(words);
  });

  // Recorded from coreos-installer 0.27.0, which reads network states with serde_yaml.
  test.each<[string, string | undefined]>([
    ['interfaces: [\xff]', 'invalid leading UTF-8 octet at position 13'],
    ['\xff\xfei\0', 'invalid leading UTF-8 octet'],
    ['interfaces: []\xf8', 'invalid leading UTF-8 octet at position 14'],
    ['interfaces: []\n---\n\xff\n', 'invalid leading UTF-8 octet at position 19'],
    ['interfaces:\n- name: e\xc3\n', 'invalid trailing UTF-8 octet at position 22'],
    ['interfaces:\n- name: "a\xe2\x82"\n', 'invalid trailing UTF-8 octet at position 24'],
    ['interfaces: []\n# \xe2\x82', 'incomplete UTF-8 octet sequence at position 17'],
    ['interfaces: []\n# \xf4\x90\x80\x80', 'invalid Unicode character at position 17'],
    ['interfaces:\n- name: a\xed\xa0\x80b\n', 'invalid Unicode character at position 21'],
    ['a: \xc0\x80', 'invalid length of a UTF-8 sequence at position 3'],
    ['interfaces: "\x1b\xff"', 'control characters are not allowed at position 13'],
    ['\xef\xbb\xbfa: \xc3\xa9\n', undefined],
    ['', undefined],
  ])('reads %j', (text, message) => {
    expect(serdeYamlEncodingMessage(Buffer.from(text, 'latin1'))).toBe(message);
  });
});
