import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileSource, writeCopy } from '@coreiso/iso/node';
import { sampleIso } from '@coreiso/iso/sample';
import { beforeEach, describe, expect, test } from 'vitest';
import { coreiso, scratchFolder } from '../support.ts';

let cwd = '';
const run = async (...argv: string[]) => {
  const { status, stdout, stderr } = await coreiso(argv, { cwd });
  return { status, stdout: stdout.toString(), stderr };
};

beforeEach(async () => {
  cwd = scratchFolder();
  await writeCopy(await sampleIso(), join(cwd, 'base.iso'));
  writeFileSync(join(cwd, 'a.ign'), '{"ignition":{"version":"3.4.0"},"passwd":{"users":[{"name":"secretive"}]}}');
  await run('iso', 'ignition', 'embed', '-i', 'a.ign', '-o', 'one.iso', 'base.iso');
  await run('iso', 'kargs', 'modify', '-a', 'console=ttyS0', '-o', 'worker.iso', 'one.iso');
});

describe('coreiso iso diff', () => {
  test('prints nothing for an image and itself', async () => {
    expect(await run('iso', 'diff', 'base.iso', 'base.iso')).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  test('finds the customizations by digest', async () => {
    const { status, stdout } = await run('iso', 'diff', '--json', 'base.iso', 'worker.iso');
    const difference = JSON.parse(stdout);
    const sha256 = createHash('sha256')
      .update(readFileSync(join(cwd, 'a.ign')))
      .digest('hex');
    expect(status).toBe(1);
    expect(difference).toMatchObject({
      equal: false,
      pristine: { before: true, after: false },
      areas: {},
      kargs: { added: ['console=ttyS0'], removed: [] },
      embedded: [{ path: 'config.ign', after: { sha256 } }],
    });
    // Only files with areas differ.
    expect(difference.files.length).toBeGreaterThan(1);
    expect(difference.files.every(({ area }: { area?: string }) => area !== undefined)).toBe(true);
    const text = await run('iso', 'diff', 'worker.iso', 'base.iso');
    expect(text.stdout).toContain('- kernel argument console=ttyS0\n- embedded config.ign  ');
    const lines = text.stdout.split('\n');
    const file = (path: string): string => lines.find((line) => line.startsWith(`~ /${path}  `)) ?? '';
    const change = /\d+ bytes sha256 \w{16} -> \d+ bytes sha256 \w{16}/.source;
    expect(lines[0]).toBe('~ as it was built: false -> true');
    expect(file('images/ignition.img')).toMatch(new RegExp(`  ${change} \\(has the initrd area\\)$`));
    expect(file('isolinux/isolinux.cfg')).toMatch(new RegExp(`  ${change} \\(has an area for kernel arguments\\)$`));
    expect(text.stdout).not.toContain('secretive');
  });

  test('finds a changed byte in a file', async () => {
    const before = await run('iso', 'ls', '--json', 'base.iso', '/images/pxeboot/rootfs.img');
    const [{ offset }] = JSON.parse(before.stdout);
    change('base.iso', offset + 7, 'changed.iso');
    const { files } = JSON.parse((await run('iso', 'diff', '--json', 'base.iso', 'changed.iso')).stdout);
    expect(files).toMatchObject([{ path: 'images/pxeboot/rootfs.img', before: {}, after: {} }]);
    expect(files[0].area).toBeUndefined();
  });

  test.each([
    ['boot code', 100],
    ['the system area', 20_000],
    ['a descriptor', 32_900],
    ['the last byte', 1_048_575],
  ])('finds a changed byte in %s', async (_, offset) => {
    change('base.iso', offset, 'changed.iso');
    const { status, stdout } = await run('iso', 'diff', 'base.iso', 'changed.iso');
    expect([status, stdout]).toEqual([1, expect.stringMatching(/^~ outside of files: \d+ bytes sha256 \w+ -> .*\n$/)]);
  });

  test('finds no change outside of files after an edit', async () => {
    const { stdout } = await run('iso', 'diff', '--json', 'base.iso', 'worker.iso');
    expect(JSON.parse(stdout).outside).toBeUndefined();
  });
});

/** Copies a file and changes one byte. */
function change(from: string, offset: number, to: string): void {
  const bytes = readFileSync(join(cwd, from));
  bytes[offset] = (bytes[offset] ?? 0) ^ 1;
  writeFileSync(join(cwd, to), bytes);
}

describe('coreiso iso verify', () => {
  test.each(['base.iso', 'worker.iso'])('finds nothing wrong with %s', async (image) => {
    const { status, stdout } = await run('iso', 'verify', '--json', image);
    expect([status, JSON.parse(stdout).ok]).toEqual([0, true]);
    expect(JSON.parse(stdout).checks.map(({ name }: { name: string }) => name)).toEqual([
      ...['volume', 'files', 'areas', 'partitions', 'boot', 'minimal'],
    ]);
  });

  test('identifies an image by its base, despite customizations', async () => {
    const sha256 = createHash('sha256')
      .update(readFileSync(join(cwd, 'base.iso')))
      .digest('hex');
    const good = await run('iso', 'verify', '--sha256', sha256, 'worker.iso');
    expect([good.status, good.stdout]).toEqual([0, expect.stringContaining(`ok     base: without its customisations`)]);
    const [{ offset }] = JSON.parse(
      (await run('iso', 'ls', '--json', 'worker.iso', '/images/pxeboot/rootfs.img')).stdout,
    );
    change('worker.iso', offset + 7, 'evil.iso');
    const bad = await run('iso', 'verify', '--sha256', sha256, 'evil.iso');
    expect([bad.status, bad.stdout]).toEqual([1, expect.stringMatching(/^FAILED base: .* but should have/m)]);
  });

  test('accepts a file as the base, and refuses a stream without a name', async () => {
    const good = await run('iso', 'verify', '--base', 'base.iso', 'worker.iso');
    expect([good.status, good.stdout]).toEqual([0, expect.stringContaining('ok     base: ')]);
    const bad = await run('iso', 'verify', '--base', 'worker.iso', 'base.iso');
    expect([bad.status, bad.stdout]).toEqual([1, expect.stringMatching(/^FAILED base: /m)]);
    expect(await run('iso', 'verify', '--base', 'stream:', 'worker.iso')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('expected a name or a file after stream:, such as stream:stable'),
    });
    expect(await run('iso', 'verify', '--base', 'nope.iso', 'worker.iso')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('nope.iso'),
    });
  });

  test('finds a damaged archive, a changed boot file and a missing end', async () => {
    const inspection = JSON.parse((await run('iso', 'inspect', '--json', 'worker.iso')).stdout);
    change('worker.iso', inspection.initrd.offset + inspection.initrd.used - 6, 'damaged.iso');
    expect((await run('iso', 'verify', 'damaged.iso')).stdout).toMatch(/^FAILED areas: /m);
    const [{ offset }] = JSON.parse((await run('iso', 'ls', '--json', 'worker.iso', '/images/pxeboot/vmlinuz')).stdout);
    change('worker.iso', offset, 'kernel.iso');
    expect((await run('iso', 'verify', 'kernel.iso')).stdout).toMatch(/^FAILED minimal: wrong final digest/m);
    await using file = await fileSource(join(cwd, 'worker.iso'));
    writeFileSync(join(cwd, 'cut.iso'), await file.read(0, file.size - 600_000));
    const cut = await run('iso', 'verify', 'cut.iso');
    expect([cut.status, cut.stdout]).toEqual([
      1,
      expect.stringMatching(/^FAILED volume: .*and \d+ of them are missing/m),
    ]);
  });
});
