import { describe, expect, test } from 'vitest';
import { bytesSource } from '../../src/bytes/source.ts';
import { readFiles } from '../../src/initrd/archive-files.ts';
import {
  applyChanges,
  isNetworkPath,
  keepsSomething,
  type LiveChanges,
  touchesInitrd,
} from '../../src/live/changes.ts';
import { describeGrowth, encodeGrowthRecord, recordOffset } from '../../src/live/growth/growth.ts';
import { kargsPatches } from '../../src/live/kargs-area.ts';
import { decodeRecipe, encodeRecipe, recipeEntries } from '../../src/live/minimal/recipe.ts';
import { wrap } from '../../src/live/pxe.ts';
import { text, utf8 } from '../initrd/archives.ts';

const NETWORK = 'etc/coreos-firstboot-network';

describe('changes', () => {
  test.each<[LiveChanges, touches: boolean, keeps: boolean]>([
    [{}, false, true],
    [{ kargs: {} }, false, true],
    [{ ignition: null }, true, true],
    [{ keyfiles: [] }, true, true],
    [{ files: [] }, true, true],
    [{ ignition: null, keyfiles: [] }, true, true],
    [{ ignition: null, files: [] }, true, true],
    [{ keyfiles: [], files: [] }, true, true],
    [{ ignition: null, keyfiles: [], files: [] }, true, false],
  ])('of %j affect the initramfs: %s; keep members: %s', (changes, touches, keeps) => {
    expect([touchesInitrd(changes), keepsSomething(changes)]).toEqual([touches, keeps]);
  });

  test.each<[LiveChanges, kept: string[]]>([
    [{}, ['config.ign', `${NETWORK}/a`, `${NETWORK}/d/b`, NETWORK, 'opt/x']],
    [{ ignition: null }, [`${NETWORK}/a`, `${NETWORK}/d/b`, NETWORK, 'opt/x']],
    [{ keyfiles: [] }, ['config.ign', NETWORK, 'opt/x']],
    [{ files: [] }, ['config.ign', `${NETWORK}/a`, `${NETWORK}/d/b`]],
  ])('of %j keep the other members', (changes, kept) => {
    const before = ['config.ign', `${NETWORK}/a`, `${NETWORK}/d/b`, NETWORK, 'opt/x'].map((path) => ({
      path,
      content: utf8(path),
      mode: 0o644,
      size: path.length,
    }));
    const after = applyChanges(before, changes);
    expect(after.map(({ path }) => path)).toEqual(kept);
    expect(after.every((file) => before.includes(file as never))).toBe(true);
  });

  test.each([
    [`${NETWORK}/a`, true],
    [`${NETWORK}/a/b`, true],
    [NETWORK, false],
    [`${NETWORK}2/a`, false],
    [`/${NETWORK}/a`, false],
  ])('treat %s as a path of keyfiles: %s', (path, expected) => {
    expect(isNetworkPath(path)).toBe(expected);
  });
});

describe('a config', () => {
  const embedded = async (ignition: LiveChanges['ignition']) => {
    const files = await readFiles(await wrap({ ignition } as LiveChanges));
    const file = files.get('config.ign');
    return file && text(file.content as Uint8Array);
  };

  test('may be text, bytes, a source or an object', async () => {
    expect(await embedded('as it is ')).toBe('as it is ');
    expect(await embedded(utf8('bytes'))).toBe('bytes');
    expect(await embedded(bytesSource(utf8('a source')))).toBe('a source');
    expect(await embedded({ ignition: { version: '3.4.0' }, storage: {} })).toBe(
      '{"ignition":{"version":"3.4.0"},"storage":{}}',
    );
    expect(await embedded(null)).toBeUndefined();
  });

  test.each([
    ['half a source', { read: () => undefined }],
    ['the other half', { size: 3 }],
    ['an object of something else', { version: '3.4.0' }],
    ['a list', []],
    ['a flag', true],
  ])('is not %s', async (_, ignition) => {
    await expect(wrap({ ignition } as LiveChanges)).rejects.toThrow(/^changes\.ignition must be /);
  });

  test('that has a member called size is still a config', async () => {
    expect(await embedded({ ignition: {}, size: 3 })).toBe('{"ignition":{},"size":3}');
    expect(await embedded({ ignition: {}, read: 3 })).toBe('{"ignition":{},"read":3}');
  });
});

