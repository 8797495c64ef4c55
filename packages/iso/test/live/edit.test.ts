import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../../test/support/scratch.ts';
import { describeWith, output } from '../../../../test/support/tools.ts';
import { type ByteSource, bytesSource, concatBytes } from '../../src/bytes/source.ts';
import { plain } from '../../src/initrd/encoders.ts';
import type { LiveChanges } from '../../src/live/changes.ts';
import { edit, isPristine, reset } from '../../src/live/edit.ts';
import { openLiveImage } from '../../src/live/image.ts';
import { archive, noise, sha256, text, utf8 } from '../initrd/archives.ts';
import { describeWithFixtures, FIXTURES, fixture } from '../support/fixtures.ts';
import { chainOf } from './chain.ts';

const LIVE = FIXTURES.filter((name) => name !== 'synthetic.iso');
const WITH_KARGS = LIVE.filter((name) => !name.includes('2020-09'));
const X86 = 'embed-areas-2023-07.x86_64.iso';

const all = (source: ByteSource): Promise<Uint8Array> => source.read(0, source.size);
const opened = (name: string) => openLiveImage(bytesSource(fixture(name)));

/** The image after some changes, as bytes. */
async function edited(name: string, changes: LiveChanges): Promise<Uint8Array> {
  return all((await edit(await opened(name), changes)).overlay);
}

async function embedded(bytes: Uint8Array): Promise<Record<string, string>> {
  const files = await (await openLiveImage(bytesSource(bytes))).initrd.read();
  return Object.fromEntries([...files].map(([path, { content }]) => [path, text(content)]));
}

const CONFIG = utf8('{"ignition": {"version": "3.0.0"}\n');

