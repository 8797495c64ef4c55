import { validate } from '@coreiso/ignition';
import { expect, test } from 'vitest';

const around = (file: string): string => `{"ignition":{"version":"3.4.0"},"storage":{"files":[${file}]}}`;

test.each([
  ['an octal number', around('{"path":"/a","mode":0644}'), 'Write 420, which is 0644 in decimal'],
  ['an octal number of Python', around('{"path":"/a","mode":0o755}'), 'Write 493, which is 0755 in decimal'],
  ['an octal mode in quotes', around('{"path":"/a","mode":"0600"}'), 'Write 384, which is 0600 in decimal'],
  ['a comment', around('// motd\n{"path":"/a"}'), 'Remove the comment'],
  ['a comma before a bracket', around('{"path":"/a"},'), 'Remove the comma'],
  ['Butane', 'variant: fcos\nversion: 1.5.0\n', 'This is Butane'],
  ['Butane behind a comment', '# mine\n\nversion: 1.5.0\nvariant: openshift\n', 'This is Butane'],
  ['text for contents', around('{"path":"/a","contents":"hello"}'), 'data:,TEXT'],
  ['a number in quotes', around('{"path":"/a","user":{"id":"500"}}'), 'without quotes'],
  ['true in quotes', around('{"path":"/a","overwrite":"true"}'), 'true or false without quotes'],
  ['a value for a list', '{"ignition":{"version":"3.4.0"},"kernelArguments":{"shouldExist":"a"}}', 'square brackets'],
  ['content', around('{"path":"/a","content":{"source":"data:,a"}}'), 'Did you mean `contents`?'],
  ['a relative path', around('{"path":"etc/a"}'), 'slash'],
  ['a scheme that is none', around('{"path":"/a","contents":{"source":"ftp://a/b"}}'), 'data:,TEXT'],
])('has help for %s', (_, config, help) => {
  expect(
    validate(config)
      .diagnostics.map((one) => one.help ?? '')
      .join('\n'),
  ).toContain(help);
});

test('reports all values of the wrong type at once', () => {
  const config = around('{"path":1,"mode":"0644","overwrite":"yes","contents":[]}');
  expect(validate(config).diagnostics.map(({ path }) => path.at(-1))).toEqual([
    'path',
    'mode',
    'overwrite',
    'contents',
  ]);
});
