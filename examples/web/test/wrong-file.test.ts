import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type ByteSource, bytesSource, openLiveImage } from '@coreiso/iso';
import { writeIso } from '@coreiso/iso/iso9660';
import { sampleIso } from '@coreiso/iso/sample';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/support/scratch.ts';
import { describeWith } from '../../../test/support/tools.ts';
import { wrongFile } from '../src/worker/wrong-file.ts';

const sample = await sampleIso();
const iso = await sample.read(0, sample.size);

/** The page's sentence about a file. */
async function said(bytes: Uint8Array): Promise<string> {
  const source: ByteSource = bytesSource(bytes);
  try {
    await openLiveImage(source);
  } catch (error) {
    return await wrongFile(source, error);
  }
  throw new Error('it can be used');
}

const text = (content: string): Uint8Array => new TextEncoder().encode(content);

test.each([
  ['an empty file', new Uint8Array(), 'empty'],
  ['a gzip of an ISO', gzipSync(iso), 'gunzip'],
  ['half a download', iso.slice(0, iso.length / 2), 'This is the beginning of an ISO: 512 KiB of'],
  ['the first bytes of a download', iso.slice(0, 20_000), 'broke off'],
  ['zeros', new Uint8Array(100_000), 'not an ISO image'],
  ['an error page', text('<!DOCTYPE html><title>404</title>'), 'web page'],
  ['an install config', text('apiVersion: v1\nbaseDomain: example.test\n'), 'section 2'],
  ['random bytes', Uint8Array.from({ length: 50_000 }, (_, at) => (at * 7919) % 251), 'not an ISO image'],
])('%s is explained in one sentence', async (_, bytes, expected) => {
  const sentence = await said(bytes);
  expect(sentence).toContain(expected);
  expect(sentence).toMatch(/^[A-Z].*\.$/);
});

test('an ISO of another system is named as one', async () => {
  const { source } = await writeIso([{ kind: 'file', path: 'README.TXT', content: text('no CoreOS here') }], {
    volumeId: 'OTHER',
  });
  expect(await said(await source.read(0, source.size))).toContain('not a CoreOS live image');
});

describeWith(['qemu-img', 'xz', 'zstd', 'bzip2', 'tar'], 'files that other programs write', () => {
  test.each([
    ['qcow2', 'qemu-img create -q -f qcow2 it 16M', 'cloud image'],
    ['vmdk', 'qemu-img create -q -f vmdk it 16M', 'VMware'],
    ['vhdx', 'qemu-img create -q -f vhdx it 16M', 'Hyper-V'],
    ['fixed VHD', 'qemu-img create -q -f vpc it 16M', 'Hyper-V'],
    ['raw disk', 'truncate -s 4M it && sgdisk -Z -o -n 1:0:0 it >/dev/null', 'raw disk'],
    ['xz', 'xz -c a.iso > it', 'xz -d'],
    ['zstd', 'zstd -q a.iso -o it', 'zstd -d'],
    ['bzip2', 'bzip2 -c a.iso > it', 'bunzip2'],
    ['tar', 'tar -cf it a.iso', 'tar archive'],
    ['initramfs', 'echo a.iso | cpio -o -H newc --quiet > it', 'initramfs'],
  ])('a %s is recognised', async (_, command, expected) => {
    const folder = scratchFolder();
    writeFileSync(join(folder, 'a.iso'), iso);
    execFileSync('bash', ['-ec', command], { cwd: folder });
    const { readFileSync } = await import('node:fs');
    expect(await said(readFileSync(join(folder, 'it')))).toContain(expected);
  });
});
