import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { coreiso, scratchFolder } from '../support.ts';

test('sample-iso --list names the samples that sample-iso makes', async () => {
  const cwd = scratchFolder();
  const kinds = (await coreiso(['sample-iso', '--list'])).stdout.toString().trimEnd().split('\n');
  expect(kinds).toContainEqual(expect.stringMatching(/^2023-07\.s390x +initrd area in cdboot\.img/));
  const listed = JSON.parse((await coreiso(['sample-iso', '--list', '--json'])).stdout.toString());
  expect(listed.map(({ name }: { name: string }) => name)).toEqual(kinds.map((line) => line.split(' ')[0]));
  const made = await coreiso(['sample-iso', '--kind', '2023-07.s390x', 's390x.iso'], { cwd });
  expect(made).toMatchObject({ status: 0, stderr: '' });
  expect((await coreiso(['iso', 'inspect', 's390x.iso'], { cwd })).stdout.toString()).toContain('(s390x)');
});

test('sample-iso makes an image of the requested size, and never overwrites a file', async () => {
  const cwd = scratchFolder();
  await coreiso(['sample-iso', 'large.iso', '--size', '20000000'], { cwd });
  expect(statSync(join(cwd, 'large.iso')).size).toBeGreaterThanOrEqual(20_000_000);
  expect(await coreiso(['sample-iso', 'large.iso'], { cwd })).toMatchObject({ status: 1 });
});

test.each([
  [['sample-iso'], 'error: the following required arguments were not provided:\n  <OUT>'],
  [['sample-iso', '--kind', '1999', 'x'], "error: invalid value '1999' for '--kind <KIND>'"],
  [['sample-iso', '--size', '-1', 'x'], "error: unexpected argument '-1' found"],
  [
    ['sample-iso', '--size', '1e3', 'x'],
    "error: invalid value '1e3' for '--size <SIZE>': expected a size, such as 3000000, 64M or 1G",
  ],
])('%j is refused', async (argv, reason) => {
  const { status, stderr } = await coreiso(argv, { cwd: scratchFolder() });
  expect(status).toBe(2);
  expect(stderr).toContain(reason);
});

test('iso inspect prints the same facts as text and as JSON', async () => {
  const cwd = scratchFolder();
  await coreiso(['sample-iso', 'in.iso'], { cwd });
  await coreiso(['iso', 'ignition', 'embed', 'in.iso'], { cwd, input: '{}' });
  const page = (await coreiso(['iso', 'inspect', 'in.iso'], { cwd })).stdout.toString();
  const data = JSON.parse((await coreiso(['iso', 'inspect', '--json', 'in.iso'], { cwd })).stdout.toString());
  expect(data).toMatchObject({
    pristine: false,
    architecture: 'x86_64',
    initrd: { members: [{ path: 'config.ign' }] },
  });
  expect(page).toContain('customised');
  expect(page).toContain(`${data.initrd.used} used`);
  expect(page).toContain(data.kargs.current);
});

test('iso inspect describes a truncated image', async () => {
  const cwd = scratchFolder();
  const { stdout } = await coreiso(['sample-iso', '-'], { cwd });
  const cut = join(cwd, 'cut.iso');
  writeFileSync(cut, stdout.subarray(0, 400_000));
  expect((await coreiso(['iso', 'inspect', 'cut.iso'], { cwd })).stdout.toString()).toContain('truncated');
});