describe('names', () => {
  const keyfile = (name: string): LiveChanges => ({ keyfiles: [{ name, content: '' }] });
  const files = (...paths: string[]): LiveChanges => ({ files: paths.map((path) => ({ path, content: '' })) });

  test.each<[string, LiveChanges]>([
    ['a dot', keyfile('.')],
    ['two dots', keyfile('..')],
    ['a NUL', keyfile('a\0b')],
    ['nothing', files('')],
    ['a component of nothing', files('a//b')],
    ['a component of a dot', files('a/./b')],
    ['a component of two dots', files('a/../b')],
    ['a slash at the end', files('a/')],
    ['a file and a directory, next to one another', files('a/b', 'a/b/c')],
    ['a file and a directory, far apart', files('a', 'a/b/c/d')],
    ['a file where keyfiles are', { ...files('etc'), ...keyfile('a') }],
    ['one name twice', files('a', 'b', 'a')],
  ])('%s is refused', async (_, changes) => {
    await expect(wrap(changes)).rejects.toMatchObject({ code: 'ISO_BAD_MEMBER' });
  });

  test.each<[string, LiveChanges]>([
    ['three dots', keyfile('...')],
    ['dots within', keyfile('a..b')],
    ['a directory that begins like a file', files('a', 'ab/c', 'a.b/c')],
    ['a config elsewhere', files('etc/config.ign')],
  ])('%s is accepted', async (_, changes) => {
    expect((await wrap(changes)).length).toBeGreaterThan(0);
  });

  test('refuses misplaced files with their right place', async () => {
    await expect(wrap(files('config.ign'))).rejects.toThrow('config.ign belongs to `ignition`, not to `files`');
    await expect(wrap(files(`${NETWORK}/a`))).rejects.toThrow(`${NETWORK}/a belongs to \`keyfiles\`, not to \`files\``);
  });
});

test.each([
  [{}, 'ab\n#####'],
  [{ pad: ' ' }, 'ab\n     '],
  [{ end: '\0' }, 'ab\0#####'],
  [{ pad: '.', end: '!' }, 'ab!.....'],
])('pads an area with %j', (marks, expected) => {
  const kargs = { default: '', current: '', capacity: 7, length: 8, areas: [{ offset: 5, length: 8, ...marks }] };
  const [patch] = kargsPatches(kargs, ' ab ');
  expect([patch?.offset, text(patch?.bytes as Uint8Array)]).toEqual([5, expected]);
  expect(kargsPatches(kargs, 'a'.repeat(7)).length).toBe(1);
  expect(() => kargsPatches(kargs, 'a'.repeat(8))).toThrow('kargs too large for area: 9 vs 8');
  expect(() => kargsPatches(kargs, 'ää'.repeat(2))).toThrow('kargs too large for area: 9 vs 8');
});

