import { expect, test } from 'vitest';
import { describeWith, output, run } from '../test/support/tools.ts';
import { HIDDEN_OPTIONS, INSTALLER_OPTIONS, readInstallArguments } from './support/installer-options.ts';

describeWith(['coreos-installer'], 'the options of the stand-in', () => {
  test('are those of coreos-installer install', () => {
    const help = output('coreos-installer', ['install', '--help']).toString();
    const listed = [...help.matchAll(/^ +(?:-\w, )?(--[\w-]+)( <\w+>)?$/gm)];
    expect(Object.fromEntries(listed.map(([, name, value]) => [name, value === undefined ? 'flag' : 'value']))).toEqual(
      INSTALLER_OPTIONS,
    );
  });

  test('include the hidden ones', () => {
    for (const [name, kind] of Object.entries(HIDDEN_OPTIONS)) {
      const { stderr } = run('coreos-installer', ['install', name, ...(kind === 'value' ? ['x'] : [])]);
      expect(stderr).toContain('required arguments were not provided:\n  <DEST_DEVICE>');
    }
  });
});

test.each([
  ['install', '--on-line', '/dev/vda'],
  ['install', '--offline=yes', '/dev/vda'],
  ['install', '/dev/vda', '/dev/vdb'],
  ['install', '--offline'],
  ['install', '/dev/vda', '--append-karg'],
  ['download', '/dev/vda'],
])('refuses %s %s %s as an installation', (...argv) => {
  expect(() => readInstallArguments(argv)).toThrow();
});
