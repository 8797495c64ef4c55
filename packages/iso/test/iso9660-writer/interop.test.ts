import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type IsoEntry, writeIso } from '@coreiso/iso/iso9660';
import { describe, expect, test } from 'vitest';
import { describeWith, output } from '../../../../test/support/tools.ts';
import { compose } from '../../src/bytes/compose.ts';
import { zeros } from '../../src/bytes/source.ts';
import {
  byPath,
  bytes,
  contentsOf,
  type Listed,
  listDirectory,
  listEntries,
  saved,
  temporaryDirectory,
} from './support.ts';

const deep = Array.from({ length: 12 }, (_, level) => `level-${level}-with-a-long-name`);
const deepDirectories = deep.map((_, level): IsoEntry => {
  return { kind: 'directory', path: `/${deep.slice(0, level + 1).join('/')}` };
});

/** Names, modes and links that are difficult for writers. */
const ENTRIES: readonly IsoEntry[] = [
  { kind: 'directory', path: '/empty-directory', mode: 0o700 },
  { kind: 'directory', path: '/coreos' },
  { kind: 'file', path: '/coreos/kargs.json', content: bytes('{}\n'), mode: 0o444 },
  { kind: 'file', path: '/coreos/same name 1.text', content: bytes('one') },
  { kind: 'file', path: '/coreos/same name 2.text', content: bytes('two'), mode: 0o755 },
  { kind: 'file', path: '/.hidden', content: bytes('h') },
  { kind: 'file', path: '/empty', content: new Uint8Array() },
  { kind: 'file', path: '/exactly-one-sector', content: new Uint8Array(2048).fill(0x61) },
  { kind: 'file', path: '/one-byte-more', content: new Uint8Array(2049).fill(0x62) },
  { kind: 'file', path: '/grüße, 世界.txt', content: bytes('unicode') },
  { kind: 'file', path: `/${'n'.repeat(255)}`, content: bytes('longest name') },
  { kind: 'link', path: '/hard-link', to: '/coreos/kargs.json' },
  { kind: 'symlink', path: '/absolute', target: '/etc/passwd' },
  { kind: 'symlink', path: '/relative', target: '../.././coreos/kargs.json' },
  { kind: 'symlink', path: '/long-component', target: `a/${'x'.repeat(255)}/b` },
  { kind: 'symlink', path: '/many-parents', target: Array.from({ length: 130 }, () => '..').join('/') },
  {
    kind: 'symlink',
    path: '/long-target',
    target: Array.from({ length: 45 }, (_, n) => `component-${n}-xxxx`).join('/'),
  },
  ...deepDirectories,
  { kind: 'file', path: `/${deep.join('/')}/bottom`, content: bytes('deep') },
  { kind: 'directory', path: '/many' },
  ...Array.from({ length: 150 }, (_, n): IsoEntry => {
    return { kind: 'file', path: `/many/entry number ${n}.data`, content: bytes(`${n}`), mode: 0o600 };
  }),
];

const IDS = {
  volumeId: 'Our-volume.1',
  systemId: 'LINUX',
  volumeSetId: 'a set',
  publisherId: 'a publisher',
  preparerId: 'a preparer',
  applicationId: 'an application',
};

const EXPECTED = byPath(listEntries(ENTRIES));

const CONTENTS = new Map(
  ENTRIES.flatMap((entry) => {
    const file = entry.kind === 'link' ? ENTRIES.find(({ path }) => path === entry.to) : entry;
    if (file?.kind !== 'file' || !(file.content instanceof Uint8Array)) return [];
    return [[entry.path, Buffer.from(file.content).toString('latin1')] as const];
  }),
);

/** No symbolic links, and names of at most 64 characters. */
const JOLIET = EXPECTED.filter(({ mode }) => !mode.startsWith('l'))
  .map(({ path }) => (path === `/${'n'.repeat(255)}` ? path.slice(0, 65) : path))
  .sort();

async function image(): Promise<string> {
  const { source } = await writeIso(ENTRIES, IDS);
  return saved(source);
}

describeWith(['bsdtar'], 'bsdtar', () => {
  test('extracts every name, mode, link and byte', async () => {
    const directory = temporaryDirectory();
    output('bsdtar', ['-xpf', await image(), '-C', directory], { env: { LC_ALL: 'C.UTF-8' } });
    expect(byPath(listDirectory(directory))).toEqual(EXPECTED);
    expect(contentsOf(directory)).toEqual(CONTENTS);
  });

  test('lists every Joliet name except symbolic links', async () => {
    const args = ['--options', 'iso9660:!rockridge', '-tf', await image()];
    const paths = output('bsdtar', args, { env: { LC_ALL: 'C.UTF-8' } })
      .toString()
      .split('\n');
    expect(
      paths
        .filter((path) => path !== '' && path !== '.')
        .map((path) => `/${path}`)
        .sort(),
    ).toEqual(JOLIET);
  });

  test('sees the hard link as one', async () => {
    const lines = output('bsdtar', ['-tvf', await image()])
      .toString()
      .split('\n');
    expect(lines.filter((line) => line.includes('kargs.json') && line.includes(' link to '))).toHaveLength(1);
  });
});