describe('growth', () => {
  test.each([
    [0, '0 KiB'],
    [1, '1 KiB'],
    [1024, '1 KiB'],
    [1025, '2 KiB'],
    [1024 * 1024 - 1, '1024 KiB'],
    [1024 * 1024, '1 MiB'],
    [1024 * 1024 + 1, '2 MiB'],
  ])('formats %d bytes as %s', (bytes, words) => {
    expect(describeGrowth({ archive: bytes, area: 1024, added: 2 ** 20 })).toBe(
      `archive ${words}, area 1 KiB, the image grows by 1 MiB`,
    );
  });

  test('puts the record into the last whole sector before the reserved end', () => {
    expect(recordOffset(2 ** 20, 33 * 512)).toBe(2 ** 20 - 9 * 2048 - 2048);
    expect(recordOffset(2 ** 20, 4 * 2048)).toBe(2 ** 20 - 5 * 2048);
    expect(recordOffset(2 ** 20, 4 * 2048 + 1)).toBe(2 ** 20 - 6 * 2048);
  });

  test('refuses records that do not fit into one sector', () => {
    const note = (length: number) =>
      encodeGrowthRecord({ originalSize: 1, originals: [{ offset: 0, bytes: new Uint8Array(length) }] });
    expect(note(2048 - 28 - 10)).toHaveLength(2048);
    const message = 'the growth record needs 2049 bytes, and there is room for 2048';
    expect(() => note(2048 - 28 - 9)).toThrow(expect.objectContaining({ code: 'ISO_CANNOT_GROW', message }));
  });
});

describe('a recipe', () => {
  const digest = new Uint8Array(32);
  const recipe = (...entries: { minimal: number; full: number; length: number }[]) => ({
    appVersion: '1',
    entries,
    digest,
    packed: new Uint8Array(0),
  });

  test.each([
    [0, '00'],
    [250, 'fa'],
    [251, 'fbfb00'],
    [0xffff, 'fbffff'],
    [0x10000, 'fc00000100'],
    [0xffffffff, 'fcffffffff'],
  ])('writes the number %d as %s and reads it back', (full, hex) => {
    const bytes = encodeRecipe(recipe({ minimal: 1, full, length: 9 }));
    expect(Buffer.from(bytes).toString('hex')).toContain(`0101${hex}09`);
    expect(decodeRecipe(bytes).entries).toEqual([{ minimal: 1, full, length: 9 }]);
  });

  test('refuses numbers over 32 bits', () => {
    const bytes = encodeRecipe(recipe({ minimal: 1, full: 2 ** 32, length: 9 }));
    expect(Buffer.from(bytes).toString('hex')).toContain('fd0000000001000000');
    expect(() => decodeRecipe(bytes)).toThrow('failed to deserialize data');
  });

  test('allows adjacent files, but no overlapping ones', () => {
    const touching = [
      { minimal: 1, full: 7, length: 2048 },
      { minimal: 2, full: 3, length: 1 },
    ];
    expect(recipeEntries(touching.toReversed())).toEqual(touching);
    expect(() => recipeEntries([{ minimal: 1, full: 7, length: 2049 }, touching[1]!])).toThrow('validating table');
  });

  test.each([
    ['minimal', { minimal: 3 }],
    ['full', { full: 9 }],
    ['length', { length: 2 }],
  ])('refuses two files at one place with another %s', (member, other) => {
    const entry = { minimal: 1, full: 7, length: 1 };
    const both = () => recipeEntries([entry, { ...entry, ...other }]);
    if (member === 'minimal') expect(both()).toHaveLength(2);
    else expect(both).toThrow('validating table');
    expect(recipeEntries([entry, { ...entry }])).toEqual([entry]);
  });

  test.each([31, 33])('has a digest of 32 bytes, not %d', (length) => {
    expect(() => encodeRecipe({ ...recipe(), digest: new Uint8Array(length) })).toThrow(RangeError);
  });

  test('has at most a mebibyte', () => {
    const empty = encodeRecipe({ ...recipe({ minimal: 1, full: 1, length: 1 }), packed: new Uint8Array(70_000) });
    const room = 2 ** 20 - empty.length + 70_000;
    const filled = (more: number) =>
      encodeRecipe({ ...recipe({ minimal: 1, full: 1, length: 1 }), packed: new Uint8Array(room + more) });
    expect(decodeRecipe(filled(0)).packed).toHaveLength(room);
    expect(() => filled(1)).toThrow('collision with data size limit');
  });
});
