import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '@coreiso/ignition';
import type { Customization, CustomizeContext } from '@coreiso/ignition/customize';
import { type Features, type LiveChanges, openLiveImage } from '@coreiso/iso';
import { fileSource, writeCopy } from '@coreiso/iso/node';
import { sampleIso } from '@coreiso/iso/sample';
import { beforeAll, describe, expect, expectTypeOf, test, vi } from 'vitest';
import { describeWith, output } from '../../../test/support/tools.ts';

const directory = mkdtempSync(join(tmpdir(), 'coreiso-'));
const printed: unknown[] = [];

beforeAll(async () => {
  const home = process.cwd();
  const log = vi.spyOn(console, 'log').mockImplementation((line) => printed.push(line));
  process.chdir(directory);
  await writeCopy(await sampleIso(), 'rhcos-live.iso');
  writeFileSync('worker.ign', '{"ignition":{"version":"3.4.0"}}');
  await import('../src/customize.ts');
  process.chdir(home);
  log.mockRestore();
  return () => rmSync(directory, { recursive: true });
});

describe('customize.ts', () => {
  test('prints the effect of the image', () => {
    expect(printed).toEqual([
      'boots live, overwrites /dev/sda, reboots into the installed system configured by worker.ign',
    ]);
  });

  test('leaves an image with the config inside', async () => {
    await using file = await fileSource(join(directory, 'rhcos-live.iso'));
    const image = await openLiveImage(file);
    const files = await image.initrd.read();
    expectInstaller(new TextDecoder().decode(files.get('config.ign')?.content));
  });
});

describeWith(['coreos-installer'], 'customize.ts by the real tool', () => {
  test('leaves an image with the config inside', () => {
    expectInstaller(
      output('coreos-installer', ['iso', 'ignition', 'show', join(directory, 'rhcos-live.iso')]).toString(),
    );
  });
});

test('edit accepts the result of customize, and customize accepts the features of the image', () => {
  expectTypeOf<Customization['changes']>().toExtend<LiveChanges>();
  expectTypeOf<Features>().toExtend<CustomizeContext['features']>();
});

function expectInstaller(text: string): void {
  const config: Config = JSON.parse(text);
  expect(config.storage?.files?.map(({ path }) => path)).toEqual([
    '/etc/coreos/dest.ign',
    '/etc/coreos/installer.d/0000-customize.yaml',
  ]);
}
