import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { type IsoEntry, openIso, writeIso } from '@coreiso/iso/iso9660';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeWith, output } from '../../../../test/support/tools.ts';
import { byPath, bytes, contentsOf, listDirectory, listEntries, saved, temporaryDirectory } from './support.ts';

/** Names that collide when shortened, need more than one field, or resemble special names. */
const name = fc.oneof(
  fc.constantFrom('a', 'A', 'same-name-1.txt', 'same-name-2.txt', 'Same-Name-1.TXT', '.a', 'a.', 'a.b.c', 'ü', '世界'),
  fc.stringMatching(/^[a-zA-Z0-9 +_-]{1,40}$/).filter((text) => text.trim() !== ''),
  fc.nat(240).map((length) => `long${'x'.repeat(length)}`),
);

const target = fc
  .array(fc.oneof(fc.constantFrom('..', '.'), name), { minLength: 1, maxLength: 30 })
  .map((parts) => parts.join('/'));

const mode = fc.constantFrom(0o400, 0o644, 0o755, 0o777);

/** The result lists every directory, so that its mode is known. */
const trees = fc
  .array(
    fc.record({
      directories: fc.array(name, { maxLength: 4 }),
      name,
      mode,
      what: fc.oneof(
        target.map((text) => ({ kind: 'symlink' as const, target: text })),
        fc.uint8Array({ maxLength: 3000 }).map((content) => ({ kind: 'file' as const, content })),
      ),
    }),
    { maxLength: 40 },
  )
  .map((leaves) => {
    const entries = new Map<string, IsoEntry>();
    for (const leaf of leaves) {
      const paths = leaf.directories.map((_, index) => `/${leaf.directories.slice(0, index + 1).join('/')}`);
      const path = `${paths.at(-1) ?? ''}/${leaf.name}`;
      if (entries.has(path) || paths.some((above) => (entries.get(above)?.kind ?? 'directory') !== 'directory'))
        continue;
      for (const above of paths) entries.set(above, { kind: 'directory', path: above });
      entries.set(path, leaf.what.kind === 'file' ? { ...leaf.what, path, mode: leaf.mode } : { ...leaf.what, path });
    }
    return [...entries.values()];
  });

describeWith(['bsdtar', 'xorriso'], 'any tree', () => {
  test('is extracted unchanged by bsdtar and xorriso', async () => {
    await fc.assert(
      fc.asyncProperty(trees, async (entries) => {
        const { source } = await writeIso(entries, { volumeId: 'TREE' });
        const path = await saved(source);
        const [bsdtar, xorriso] = [temporaryDirectory(), temporaryDirectory()];
        output('bsdtar', ['-xpf', path, '-C', bsdtar], { env: { LC_ALL: 'C.UTF-8' } });
        output('xorriso', ['-osirrox', 'on', '-indev', path, '-extract', '/', xorriso]);
        const contents = new Map(
          entries.flatMap((entry) =>
            entry.kind === 'file' ? [[entry.path, Buffer.from(entry.content as Uint8Array).toString('latin1')]] : [],
          ),
        );
        for (const directory of [bsdtar, xorriso]) {
          expect(byPath(listDirectory(directory))).toEqual(byPath(listEntries(entries)));
          expect(contentsOf(directory)).toEqual(contents);
        }
      }),
      { numRuns: 25 },
    );
  });

  test('keeps its dates to the second', async () => {
    const modified = new Date('2024-02-29T23:59:58Z');
    const entries: IsoEntry[] = [
      { kind: 'file', path: '/dated', content: bytes('x'), modified },
      { kind: 'file', path: '/undated', content: bytes('x') },
    ];
    const { source } = await writeIso(entries, { volumeId: 'DATES', timestamp: new Date('2001-01-01T00:00:00Z') });
    const directory = temporaryDirectory();
    output('bsdtar', ['-xpf', await saved(source), '-C', directory]);
    expect(lstatSync(join(directory, 'dated')).mtime).toEqual(modified);
    expect(lstatSync(join(directory, 'undated')).mtime).toEqual(new Date('2001-01-01T00:00:00Z'));
  });
});

test('writes any tree so that our own reader lists it unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(trees, async (entries) => {
      const { source } = await writeIso(entries, { volumeId: 'TREE' });
      const paths: string[] = [];
      for await (const { path } of (await openIso(source)).walk()) paths.push(`/${path.replace(/^\//, '')}`);
      expect(paths.sort()).toEqual(entries.map(({ path }) => path).sort());
    }),
    { numRuns: 50 },
  );
});

describe('path tables', () => {
  const entries: IsoEntry[] = ['/b/y/deep', '/a/x', '/b/z', '/c'].map((path) => ({ kind: 'directory', path }));

  test.each([
    ['primary', 16, ['\0', 'A', 'B', 'C', 'X', 'Y', 'Z', 'DEEP']],
    ['Joliet', 17, ['\0', '\0a', '\0b', '\0c', '\0x', '\0y', '\0z', '\0d\0e\0e\0p']],
  ])('of the %s volume are equal in both byte orders, level by level', async (_, sector, names) => {
    const { source } = await writeIso(entries, { volumeId: 'TABLES' });
    const image = Buffer.from(await source.read(0, source.size));
    const descriptor = image.subarray(sector * 2048);
    const size = descriptor.readUInt32LE(132);
    const little = parse(image.subarray(descriptor.readUInt32LE(140) * 2048).subarray(0, size), 'LE');
    const big = parse(image.subarray(descriptor.readUInt32BE(148) * 2048).subarray(0, size), 'BE');
    expect(little).toEqual(big);
    expect(little.map((row) => row.name)).toEqual(names);
    expect(little.map((row) => row.parent)).toEqual([1, 1, 1, 1, 2, 3, 3, 6]);
    // Each row points to a directory whose own first record points back to it.
    for (const { extent } of little) expect(image.readUInt32LE(extent * 2048 + 2)).toBe(extent);
  });

  test('of several sectors are complete, and the data after them is in its place', async () => {
    const many = Array.from({ length: 300 }, (_, n): IsoEntry => ({ kind: 'directory', path: `/directory${n}/inner` }));
    const { source } = await writeIso(many, { volumeId: 'TABLES' });
    const image = Buffer.from(await source.read(0, source.size));
    for (const sector of [16, 17]) {
      const descriptor = image.subarray(sector * 2048);
      const size = descriptor.readUInt32LE(132);
      expect(size).toBeGreaterThan(2 * 2048);
      const [little, big] = [descriptor.readUInt32LE(140), descriptor.readUInt32BE(148)];
      expect(big - little).toBe(Math.ceil(size / 2048));
      const rows = parse(image.subarray(little * 2048).subarray(0, size), 'LE');
      expect(rows).toEqual(parse(image.subarray(big * 2048).subarray(0, size), 'BE'));
      expect(rows).toHaveLength(601);
      for (const { extent } of rows) expect(image.readUInt32LE(extent * 2048 + 2)).toBe(extent);
    }
  });

  function parse(table: Buffer, order: 'LE' | 'BE'): { extent: number; parent: number; name: string }[] {
    const rows = [];
    for (let at = 0; at < table.length; ) {
      const length = table[at] ?? 0;
      const extent = order === 'LE' ? table.readUInt32LE(at + 2) : table.readUInt32BE(at + 2);
      const parent = order === 'LE' ? table.readUInt16LE(at + 6) : table.readUInt16BE(at + 6);
      rows.push({ extent, parent, name: table.toString('latin1', at + 8, at + 8 + length) });
      at += 8 + length + (length % 2);
    }
    return rows;
  }
});
