import { expect, test } from 'vitest';
import { consoleHint, normalizeConsole } from '../../src/customize/console.ts';

test.each([
  ['tty0', 'tty0'],
  ['hvc0', 'hvc0'],
  ['ttysclp0', 'ttysclp0'],
  ['ttyS1', 'ttyS1,9600n8'],
  ['ttyAMA1', 'ttyAMA1,9600n8'],
  ['ttyS1,1234567e5', 'ttyS1,1234567e5'],
  ['ttyS2,5o', 'ttyS2,5o8'],
  ['ttyS3,17', 'ttyS3,17n8'],
  ['ttyS007,00115200', 'ttyS7,115200n8'],
  ['ttyS255,4294967295', 'ttyS255,4294967295n8'],
])('reads %s as the console %s', (spec, console) => {
  expect(normalizeConsole(spec)).toEqual({ console });
});

test.each([
  ['console=tty0', 'spec should not start with "console="'],
  ['/dev/ttyS0', 'spec should not start with "/dev/"'],
  ['ttyS256', "couldn't parse port"],
  ['ttyS99999999999999999999', "couldn't parse port"],
  ['ttyS0,4294967296', "couldn't parse speed"],
  ...[
    '',
    'tty1',
    'hvc1',
    'ttyB0',
    'zttyS0',
    'ttyS0z',
    'ttyS0,',
    'ttyS0,z',
    'ttyS0,9600p8',
    'ttyS0,9600n4',
    'ttyS0,9600n8r',
    'ttyS0\n',
  ].map((spec) => [spec, 'invalid or unsupported console argument']),
])('refuses %j', (spec = '', reason) => {
  expect(normalizeConsole(spec)).toEqual({ reason });
});

test.each([
  ['no console among the arguments', ['quiet']],
  ['no arguments', []],
  ['one console that is none', ['console=tty0', 'console=nope']],
])('gives no hint for %s', (_, kargs) => {
  expect(consoleHint(kargs)).toBeUndefined();
});

test('hints at the consoles as they were given, without line breaks in command lines', () => {
  expect(consoleHint(['quiet', 'console=ttyS0', 'a=b', 'console=tty0', 'console=ttyS1,115200n8'])).toBe(`
Note: consider using
"--dest-console ttyS0 --dest-console tty0 --dest-console ttyS1,115200n8" instead
of
"--dest-karg-append console=ttyS0 --dest-karg-append console=tty0 --dest-karg-append console=ttyS1,115200n8"
to configure both kernel and bootloader consoles.
`);
});