describeWith(['xorriso'], 'xorriso', () => {
  test('extracts every name, mode, link and byte', async () => {
    const directory = join(temporaryDirectory(), 'tree');
    mkdirSync(directory);
    output('xorriso', ['-osirrox', 'on', '-indev', await image(), '-extract', '/', directory]);
    expect(byPath(listDirectory(directory))).toEqual(EXPECTED);
    expect(contentsOf(directory)).toEqual(CONTENTS);
  });

  test('reports the identifiers of the volume', async () => {
    const report = output('xorriso', ['-indev', await image(), '-pvd_info']).toString();
    const found = Object.fromEntries(
      [...report.matchAll(/^(\w+(?: \w+)*) *: (.*)$/gm)].map(([, key, value]) => [key, value]),
    );
    expect(found).toMatchObject({
      'Volume Id': IDS.volumeId,
      'System Id': IDS.systemId,
      'Volume Set Id': IDS.volumeSetId,
      'Publisher Id': IDS.publisherId,
      'Preparer Id': IDS.preparerId,
      'App Id': IDS.applicationId,
      'Creation Time': '1970010100000000',
    });
  });
});

describeWith(['isoinfo'], 'isoinfo', () => {
  const listing = (path: string, ...options: string[]) =>
    output('isoinfo', ['-i', path, '-l', ...options]).toString('utf8');

  test('lists every Rock Ridge name, mode and link', async () => {
    expect(byPath(parseListing(listing(await image(), '-R')))).toEqual(EXPECTED);
  });

  test('lists every Joliet name that it can print, except symbolic links', async () => {
    const paths = output('isoinfo', ['-i', await image(), '-J', '-f'])
      .toString('latin1')
      .split('\n');
    expect(paths.filter((path) => /^[ -~]+$/.test(path)).sort()).toEqual(
      JOLIET.filter((path) => /^[ -~]+$/.test(path)),
    );
  });

  test('finds upper-case names of eight and three characters in the primary volume', async () => {
    const names = [...listing(await image()).matchAll(/\] {2}(\S+) $/gm)].map(([, name]) => name ?? '');
    expect(names.filter((name) => !/^(\.{1,2}|[A-Z0-9_]{1,8}(\.[A-Z0-9_]{0,3};1)?)$/.test(name))).toEqual([]);
    expect(names).toEqual(
      expect.arrayContaining(['COREOS', 'KARGS.JSO;1', 'SAME_NA0.TEX;1', 'SAME_NA1.TEX;1', '_HIDDEN.;1']),
    );
  });

  test.each(['-R', '-J'])('reads contents by names of %s', async (view) => {
    expect(output('isoinfo', ['-i', await image(), view, '-x', '/coreos/kargs.json']).toString()).toBe('{}\n');
  });

  /** The sections of `isoinfo -l`, without `.` and `..`. */
  function parseListing(text: string): Listed[] {
    let directory = '';
    return text.split('\n').flatMap((line) => {
      const heading = /^Directory listing of (.*)$/.exec(line);
      if (heading !== null) directory = heading[1] ?? '';
      const entry = /^([-dl][-rwx]{9}) .*\] {2}(.+?)(?: -> (.*)| )$/.exec(line);
      if (entry === null || entry[2] === '.' || entry[2] === '..') return [];
      const [, mode = '', name = '', target] = entry;
      return [{ mode, path: directory + name, ...(target === undefined ? {} : { target }) }];
    });
  }
});

describeWith(['isovfy'], 'isovfy', () => {
  test('finds no error in any record', async () => {
    expect(output('isovfy', [await image()]).toString()).toContain('No errors found');
  });
});

describe('a file of more than 4 GiB', () => {
  const size = 2 ** 32 + 5;
  const big = () =>
    writeIso(
      [
        { kind: 'file', path: '/big', content: compose([bytes('start'), zeros(size - 8), bytes('end')]) },
        { kind: 'file', path: '/after', content: bytes('after') },
      ],
      { volumeId: 'BIG' },
    );

  describeWith(['xorriso'], 'to xorriso', () => {
    test('is one file of two extents, and ends in the second one', async () => {
      const { source } = await big();
      const args = ['-indev', await saved(source), '-find', '/big', '-exec', 'report_lba', '--', '-lsl', '/big'];
      const report = output('xorriso', args).toString();
      const extents = [...report.matchAll(/^File data lba: +(\d+) , +(\d+) , +(\d+)/gm)].map((row) =>
        row.slice(1).map(Number),
      );
      expect(extents.map(([part, , sectors]) => [part, sectors])).toEqual([
        [0, 2 ** 21 - 1],
        [1, 2],
      ]);
      expect(report).toContain(` ${size} `);
      expect(await source.read((extents[1]?.[1] ?? 0) * 2048 + 2048 + 2, 3)).toEqual(bytes('end'));
    });
  });

  describeWith(['bsdtar'], 'to bsdtar', () => {
    test('is one file of its whole size', async () => {
      const listing = output('bsdtar', ['-tvf', await saved((await big()).source)]).toString();
      expect(listing).toMatch(new RegExp(` ${size} Jan +1 +1970 big$`, 'm'));
    });
  });

  test('is at its place in the layout', async () => {
    const { source, extentOf } = await big();
    const { offset, length } = extentOf('/big');
    expect(length).toBe(size);
    expect(await source.read(offset + size - 3, 3)).toEqual(bytes('end'));
    expect(await source.read(extentOf('/after').offset, 5)).toEqual(bytes('after'));
  });
});
