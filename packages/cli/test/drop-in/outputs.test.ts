import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeCopy } from '@coreiso/iso/node';
import { sampleIso } from '@coreiso/iso/sample';
import { describe, expect, test } from 'vitest';
import { hasPeer } from '../../../../test/support/peer.ts';
import { describeWith, run } from '../../../../test/support/tools.ts';
import { coreiso, scratchFolder } from '../support.ts';

const EMBED = ['iso', 'ignition', 'embed', '-i', 'c.ign', 'in.iso'];

async function folderWithImage(): Promise<string> {
  const folder = scratchFolder();
  await writeCopy(await sampleIso(), join(folder, 'in.iso'));
  writeFileSync(join(folder, 'c.ign'), '{"ignition":{"version":"3.4.0"}}');
  return folder;
}

const hashOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');

describe('an edited image', () => {
  test('is the same in place, in a new file and on standard output, and leaves no other file', async () => {
    const cwd = await folderWithImage();
    const printed = await coreiso([...EMBED, '-o', '-'], { cwd });
    await coreiso([...EMBED, '-o', 'out.iso'], { cwd });
    await coreiso(EMBED, { cwd });
    const hash = createHash('sha256').update(printed.stdout).digest('hex');
    expect([hashOf(join(cwd, 'out.iso')), hashOf(join(cwd, 'in.iso'))]).toEqual([hash, hash]);
    expect(readdirSync(cwd).sort()).toEqual(['c.ign', 'in.iso', 'out.iso']);
    expect(statSync(join(cwd, 'out.iso')).mode & 0o777).toBe(0o600);
  });

  test('is not written if the work is interrupted', async () => {
    const cwd = await folderWithImage();
    const before = hashOf(join(cwd, 'in.iso'));
    for (const argv of [EMBED, [...EMBED, '-o', 'out.iso'], [...EMBED, '-o', '-']]) {
      const { status, stdout, stderr } = await coreiso(argv, { cwd, signal: AbortSignal.abort() });
      expect({ status, printed: stdout.length, stderr }).toEqual({
        status: 130,
        printed: 0,
        stderr: 'interrupted: nothing was left half-done\n',
      });
    }
    expect(hashOf(join(cwd, 'in.iso'))).toBe(before);
    expect(readdirSync(cwd).sort()).toEqual(['c.ign', 'in.iso']);
  });

  test.skipIf(process.getuid?.() === 0)('is written without a journal if its directory is read-only', async () => {
    const cwd = await folderWithImage();
    mkdirSync(join(cwd, 'sealed'));
    renameSync(join(cwd, 'in.iso'), join(cwd, 'sealed/in.iso'));
    chmodSync(join(cwd, 'sealed'), 0o500);
    const argv = ['iso', 'ignition', 'embed', '-i', 'c.ign', 'sealed/in.iso'];
    expect(await coreiso(argv, { cwd })).toMatchObject({ status: 0, stderr: '' });
    chmodSync(join(cwd, 'sealed'), 0o700);
    const shown = await coreiso(['iso', 'ignition', 'show', 'sealed/in.iso'], { cwd });
    expect(shown.stdout.toString()).toBe('{"ignition":{"version":"3.4.0"}}');
  });

  test.each([
    [[...EMBED, '-o', '-']],
    [['pxe', 'ignition', 'wrap', '-i', 'c.ign']],
    [['iso', 'extract', 'minimal-iso', 'in.iso']],
  ])('is not written to a terminal: %j', async (argv) => {
    const { status, stdout, stderr } = await coreiso(argv, { cwd: await folderWithImage(), terminal: true });
    expect({ status, printed: stdout.length }).toEqual({ status: 1, printed: 0 });
    expect(stderr).toContain('Error: Refusing to write binary data to terminal\n');
  });

  test('shows its progress to a person', async () => {
    const cwd = await folderWithImage();
    const { status, stderr } = await coreiso([...EMBED, '-o', 'out.iso'], { cwd, terminal: true });
    expect(status).toBe(0);
    expect(stderr).toContain('Writing out.iso');
  });
});

describe('compression', () => {
  const magic = async (options: Parameters<typeof coreiso>[1]): Promise<string> => {
    const cwd = await folderWithImage();
    const { stdout, stderr } = await coreiso(['pxe', 'ignition', 'wrap', '-i', 'c.ign'], { cwd, ...options });
    return stdout.length === 0 ? stderr : stdout.subarray(0, 2).toString('hex');
  };

  test('is gzip by default', async () => {
    expect(await magic({})).toBe('1f8b');
    expect(await magic({ env: { COREISO_COMPRESSION: 'gzip' }, invokedAs: 'coreos-installer' })).toBe('1f8b');
  });

  test.skipIf(!hasPeer)('is xz under the name of coreos-installer, or on request', async () => {
    expect(await magic({ invokedAs: 'coreos-installer' })).toBe('fd37');
    expect(await magic({ env: { COREISO_COMPRESSION: 'xz' } })).toBe('fd37');
  });

  test.skipIf(hasPeer)('names the missing package for xz', async () => {
    expect(await magic({ env: { COREISO_COMPRESSION: 'xz' } })).toContain('npm install node-liblzma@');
  });

  test('refuses other kinds', async () => {
    expect(await magic({ env: { COREISO_COMPRESSION: 'lzma' } })).toContain('it can be "gzip" or "xz"');
  });
});

describe('--version', () => {
  test.each([
    ['coreiso', /^coreiso \d+\.\d+\.\d+\n$/],
    ['coreos-installer', /^coreos-installer 0\.27\.0 \(coreiso \d+\.\d+\.\d+\)\n$/],
  ])('under the name of %s', async (invokedAs, expected) => {
    for (const flag of ['--version', '-V']) {
      expect((await coreiso([flag], { invokedAs })).stdout.toString()).toMatch(expected);
    }
  });
});

describeWith(['coreos-installer'], 'the real coreos-installer', () => {
  test("reads coreiso's gzip archives, and coreiso reads its xz archives", async () => {
    const cwd = await folderWithImage();
    await coreiso(EMBED, { cwd });
    expect(run('coreos-installer', ['iso', 'ignition', 'show', 'in.iso'], { cwd }).stdout.toString()).toBe(
      '{"ignition":{"version":"3.4.0"}}',
    );
    run('coreos-installer', ['iso', 'ignition', 'embed', '-f', 'in.iso'], { cwd, input: Buffer.from('theirs') });
    const shown = await coreiso(['iso', 'ignition', 'show', 'in.iso'], { cwd });
    expect(shown.stdout.toString()).toBe('theirs');
  });

  test('refuses a network state that is not UTF-8 with the same words', async () => {
    const cwd = await folderWithImage();
    const states = ['interfaces: [\xff]', 'interfaces:\n- name: e\xc3\n', '\xff\xfei\0', '# \x1b\n\xff', 'a: \xc0\x80'];
    for (const state of states) {
      writeFileSync(join(cwd, 'state.yaml'), state, 'latin1');
      const argv = ['iso', 'customize', '--network-nmstate', 'state.yaml', '-o', 'out.iso', 'in.iso'];
      const real = run('coreos-installer', argv, { cwd, env: { RUST_BACKTRACE: '0' } });
      expect(await coreiso(argv, { cwd })).toMatchObject({ status: real.status, stderr: real.stderr });
    }
  });
});
