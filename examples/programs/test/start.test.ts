import { rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { openLiveImage } from '@coreiso/iso';
import { fileSource } from '@coreiso/iso/node';
import { expect, onTestFinished, test, vi } from 'vitest';

test('start.ts runs the complete workflow and leaves a bootable image', async () => {
  const log = vi.spyOn(console, 'log').mockReturnValue();
  onTestFinished(() => log.mockRestore());
  await import('../src/start.ts');
  const lines = log.mock.calls.flat().join('\n').split('\n');
  const path = lines.at(-1) ?? '';
  onTestFinished(() => rmSync(dirname(path), { recursive: true }));

  expect(lines.filter((_, index) => lines[index + 1]?.startsWith('──'))).toEqual([
    'A live image to build on',
    'A config with two mistakes',
    'The same without them',
    'The image that adds both',
    'Two machines that boot it',
    'Done',
  ]);
  expect(lines).toContainEqual(expect.stringMatching(/^ +\d+ {2}images\/pxeboot\/rootfs\.img$/));
  expect(lines).toContainEqual(expect.stringMatching(/^nodes-config\.yaml:3:3: error: /));
  expect(lines).toContainEqual(expect.stringMatching(/^nodes-config\.yaml:25:17: error: /));
  expect(lines).toContain('ens1f0 52:54:00:E7:05:72 is worker-3');
  expect(lines).toContain('eth0 52:54:00:00:00:99 is no host of this config');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  await using source = await fileSource(path);
  expect([...(await (await openLiveImage(source)).initrd.read()).keys()]).toEqual(['config.ign']);
});
