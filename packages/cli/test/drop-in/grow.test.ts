import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeCopy } from '@coreiso/iso/node';
import { sampleIso } from '@coreiso/iso/sample';
import { expect, test } from 'vitest';
import { coreiso, scratchFolder } from '../support.ts';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

test('--grow embeds a config that is too large and reports the growth, and reset restores the image', async () => {
  const cwd = scratchFolder();
  const iso = join(cwd, 'live.iso');
  await writeCopy(await sampleIso({}), iso);
  const original = sha256(readFileSync(iso));
  const config = randomBytes(400_000);
  writeFileSync(join(cwd, 'big.ign'), config);

  const refused = await coreiso(['iso', 'ignition', 'embed', '-i', 'big.ign', 'live.iso'], { cwd });
  expect(refused).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^Error: Compressed initramfs is too large: /),
  });
  expect(sha256(readFileSync(iso))).toBe(original);

  const grown = await coreiso(['iso', 'ignition', 'embed', '--grow', '-i', 'big.ign', 'live.iso'], { cwd });
  expect(grown).toMatchObject({ status: 0, stderr: 'archive 391 KiB, area 256 KiB, the image grows by 1 MiB\n' });
  const shown = await coreiso(['iso', 'ignition', 'show', 'live.iso'], { cwd });
  expect(sha256(shown.stdout)).toBe(sha256(config));

  expect(await coreiso(['iso', 'reset', 'live.iso'], { cwd })).toMatchObject({ status: 0 });
  expect(sha256(readFileSync(iso))).toBe(original);
});
