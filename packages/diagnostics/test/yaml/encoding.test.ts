import { expect, test } from 'vitest';
import { serdeYamlEncodingMessage } from '../../src/index.ts';

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
])('serde_yaml reads %j', (text, message) => {
  expect(serdeYamlEncodingMessage(Buffer.from(text, 'latin1'))).toBe(message);
});
