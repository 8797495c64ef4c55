import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLiveImage } from '@coreiso/iso';
import { fileSource, writeCopy } from '@coreiso/iso/node';
import { sampleIso } from '@coreiso/iso/sample';
import { expect, onTestFinished, test, vi } from 'vitest';

test('embed.ts puts a config and a kernel argument into a copy', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'coreiso-'));
  const argv = process.argv;
  const log = vi.spyOn(console, 'log').mockReturnValue();
  const progress = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => {
    process.argv = argv;
    log.mockRestore();
    progress.mockRestore();
    rmSync(directory, { recursive: true });
  });
  const [live = '', config = '', target = ''] = ['live.iso', 'worker.ign', 'worker.iso'].map((name) =>
    join(directory, name),
  );
  await writeCopy(await sampleIso(), live);
  writeFileSync(config, '{"ignition":{"version":"3.4.0"}}');
  process.argv = ['node', 'embed.ts', live, config, target];
  await import('../src/embed.ts');

  await using source = await fileSource(target);
  const image = await openLiveImage(source);
  const embedded = await image.initrd.read();
  expect(new TextDecoder().decode(embedded.get('config.ign')?.content)).toBe('{"ignition":{"version":"3.4.0"}}');
  expect(image.kargs?.current).toBe(`${image.kargs?.default} console=ttyS0`);
  expect(log.mock.calls).toEqual([[expect.stringMatching(/^\d+ of 262144 bytes used$/)]]);
  expect(progress).toHaveBeenLastCalledWith('\r100 %');
});
