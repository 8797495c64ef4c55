import { expect, test } from 'vitest';
import { bytesSource } from '../../src/bytes/source.ts';
import { type Iso, openIso } from '../../src/iso9660/reader.ts';
import { architectureOf } from '../../src/live/architecture.ts';
import { sampleIso } from '../../src/sample/index.ts';

const iso = async (kind: string) => openIso(await sampleIso({ kind }), { view: 'strict' });

test.each(['x86_64', 'aarch64', 'ppc64le', 's390x'])('detects %s by its boot files', async (name) => {
  expect(await architectureOf(await iso(`2023-07.${name}`))).toBe(name);
});

test('detects nothing if boot files have other names', async () => {
  const sample = await sampleIso({ kind: '2023-07.ppc64le' });
  const bytes = Buffer.from(await sample.read(0, sample.size));
  // `GRUB` in upper case is the name in the primary tree only.
  for (let at = bytes.indexOf('GRUB'); at !== -1; at = bytes.indexOf('GRUB', at + 1)) bytes.write('GRUX', at);
  for (let at = bytes.indexOf('EFI'); at !== -1; at = bytes.indexOf('EFI', at + 1)) bytes.write('EFX', at);
  expect(await architectureOf(await openIso(bytesSource(bytes), { view: 'strict' }))).toBeUndefined();
});

test('passes on the failure of a source', async () => {
  const gone = { entry: () => Promise.reject(new Error('the disk is gone')) } as unknown as Iso;
  await expect(architectureOf(gone)).rejects.toThrow('the disk is gone');
});
