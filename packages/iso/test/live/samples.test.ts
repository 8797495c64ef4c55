import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scratchFolder } from '../../../../test/support/scratch.ts';
import { describeWith, output } from '../../../../test/support/tools.ts';
import { type ByteSource, bytesSource } from '../../src/bytes/source.ts';
import { edit, isPristine, reset } from '../../src/live/edit.ts';
import { openLiveImage } from '../../src/live/image.ts';
import { inspect } from '../../src/live/inspect.ts';
import { extractMinimal } from '../../src/live/minimal/extract.ts';
import { pxeFiles } from '../../src/live/pxe.ts';
import { sampleIso, sampleKinds } from '../../src/sample/index.ts';
import { sha256, text, utf8 } from '../initrd/archives.ts';
import { countingSource } from '../support/counting-source.ts';

const KINDS = sampleKinds().map((kind) => [kind.name, kind] as const);
const CONFIG = utf8('{"ignition": {"version": "3.0.0"}\n');
const KEYFILES = ['b', 'a'].map((id) => ({ name: `${id}.nmconnection`, content: `[connection]\nid=${id}\n` }));
const URL = 'https://example.com/rootfs';

async function digest(source: ByteSource): Promise<string> {
  return sha256(await source.read(0, source.size));
}

describe.each(KINDS)('a sample of %s', (name, kind) => {
  test('opens within 24 reads and 128 KiB at any size', async () => {
    const source = countingSource(await sampleIso({ kind: name, size: 5_000_000_000 }));
    const image = await openLiveImage(source);
    expect(source.reads.length).toBeLessThanOrEqual(24);
    expect(source.bytesRead).toBeLessThanOrEqual(128 * 1024);
    expect(image.architecture).toBe(kind.architecture);
    expect(image.initrd.length).toBe(262144);
    expect(image.kargs !== undefined).toBe(kind.kargsHeader || kind.kargsFile !== 'absent');
    expect(await isPristine(image)).toBe(true);
  });

  test('is edited and reset, and only its areas change', async () => {
    const sample = await sampleIso({ kind: name });
    const image = await openLiveImage(sample);
    const kargs = image.kargs === undefined ? {} : { kargs: { append: ['a=b'], delete: ['ignition.firstboot'] } };
    const { overlay, summary } = await edit(image, { ignition: CONFIG, keyfiles: KEYFILES, ...kargs });
    const areas = [image.initrd, ...(image.kargs?.areas ?? [])].map(({ offset }) => offset).sort((a, b) => a - b);
    expect(summary.regions.map(({ offset }) => offset)).toEqual(areas);
    const edited = await openLiveImage(overlay);
    expect([...(await edited.initrd.read()).keys()]).toEqual([
      'config.ign',
      ...['a', 'b'].map((id) => `etc/coreos-firstboot-network/${id}.nmconnection`),
    ]);
    expect(edited.kargs?.current.endsWith(' a=b') ?? true).toBe(true);
    expect(await digest((await reset(edited)).overlay)).toBe(await digest(sample));
  });

  test('is inspected without a problem', async () => {
    const inspection = await inspect(await sampleIso({ kind: name }));
    expect(inspection).toMatchObject({ pristine: true, complete: true, problems: [], oddities: [] });
    expect(inspection.minimal !== undefined).toBe(kind.minimal);
  });

  test('has the files for network boot', async () => {
    const files = await pxeFiles(await sampleIso({ kind: name }));
    expect(files.map((file) => file.name)).toEqual(expect.arrayContaining(['initrd.img', 'rootfs.img']));
  });
});

const MINIMAL = KINDS.filter(([, kind]) => kind.minimal && (kind.kargsHeader || kind.kargsFile !== 'absent'));

test.each(MINIMAL)('%s: the minimal image is rebuilt, and boots from a URL', async (name) => {
  const minimal = await openLiveImage(
    await extractMinimal(await openLiveImage(await sampleIso({ kind: name })), { rootfsUrl: URL }),
  );
  expect(minimal.kargs?.current.endsWith(`coreos.live.rootfs_url=${URL}`)).toBe(true);
  expect(minimal.kargs?.current).not.toContain('coreos.liveiso=');
});

describeWith(['coreos-installer'], 'coreos-installer', () => {
  test.each(KINDS)('%s: reads our edits, and we read its own', async (name, kind) => {
    const directory = scratchFolder();
    const path = join(directory, 'in.iso');
    const tool = (...args: string[]): string => output('coreos-installer', args, { cwd: directory }).toString();
    const sample = await sampleIso({ kind: name });
    const image = await openLiveImage(sample);
    const kargs = image.kargs === undefined ? {} : { kargs: { append: ['a=b'] } };
    const { overlay } = await edit(image, { ignition: CONFIG, keyfiles: KEYFILES, ...kargs });
    writeFileSync(path, await overlay.read(0, overlay.size));
    expect(tool('iso', 'ignition', 'show', 'in.iso')).toBe(text(CONFIG));
    expect(tool('iso', 'network', 'extract', 'in.iso')).toMatch(/id=a\n.*id=b\n/s);
    if (image.kargs !== undefined) expect(tool('iso', 'kargs', 'show', 'in.iso')).toMatch(/ a=b\n$/);
    tool('iso', 'reset', 'in.iso');
    expect(sha256(readFileSync(path))).toBe(await digest(sample));

    writeFileSync(join(directory, 'config.ign'), CONFIG);
    tool('iso', 'ignition', 'embed', '-i', 'config.ign', 'in.iso', '-o', 'out.iso');
    const theirs = readFileSync(join(directory, 'out.iso'));
    const files = await (await openLiveImage(bytesSource(theirs))).initrd.read();
    expect(text(files.get('config.ign')!.content)).toBe(text(CONFIG));

    if (!kind.minimal || image.kargs === undefined) return;
    tool('iso', 'extract', 'minimal-iso', '--rootfs-url', URL, 'in.iso', 'min.iso');
    expect(await digest(await extractMinimal(image, { rootfsUrl: URL }))).toBe(
      sha256(readFileSync(join(directory, 'min.iso'))),
    );
  });
});
