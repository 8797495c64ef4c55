import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { constants, gunzipSync } from 'node:zlib';
import { openIso } from '@coreiso/iso/iso9660';
import { fileSource } from '@coreiso/iso/node';
import { expect, onTestFinished, test, vi } from 'vitest';
import { scratchFolder } from '../../test/support/scratch.ts';
import { describeWith } from '../../test/support/tools.ts';
import { IMAGE_SERVICE, rhcosImage, serveImageService } from '../src/image-service.ts';
import { isOnPath } from '../src/programs.ts';

const pathWithout = (program: string): string =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => !existsSync(join(folder, program)))
    .join(delimiter);

const STAND_IN = fileURLToPath(new URL('./support/bin', import.meta.url));

function workspace(imageMiB: number) {
  const directory = scratchFolder();
  return { directory, imageMiB };
}

/** A `PATH` with only the stand-in and its interpreter. */
function withStandIn(): void {
  vi.stubEnv('PATH', [STAND_IN, join(process.execPath, '..'), '/usr/bin', '/bin'].join(delimiter));
  onTestFinished(() => void vi.unstubAllEnvs());
}

test('the service starts with a base that it accepts, and serves ranges of it until it is stopped', async () => {
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

test('its base has the files that the service reads, in the right sizes', async () => {
  const place = workspace(105);
  await using source = await fileSource(await rhcosImage(place));
  const iso = await openIso(source);
  const paths = ['images/pxeboot/rootfs.img', 'images/pxeboot/vmlinuz', 'images/ignition.img'];
  const sizes = await Promise.all(paths.map(async (path) => (await iso.entry(path)).size));
  expect([iso.volume.volumeId, ...sizes]).toEqual(['rhcos-417.94.202410090854-0', 104_857_600, 5_242_880, 262_144]);
  await expect(rhcosImage({ ...place, imageMiB: 104 })).rejects.toThrow('--mib 105 is the smallest');
});

test('a service that is not on PATH is reported as missing', () => {
  vi.stubEnv('PATH', '/nonexistent');
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(isOnPath(IMAGE_SERVICE)).toBe(false);
});

describeWith(['go'], 'the stand-in for a missing service', () => {
  test('writes the config and the arguments into the image', async () => {
    vi.stubEnv('PATH', pathWithout(IMAGE_SERVICE));
    onTestFinished(() => void vi.unstubAllEnvs());
    const place = workspace(105);
    const image = await rhcosImage(place);
    const { url, stop } = await serveImageService(image, place.directory);
    onTestFinished(stop);
    const served = Buffer.from(await (await fetch(url)).arrayBuffer());
    const base = readFileSync(image);
    expect(served.length).toBe(base.length);
    const config = served.indexOf(Buffer.from([0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0, 0xff]));
    expect(gunzipSync(served.subarray(config), { finishFlush: constants.Z_SYNC_FLUSH }).toString('latin1')).toContain(
      'config.ign',
    );
    expect(served.indexOf(' console=ttyS0\n')).toBeGreaterThan(0);
    const part = await fetch(url, { headers: { range: 'bytes=100000000-100065535' } });
    expect([
      part.status,
      Buffer.compare(Buffer.from(await part.arrayBuffer()), base.subarray(100_000_000, 100_065_536)),
    ]).toEqual([206, 0]);
    let changed = 0;
    for (let at = 0; at < base.length; at += 2048) {
      if (base.compare(served, at, at + 2048, at, at + 2048) !== 0) changed++;
    }
    // The area's first sector, and one of each menu.
    expect(changed).toBe(3);
  });
});