describeWithFixtures('editing real images', () => {
  test.each(LIVE)('%s: embeds a config without changing the rest of the image, and reset undoes it', async (name) => {
    const original = fixture(name);
    const image = await opened(name);
    const { overlay, summary } = await edit(image, { ignition: CONFIG });
    const bytes = await all(overlay);
    const { offset, length } = image.initrd;
    const outside = (whole: Uint8Array) => sha256(concatBytes([whole.slice(0, offset), whole.slice(offset + length)]));
    expect(outside(bytes)).toBe(outside(original));
    expect(await embedded(bytes)).toEqual({ 'config.ign': text(CONFIG) });
    expect(summary.regions).toEqual([{ kind: 'initrd', offset, length: summary.initrd.used }]);
    expect(summary.initrd.used + summary.initrd.free).toBe(length);
    expect(bytes.subarray(offset + summary.initrd.used, offset + length).every((byte) => byte === 0)).toBe(true);
    expect(summary.grown).toBe(false);

    const custom = await openLiveImage(overlay);
    expect(await isPristine(custom)).toBe(false);
    const pristine = await reset(custom);
    expect(sha256(await all(pristine.overlay))).toBe(sha256(original));
    expect(await isPristine(await openLiveImage(pristine.overlay))).toBe(true);
  });

  test.each([
    ['2021-01', '69c3ff2e1c85b74a36423cf56e91293fd16ed30614f32e8f46a4dd514bdc085a'],
    ['2021-09', '61cf4e52c369dc6552776e244be7e3cf9308f5da930ed6729163b62b98a44e98'],
    ['2021-12', '8f9773866c32a043743c9b61e8e0b13b2ab05cc9e2970cda4e7b52e016f79baa'],
    ['2022-02', '0fbe5170dea85168c15e9d8849ca29ad16244a166bd29fad11c5de2f3df4afd1'],
    ['2022-09', '0c9fa5bef08543c9c33196829544b036fbe87efcfabd5c1205f67d527f2577f7'],
    ['2023-07.x86_64', '2997accf9d1d9a486d86e24f1e91492840b533126731f3fbab4971e305c8d8d2'],
    ['2023-07.s390x', 'a75d2c8a32990a754c228ed07aca012b5f7067909f898fa9bdca89d2269e7e77'],
  ])('%s: gives the same image as coreos-installer for appended kernel arguments', async (name, digest) => {
    const bytes = await edited(`embed-areas-${name}.iso`, { kargs: { append: ['foobar=oldval', 'dodo'] } });
    expect(sha256(bytes)).toBe(digest);
  });

  test('does not touch the initrd area when editing kernel arguments, even if it is damaged', async () => {
    const broken = fixture(X86).slice();
    broken.set(utf8('no archive at all'), 139264);
    const image = await openLiveImage(bytesSource(broken));
    const { overlay, summary } = await edit(image, { kargs: { append: ['x'] } });
    expect(overlay.patches.map(({ offset }) => offset)).toEqual([137037, 408522]);
    expect(summary.initrd).toEqual({ used: 17, free: 262144 - 17 });
    expect(summary.kargs).toMatchObject({ text: `${image.kargs?.default} x`, used: 117, free: 1138 - 117 });
  });

  test('does not read the old contents if all are replaced', async () => {
    const broken = fixture(X86).slice();
    broken.set(utf8('no archive at all'), 139264);
    const image = await openLiveImage(bytesSource(broken));
    const { overlay } = await edit(image, { ignition: CONFIG, keyfiles: [], files: [] });
    expect(await embedded(await all(overlay))).toEqual({ 'config.ign': text(CONFIG) });
    await expect(edit(image, { ignition: CONFIG })).rejects.toMatchObject({ code: 'ISO_NOT_LIVE' });
  });

  test('replaces and removes config, keyfiles and other files independently', async () => {
    const keyfile = (name: string) => ({ name, content: `[connection]\nid=${name}\n` });
    let bytes = fixture(X86);
    const apply = async (changes: LiveChanges): Promise<string[]> => {
      bytes = await all((await edit(await openLiveImage(bytesSource(bytes)), changes)).overlay);
      return Object.keys(await embedded(bytes));
    };
    const network = 'etc/coreos-firstboot-network';
    expect(await apply({ ignition: CONFIG })).toEqual(['config.ign']);
    expect(await apply({ keyfiles: [keyfile('b'), keyfile('a')] })).toEqual([
      'config.ign',
      `${network}/a`,
      `${network}/b`,
    ]);
    expect(await apply({ files: [{ path: 'opt/x', content: utf8('x'), mode: 0o755 }] })).toHaveLength(4);
    expect(await apply({ keyfiles: [keyfile('c')] })).toEqual(['config.ign', `${network}/c`, 'opt/x']);
    expect(await apply({ ignition: null })).toEqual([`${network}/c`, 'opt/x']);
    expect(await apply({ keyfiles: [] })).toEqual(['opt/x']);
    const image = await openLiveImage(bytesSource(bytes));
    expect((await image.initrd.read()).get('opt/x')?.mode).toBe(0o755);
    const uniform = await edit(image, { ignition: null }, { modes: 'private' });
    expect((await (await openLiveImage(uniform.overlay)).initrd.read()).get('opt/x')?.mode).toBe(0o600);
    expect(await apply({ files: [] })).toEqual([]);
    expect(sha256(bytes)).toBe(sha256(fixture(X86)));
  });

  test('gives the same result for two edits and for both at once', async () => {
    const name = fc.stringMatching(/^[a-z]{1,8}$/);
    const content = fc.uint8Array({ maxLength: 50 });
    const changes = fc.record(
      {
        ignition: fc.option(content),
        keyfiles: fc.uniqueArray(fc.record({ name, content }), { selector: (keyfile) => keyfile.name, maxLength: 3 }),
        files: fc.uniqueArray(fc.record({ path: name, content, mode: fc.integer({ min: 0, max: 0o777 }) }), {
          selector: (file) => file.path,
          maxLength: 3,
        }),
        kargs: fc.record({ append: fc.array(name, { maxLength: 3 }) }),
      },
      { requiredKeys: [] },
    );
    const image = await opened(X86);
    await fc.assert(
      fc.asyncProperty(changes, changes, async (first, second) => {
        const one = await edit(image, first);
        const twice = await edit(await openLiveImage(one.overlay), second);
        const kargs = { append: [...(first.kargs?.append ?? []), ...(second.kargs?.append ?? [])] };
        const once = await edit(image, { ...first, ...second, kargs });
        expect(twice.overlay.base).toBe(image.source);
        expect(sha256(await all(twice.overlay))).toBe(sha256(await all(once.overlay)));
      }),
      { numRuns: 30 },
    );
    expect(sha256(fixture(X86))).toBe('a4079e6ffe863a6ab4a1f6c3f8e52c9aa84619f770c1aaba9137bddb6ffc6519');
  });

  test.each(LIVE)('%s: refuses a config that does not fit with both sizes', async (name) => {
    const image = await opened(name);
    const failure = await edit(image, { ignition: noise('big', 300_000) }).catch((error) => error);
    expect(failure).toMatchObject({ code: 'ISO_AREA_TOO_SMALL', offset: image.initrd.offset });
    expect(failure.cause.message).toMatch(/^Compressed initramfs is too large: 300\d\d\d > 262144$/);
  });

  test('fills the area to the last byte with the largest archive that fits', async () => {
    const image = await opened(X86);
    const room = 262144 - 124 - 124;
    const { overlay, summary } = await edit(image, { ignition: noise('full', room) }, { compression: plain });
    expect(summary.initrd).toEqual({ used: 262144, free: 0 });
    expect((await (await openLiveImage(overlay)).initrd.read()).get('config.ign')?.content).toHaveLength(room);
    await expect(edit(image, { ignition: noise('full', room + 1) }, { compression: plain })).rejects.toMatchObject({
      message: 'config does not fit: 262148 bytes > 262144 bytes',
      cause: { message: 'Compressed initramfs is too large: 262148 > 262144' },
    });
  });

  test.each(WITH_KARGS)('%s: fills areas with kernel arguments except for one byte', async (name) => {
    const image = await opened(name);
    const { capacity, default: pristine } = image.kargs!;
    const longest = 'k'.repeat(capacity - pristine.length - 1);
    const { overlay, summary } = await edit(image, { kargs: { append: [longest] } });
    expect(summary.kargs?.free).toBe(0);
    expect((await openLiveImage(overlay)).kargs?.current).toBe(`${pristine} ${longest}`);
    expect(await chainOf(edit(image, { kargs: { append: [`${longest}k`] } }))).toEqual([
      `kargs too large for area: ${capacity + 2} vs ${capacity + 1}`,
    ]);
    const back = await edit(await openLiveImage(overlay), { kargs: { reset: true } });
    expect(sha256(await all(back.overlay))).toBe(sha256(fixture(name)));
  });

  test('refuses kernel arguments for an image without areas for them', async () => {
    const image = await opened('embed-areas-2020-09.iso');
    await expect(edit(image, { kargs: {} })).rejects.toMatchObject({
      code: 'ISO_NO_KARGS',
      message: 'No karg embed areas found; old or corrupted CoreOS ISO image.',
    });
  });

  test('refuses overlapping areas before writing', async () => {
    const bytes = Buffer.from(fixture(X86));
    const start = bytes.indexOf('{\n  "default"');
    const end = bytes.indexOf('\n}\n', start) + 3;
    const info = JSON.parse(bytes.subarray(start, end).toString());
    const twins = JSON.stringify({ ...info, files: [info.files[0], info.files[0]] });
    bytes.write(twins.padEnd(end - start), start);
    const image = await openLiveImage(bytesSource(bytes));
    await expect(edit(image, { kargs: {} })).rejects.toMatchObject({
      code: 'ISO_BAD_KARGS',
      message: expect.stringMatching(/^region starting at \d+ precedes current offset \d+$/),
    });
  });

  test.each<[string, LiveChanges]>([
    ['two keyfiles of one name', { keyfiles: ['x', 'x'].map((name) => ({ name, content: '' })) }],
    ['a keyfile in a directory', { keyfiles: [{ name: 'a/b', content: '' }] }],
    ['a keyfile without a name', { keyfiles: [{ name: '', content: '' }] }],
    ['a keyfile that climbs', { keyfiles: [{ name: '..', content: '' }] }],
    ['a file that climbs', { files: [{ path: '../x', content: CONFIG }] }],
    ['a file from the root', { files: [{ path: '/x', content: CONFIG }] }],
    ['another spelling of a path', { files: [{ path: './config.ign', content: CONFIG }] }],
    ['the config as a file', { files: [{ path: 'config.ign', content: CONFIG }] }],
    ['a keyfile as a file', { files: [{ path: 'etc/coreos-firstboot-network/x', content: CONFIG }] }],
    ['a file in a file', { files: ['a', 'a/b'].map((path) => ({ path, content: CONFIG })) }],
  ])('%s: refused', async (_, changes) => {
    await expect(edit(await opened(X86), changes)).rejects.toMatchObject({ code: 'ISO_BAD_MEMBER' });
  });

  test('opens, edits or refuses a damaged image with a code, and never changes it', async () => {
    const original = fixture(X86);
    const spots = fc.oneof(
      fc.integer({ min: 32768, max: 60 * 2048 }),
      fc.integer({ min: 64 * 2048, max: 70 * 2048 }),
      fc.integer({ min: 137037, max: 137200 }),
      fc.integer({ min: 408500, max: 409000 }),
      fc.integer({ min: 417792 - 8192, max: 417792 + 4096 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(spots, fc.nat(255)), { minLength: 1, maxLength: 4 }), async (damage) => {
        const bytes = original.slice();
        for (const [at, value] of damage) bytes[at] = value;
        const before = sha256(bytes);
        const result = await openLiveImage(bytesSource(bytes))
          .then((image) => edit(image, { ignition: CONFIG, kargs: { append: ['x'] } }))
          .then(({ overlay }) => overlay.size)
          .catch((error) => error);
        if (result instanceof Error) expect(result).toMatchObject({ name: 'IsoError' });
        else expect(result).toBe(bytes.length);
        expect(sha256(bytes)).toBe(before);
      }),
      { numRuns: 150 },
    );
  });
});

