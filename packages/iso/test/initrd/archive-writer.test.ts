import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../../test/support/scratch.ts';
import { describeWith, output } from '../../../../test/support/tools.ts';
import type { ByteSource } from '../../src/bytes/source.ts';
import { writeArchive } from '../../src/initrd/archive-writer.ts';
import { gzip, plain } from '../../src/initrd/encoders.ts';
import { archive, noise, sha256, text, utf8 } from './archives.ts';

const CONFIG = { path: 'config.ign', content: utf8('{"ignition": {"version": "3.0.0"}\n') };
const KEYFILES = ['b', 'a'].map((id) => ({
  path: `etc/coreos-firstboot-network/${id}.nmconnection`,
  content: utf8(`[connection]\nid=${id}\n`),
}));

test.each([
  ['nothing', [], 124, '23d0422b4fea28f771e872741bb370790b3cd0538eafb461233e820b84b57a2e'],
  ['one file', [CONFIG], 284, 'de19617f4d1db566d73cf8fb13e61673f59d08147e844b752a12e1e515ce24a9'],
  [
    'files in directories',
    [...KEYFILES, CONFIG],
    892,
    '0f58812eb3e327547c083afc1737f7b4c92bcc13526905302edbe08df6cbd3b3',
  ],
])('writes the same bytes as coreos-installer for %s', async (_, files, length, digest) => {
  const bytes = await archive(files, { compression: plain });
  expect([bytes.length, sha256(bytes)]).toEqual([length, digest]);
});

/** Names and modes in order, parsed without our reader: plain headers are text. */
function members(bytes: Uint8Array): string[] {
  return [...text(bytes).matchAll(/07070100[0-9a-f]{6}([0-9a-f]{8})[0-9a-f]{72}[0-9a-f]{16}([^\0]+)/g)].map(
    ([, mode, name]) => `${Number.parseInt(mode!, 16).toString(8)} ${name}`,
  );
}

test('writes directories before their contents, and files in byte order of their paths', async () => {
  const paths = ['c/f', 'c/a/b/d/f', 'd', 'c/g', 'c/a/c/f', 'a/b/c/d/e/f', '\u{10000}', '\uffff'];
  const bytes = await archive(
    paths.map((path) => ({ path, content: utf8('') })),
    { compression: plain },
  );
  expect(members(bytes).map((line) => line.split(' ')[1])).toEqual([
    ...['a', 'a/b', 'a/b/c', 'a/b/c/d', 'a/b/c/d/e', 'a/b/c/d/e/f', 'c', 'c/a', 'c/a/b', 'c/a/b/d', 'c/a/b/d/f'],
    ...['c/a/c', 'c/a/c/f', 'c/f', 'c/g', 'd', '\uffff', '\u{10000}', 'TRAILER!!!'],
  ]);
});

test('writes members for a leading dot or slash, as coreos-installer does', async () => {
  const files = ['./config.ign', '/etc/x', 'y//z'].map((path) => ({ path, content: utf8('') }));
  expect(members(await archive(files, { compression: plain }))).toEqual([
    ...['40755 .', '100600 ./config.ign', '40755 /', '40755 /etc', '100600 /etc/x', '40755 y', '100600 y//z'],
    '0 TRAILER!!!',
  ]);
});

test('keeps the given permissions', async () => {
  const files = [{ path: 'run', content: utf8('x'), mode: 0o755 }];
  expect(members(await archive(files, { compression: plain }))[0]).toBe('100755 run');
});

test.each([
  ['two members of one path', [CONFIG, CONFIG], 'two members are named config.ign'],
  ['an empty path', [{ path: '', content: utf8('') }], 'a member cannot be named ""'],
  ['the name of the trailer', [{ path: 'TRAILER!!!', content: utf8('') }], 'a member cannot be named "TRAILER!!!"'],
  ['a NUL in a path', [{ path: 'a\0b', content: utf8('') }], 'a member cannot be named "a\\u0000b"'],
  ['half a surrogate pair', [{ path: 'a\ud800', content: utf8('') }], 'a member cannot be named "a\\ud800"'],
])('refuses %s', async (_, files, message) => {
  await expect(archive(files)).rejects.toMatchObject({ code: 'ISO_BAD_MEMBER', message });
});

