import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { contents } from '../recorded/inputs.ts';
import type { Served } from '../recorded/recording.ts';
import { withServer } from '../recorded/server.ts';
import { KEYS, SIGNATURES } from '../recorded/signed.ts';
import { type CliResult, coreiso, openFiles, scratchFolder } from '../support.ts';

const noise = (seed: string, bytes: number): Served => ({ file: { stream: { seed, bytes } } });
const sig = (name: keyof typeof SIGNATURES): Served => ({ file: { base64: SIGNATURES[name] } });
const PACKED = gzipSync('a disk '.repeat(1000));

const FILES: Readonly<Record<string, Served>> = {
  '/live.iso': noise('disk', 1_150_000),
  '/live.iso.sig': sig('disk'),
  '/kernel': noise('kernel', 1_048_576),
  '/kernel.sig': sig('kernel'),
  '/initramfs.img': noise('initramfs', 1_048_586),
  '/initramfs.img.sig': sig('initramfs'),
  '/rootfs.img': noise('rootfs', 1_548_576),
  '/rootfs.img.sig': sig('rootfs'),
  '/disk.qcow2.gz': { file: { base64: PACKED.toString('base64') } },
};

const digests = new Map<string, string>();
async function digestOf(path: string): Promise<string> {
  const known =
    digests.get(path) ??
    createHash('sha256')
      .update(await contents(FILES[path]?.file ?? {}))
      .digest('hex');
  digests.set(path, known);
  return known;
}

async function stream(): Promise<Served> {
  const file = async (path: string, signed = true): Promise<object> => ({
    location: `$SERVER${path}`,
    sha256: await digestOf(path),
    ...(signed ? { signature: `$SERVER${path}.sig` } : {}),
  });
  const metal = {
    iso: { disk: await file('/live.iso') },
    pxe: { kernel: await file('/kernel'), initramfs: await file('/initramfs.img'), rootfs: await file('/rootfs.img') },
  };
  const qemu = { 'qcow2.gz': { disk: await file('/disk.qcow2.gz', false) } };
  const artifacts = { metal: { release: '1', formats: metal }, qemu: { release: '1', formats: qemu } };
  return { file: { text: JSON.stringify({ stream: 'stable', architectures: { x86_64: { artifacts } } }) } };
}

let cwd = '';
beforeEach(() => {
  cwd = scratchFolder();
  writeFileSync(join(cwd, 'keys.asc'), KEYS, { mode: 0o644 });
});

/** Runs `base fetch` against a server on which some files are changed or missing. */
async function fetchBase(argv: readonly string[], others: Readonly<Record<string, Served>> = {}): Promise<CliResult> {
  const served = { '/stable.json': await stream(), ...FILES, ...others };
  return await withServer(served, async (address) => {
    const env = { COREISO_SIGNING_KEYS: join(cwd, 'keys.asc'), COREISO_STREAM_BASE_URL: address, HOME: cwd };
    const named = argv.map((argument) => argument.replace('$SERVER', address));
    return coreiso(['base', 'fetch', '--cache-dir', join(cwd, 'cache'), ...named], { cwd, env });
  });
}

const kept = (): string[] =>
  (existsSync(join(cwd, 'cache')) ? readdirSync(join(cwd, 'cache')) : []).filter((name) => name.endsWith('.iso'));