describeWithFixtures('areas that others wrote', () => {
  test('reads members of every kind, and keeps the names of the remaining ones', async () => {
    const bytes = fixture(X86).slice();
    const foreign = await archive([
      { path: './config.ign', content: CONFIG },
      { path: 'opt/site/settings', content: utf8('x'), mode: 0o644 },
    ]);
    bytes.set(foreign, 139264);
    const { overlay } = await edit(await openLiveImage(bytesSource(bytes)), { ignition: utf8('new') });
    expect(await embedded(await all(overlay))).toEqual({
      './config.ign': text(CONFIG),
      'config.ign': 'new',
      'opt/site/settings': 'x',
    });
  });
});

describeWith(['coreos-installer'], 'coreos-installer', () => {
  describeWithFixtures('on real images', () => {
    const keyfiles = ['one', 'two'].map((name) => ({
      name: `${name}.nmconnection`,
      content: `[connection]\nid=${name}\n`,
    }));

    test.each(LIVE)('%s: reads our embedded files, and we read its own', async (name) => {
      const directory = scratchFolder();
      const tool = (...args: string[]): string => output('coreos-installer', args, { cwd: directory }).toString();
      const kargs = name === LIVE[0] ? {} : { kargs: { append: ['a=b'], delete: ['ignition.firstboot'] } };
      writeFileSync(join(directory, 'ours.iso'), await edited(name, { ignition: CONFIG, keyfiles, ...kargs }));
      expect(tool('iso', 'ignition', 'show', 'ours.iso')).toBe(text(CONFIG));
      expect(tool('iso', 'network', 'extract', 'ours.iso')).toContain('id=two');
      if (name !== LIVE[0]) expect(tool('iso', 'kargs', 'show', 'ours.iso')).toMatch(/ a=b\n$/);
      tool('iso', 'reset', 'ours.iso');
      expect(sha256(readFileSync(join(directory, 'ours.iso')))).toBe(sha256(fixture(name)));

      writeFileSync(join(directory, 'config.ign'), CONFIG);
      tool('iso', 'ignition', 'embed', '-i', 'config.ign', 'ours.iso');
      expect(await embedded(readFileSync(join(directory, 'ours.iso')))).toEqual({ 'config.ign': text(CONFIG) });
    });
  });
});