test('refuses a file over 4 GiB before reading', async () => {
  const content: ByteSource = { size: 2 ** 32, read: () => Promise.reject(new Error('was read')) };
  await expect(archive([{ path: 'big', content }])).rejects.toMatchObject({ code: 'ISO_BAD_MEMBER' });
});

test('refuses an invalid mode by name', async () => {
  await expect(archive([{ ...CONFIG, mode: 0o100644 }])).rejects.toThrow(
    new RangeError('mode must be a whole number from 0 to 4095, not 33188'),
  );
});

test('reads a member of 2 GiB in small pieces', async () => {
  let held = 0;
  const content: ByteSource = {
    size: 2 ** 31,
    async read(_, length) {
      held = Math.max(held, length);
      return ZEROS.subarray(0, length);
    },
  };
  let total = 0;
  for await (const chunk of writeArchive([{ path: 'big', content }], { compression: plain })) {
    held = Math.max(held, chunk.length);
    total += chunk.length;
  }
  expect(total).toBe(116 + 2 ** 31 + 124);
  expect(held).toBeLessThanOrEqual(1 << 20);
});
const ZEROS = new Uint8Array(1 << 20);

test('reports progress and can be aborted', async () => {
  const abort = new AbortController();
  const seen: number[] = [];
  const files = [{ path: 'big', content: noise('progress', 1 << 20) }];
  const work = archive(files, {
    signal: abort.signal,
    onProgress: ({ done, total }) => {
      seen.push(done);
      expect(total).toBe(1 << 20);
      if (done >= 1 << 19) abort.abort();
    },
  });
  await expect(work).rejects.toMatchObject({ name: 'AbortError' });
  expect(seen.at(-1)).toBeGreaterThanOrEqual(1 << 19);
  expect(seen.at(-1)).toBeLessThan(1 << 20);
});

test('gives the same gzip output for bytes and sources', async () => {
  const bytes = noise('source', 300_000);
  const source: ByteSource = { size: bytes.length, read: async (at, length) => bytes.slice(at, at + length) };
  const [one, other] = await Promise.all([bytes, source].map((content) => archive([{ path: 'x', content }])));
  expect(sha256(one!)).toBe(sha256(other!));
  expect([...one!.subarray(0, 10)]).toEqual([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 3]);
});

const FILES = [
  CONFIG,
  ...KEYFILES,
  { path: 'opt/ü/tool', content: noise('tool', 70_001), mode: 0o755 },
  { path: 'opt/empty', content: utf8('') },
];

describeWith(['cpio', 'gzip'], 'GNU cpio', () => {
  test.each([
    ['plain', plain, 'cat'],
    ['gzip', gzip, 'gzip -dc'],
  ])('unpacks our %s archives with contents and modes', async (_, compression, filter) => {
    const directory = scratchFolder();
    writeFileSync(join(directory, 'archive'), await archive(FILES, { compression }));
    output('sh', ['-c', `${filter} archive | cpio --quiet -idm`], { cwd: directory });
    for (const { path, content } of FILES) {
      expect(sha256(readFileSync(join(directory, path)))).toBe(sha256(content));
    }
    const modes = output('stat', ['-c', '%a %n', 'config.ign', 'opt', 'opt/ü/tool'], { cwd: directory });
    expect(modes.toString()).toBe('600 config.ign\n755 opt\n755 opt/ü/tool\n');
  });
});

describeWith(['bsdtar'], 'bsdtar', () => {
  test('lists and unpacks our archives', async () => {
    const directory = scratchFolder();
    writeFileSync(join(directory, 'archive'), await archive(FILES));
    expect(output('bsdtar', ['tf', 'archive'], { cwd: directory }).toString().split('\n')).toHaveLength(10);
    output('bsdtar', ['xf', 'archive'], { cwd: directory });
    for (const { path, content } of FILES) {
      expect(sha256(readFileSync(join(directory, path)))).toBe(sha256(content));
    }
  });
});
