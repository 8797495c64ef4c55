import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openIso } from '@coreiso/iso/iso9660';
import { fileSource } from '@coreiso/iso/node';
import { expect, onTestFinished, test, vi } from 'vitest';
import { scratchFolder } from '../../test/support/scratch.ts';
import { IMAGE_SERVICE, rhcosImage, serveImageService } from '../src/image-service.ts';
import { isOnPath } from '../src/programs.ts';

const STAND_IN = fileURLToPath(new URL('./support/bin', import.meta.url));

function workspace(imageMiB: number) {
  const directory = scratchFolder();
  return { directory, imageMiB };
}

/** With the stand-in alone on `PATH`, and what runs it. */
function withStandIn(): void {
  vi.stubEnv('PATH', [STAND_IN, join(process.execPath, '..'), '/usr/bin', '/bin'].join(delimiter));
  onTestFinished(() => void vi.unstubAllEnvs());
}

test('the service is started with a base that it takes, and serves it by ranges until it is stopped', async () => {
  withStandIn();
  expect(isOnPath(IMAGE_SERVICE)).toBe(true);
  const place = workspace(105);
  const image = await rhcosImage(place);
  const { url, memory, stop } = await serveImageService(image, place.directory);
  onTestFinished(stop);
  const part = await fetch(url, { headers: { range: 'bytes=100000000-100065535' } });
  expect(part.status).toBe(206);
  expect(
    Buffer.compare(Buffer.from(await part.arrayBuffer()), readFileSync(image).subarray(100_000_000, 100_065_536)),
  ).toBe(0);
  expect(memory()).toBeGreaterThan(1);
  await stop();
  await expect(fetch(url)).rejects.toThrow();
});

test('its base has the files, and the sizes, that the service looks at', async () => {
  const place = workspace(105);
  await using source = await fileSource(await rhcosImage(place));
  const iso = await openIso(source);
  const paths = ['images/pxeboot/rootfs.img', 'images/pxeboot/vmlinuz', 'images/ignition.img'];
  const sizes = await Promise.all(paths.map(async (path) => (await iso.entry(path)).size));
  expect([iso.volume.volumeId, ...sizes]).toEqual(['rhcos-417.94.202410090854-0', 104_857_600, 5_242_880, 262_144]);
  await expect(rhcosImage({ ...place, imageMiB: 104 })).rejects.toThrow('--mib 105 is the smallest');
});

test('where it is not on PATH, that is known', () => {
  vi.stubEnv('PATH', '/nonexistent');
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(isOnPath(IMAGE_SERVICE)).toBe(false);
});