describe('coreiso base fetch', () => {
  test('checks the signature that the stream names', async () => {
    const { status, stdout, stderr } = await fetchBase(['stream:stable']);
    expect([status, stderr]).toEqual([0, 'Signed by Sample (release) <release@example.test>\n']);
    expect(stdout.toString()).toBe(`${join(cwd, 'cache', await digestOf('/live.iso'))}.iso\n`);
  });

  test('copies all files of a format into a directory, under their names', async () => {
    const { status, stdout } = await fetchBase(['--format', 'pxe', '-C', '.', 'stream:stable']);
    expect([status, stdout.toString()]).toEqual([0, 'kernel\ninitramfs.img\nrootfs.img\n']);
    for (const name of ['kernel', 'initramfs.img', 'rootfs.img'])
      expect(
        createHash('sha256')
          .update(readFileSync(join(cwd, name)))
          .digest('hex'),
      ).toBe(await digestOf(`/${name}`));
    const again = await fetchBase(['--format', 'pxe', '-C', '.', '--json', '--force', 'stream:stable']);
    expect(JSON.parse(again.stdout.toString())).toMatchObject([{ path: 'kernel' }, {}, { path: 'rootfs.img' }]);
  });

  test('decompresses a copy', async () => {
    const argv = ['--platform', 'qemu', '--format', 'qcow2.gz', '-d', '-C', '.', 'stream:stable'];
    expect((await fetchBase(argv)).stdout.toString()).toBe('disk.qcow2\n');
    expect(readFileSync(join(cwd, 'disk.qcow2'), 'utf8')).toBe('a disk '.repeat(1000));
    const again = await fetchBase(argv);
    expect([again.status, again.stderr]).toEqual([1, expect.stringContaining('cannot write disk.qcow2')]);
    expect(readdirSync(cwd).filter((name) => name.startsWith('.coreiso'))).toEqual([]);
  });

  test('leaves no file open', async () => {
    expect((await fetchBase(['-C', '.', 'stream:stable'])).stdout.toString()).toBe('live.iso\n');
    expect(openFiles(cwd)).toEqual([]);
  });

  test.each<[string, Readonly<Record<string, Served>>, RegExp]>([
    [
      'by a stranger',
      { '/live.iso.sig': sig('disk-stranger') },
      /is by a key that is not trusted, [0-9A-F]{40}: take it/,
    ],
    ['of another file', { '/live.iso.sig': sig('kernel') }, /is not that of Sample \(release\)/],
    ['that is none', { '/live.iso.sig': { file: { text: 'no' } } }, /live\.iso\.sig is not an OpenPGP signature/],
    [
      'that is missing',
      { '/live.iso.sig': { status: 404 } },
      /the server answered 404; --insecure takes the file by its digest/,
    ],
  ])('refuses a signature %s, and keeps no file', async (_, others, reason) => {
    const { status, stdout, stderr } = await fetchBase(['stream:stable'], others);
    expect([status, stdout.toString(), stderr]).toEqual([1, '', expect.stringMatching(reason)]);
    if (!stderr.includes('404')) expect(kept()).toEqual([]);
  });

  test('refuses the metadata of another stream, and keeps no file', async () => {
    const others = { '/next.json': await stream() };
    const { status, stdout, stderr } = await fetchBase(['stream:next'], others);
    expect([status, stdout.toString(), stderr]).toEqual([
      1,
      '',
      expect.stringContaining(
        'this is the metadata of stream stable, not of next: to use it, give its address instead of its name',
      ),
    ]);
    expect(existsSync(join(cwd, 'cache'))).toBe(false);
  });

  test('accepts a file without its signature with --insecure', async () => {
    const { status, stderr } = await fetchBase(['--insecure', 'stream:stable'], { '/live.iso.sig': { status: 404 } });
    expect([status, stderr]).toEqual([0, expect.stringContaining('verified only the digest')]);
  });

  test('checks the signature beside a file at an address', async () => {
    expect((await fetchBase(['$SERVER/live.iso'])).stderr).toContain('Signed by Sample (release)');
    const others = { '/live.iso.sig': sig('disk-stranger') };
    expect(
      await fetchBase(['$SERVER/live.iso?x'], { ...others, '/live.iso?x': FILES['/live.iso'] ?? {} }),
    ).toMatchObject({
      status: 1,
    });
  });

  test.each([
    [['-d', 'stream:stable'], '--decompress needs --output or --directory'],
    [['--format', 'pxe', '-o', 'x', 'stream:stable'], 'cannot write 3 files to one'],
  ])('refuses %j', async (argv, reason) => {
    const { status, stderr } = await fetchBase(argv);
    expect([status, stderr]).toEqual([2, expect.stringContaining(reason)]);
  });
});
