import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../src/parse/parse.ts';
import { formatReport } from '../../src/validate/format.ts';
import { validate } from '../../src/validate/validate.ts';

const inStorage = (members: string) => `{"ignition":{"version":"3.6.0"},"storage":{${members}}}`;

function storageOf(text: string) {
  const outcome = parseConfig(text);
  expect(outcome).toMatchObject({ ok: true });
  return outcome.ok ? outcome.value.storage : undefined;
}

describe('repeated members', () => {
  test.each([
    ['a scalar: the last wins', '"files":[{"path":"/a","path":"/b"}]', [{ path: '/b' }]],
    ['a scalar in another case: the last wins', '"files":[{"path":"/a","PATH":"/b"}]', [{ path: '/b' }]],
    ['null after a value that cannot be absent', '"files":[{"path":"/a","path":null}]', [{ path: '/a' }]],
    ['null after a value that can', '"files":[{"path":"/a","mode":1,"mode":null}]', [{ path: '/a' }]],
    [
      'an object on top of an object',
      '"files":[{"path":"/a","user":{"id":1},"user":{"name":"x"}}]',
      [{ path: '/a', user: { id: 1, name: 'x' } }],
    ],
    [
      'a list on top of a list, item by item',
      '"files":[{"path":"/a","mode":1}],"files":[{"path":"/b"}]',
      [{ path: '/b', mode: 1 }],
    ],
    [
      'a third list on top of the longest before it',
      '"files":[{"path":"/a"},{"path":"/b","mode":2}],"files":[{"path":"/c"}],"files":[{},{"path":"/d"}]',
      [{ path: '/c' }, { path: '/d', mode: 2 }],
    ],
    [
      'an empty list forgets what was before',
      '"files":[{"path":"/a","mode":1}],"files":[],"files":[{"path":"/b"}]',
      [{ path: '/b' }],
    ],
    ['a null list forgets too', '"files":[{"mode":1}],"files":null,"files":[{"path":"/b"}]', [{ path: '/b' }]],
  ])('%s', (_, members, files) => {
    expect(storageOf(inStorage(members))?.files).toEqual(files);
  });
});

describe('integers', () => {
  test.each([
    ['0', 0],
    ['-0', 0],
    ['420', 420],
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', 9007199254740993n],
    ['9223372036854775807', 9223372036854775807n],
    ['-9223372036854775808', -9223372036854775808n],
  ])('%s is read exactly', (text, value) => {
    expect(storageOf(inStorage(`"files":[{"path":"/a","mode":${text}}]`))?.files?.[0]?.mode).toBe(value);
  });

  test.each(['1.0', '1e3', '"0644"', 'true', '9223372036854775808', '-9223372036854775809', '[1]', '{}'])(
    '%s is refused at its place',
    (text) => {
      const outcome = validate(inStorage(`"files":[{"path":"/a","mode":${text}}]`));
      expect(outcome.ok).toBe(false);
      const [entry] = outcome.diagnostics;
      expect(entry?.path).toEqual(['storage', 'files', 0, 'mode']);
      expect(entry?.range?.start.column).toBe(73);
      expect(entry?.message).toMatch(/^mode must be a whole number of at most 64 bits/);
    },
  );
});

test.each([
  ['{"ignition":[]}', 'error at $.ignition, line 1 col 14: ignition must be an object, not a list\n'],
  ['[]', 'error at line 1 col 2: a config must be an object, not a list\n'],
  [inStorage('"files":{}'), 'error at $.storage.files, line 1 col 53: files must be a list, not an object\n'],
  [
    inStorage('"files":[1]'),
    'error at $.storage.files.0, line 1 col 53: this item must be an object, not this number\n',
  ],
  [
    inStorage('"files":[{"path":null,"overwrite":"x"}]'),
    'error at $.storage.files.0.overwrite, line 1 col 78: overwrite must be true or false, not a string\n',
  ],
  [
    '{"ignition":{"version":"3.6.0"},}',
    "error at line 1 col 33: not JSON: expected a member name in double quotes, found '}'\n",
  ],
  ['{"ignition":{"version":"3.6.0"}', 'error at line 1 col 32: not JSON: the text ends before the config does\n'],
  [
    '{"a":tru}',
    "error at line 1 col 9: not JSON: expected true, false, null or a string in double quotes, found '}'\n",
  ],
])('refuses %s with its own message', (text, expected) => {
  expect(formatReport(validate(text)).stdout).toBe(expected);
});

describe('positions', () => {
  test('count the original bytes, also if they are not UTF-8', () => {
    const encoder = new TextEncoder();
    const parts = ['{"ignition":{"version":"3.6.0"},"é":1,"', 0xff, 0xe2, 0x82, '":2,\r"z":3}'];
    const bytes = Uint8Array.from(
      parts.flatMap((part) => (typeof part === 'number' ? [part] : [...encoder.encode(part)])),
    );
    expect(formatReport(validate(bytes)).stdout.split('\n').slice(0, -1)).toEqual([
      'warning at $.é, line 1 col 33: unused key é',
      'warning at $.\ufffd\ufffd\ufffd, line 1 col 40: unused key \ufffd\ufffd\ufffd',
      'warning at $.z, line 1 col 49: unused key z',
    ]);
  });

  test('fall back to the deepest member with the exact spelling', () => {
    const text = inStorage('"files":[{"Path":"a"}]');
    expect(formatReport(validate(text)).stdout.split('\n')[0]).toBe(
      'error at $.storage.files.0.path, line 1 col 54: path not absolute',
    );
  });
});
