import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ImageEntry, type Iso, type IsoView, openIso } from '@coreiso/iso/iso9660';
import { beforeAll, describe, expect, test } from 'vitest';
import { scratchFolder } from '../../../../test/support/scratch.ts';
import { describeWith, output } from '../../../../test/support/tools.ts';
import { bytesSource } from '../../src/bytes/source.ts';
import { countingSource } from '../support/counting-source.ts';
import { describeWithFixtures, FIXTURES, fixture } from '../support/fixtures.ts';
import { paths } from './support.ts';

const DEEP = 'deep/2/3/4/5/6/7/8/9/10/11';
const LONG = `${'long-name-'.repeat(20)}.txt`;

const FILES: Record<string, string> = {
  'README.md': 'read me\n',
  empty: '',
  'UPPER.lower.Mixed.tar.gz': 'x'.repeat(5000),
  [LONG]: 'long',
  'grüße.txt': 'umlauts\n',
  [`${DEEP}/file.txt`]: 'deep\n',
  'deep/2/other': 'other',
  ...Object.fromEntries(Array.from({ length: 120 }, (_, n) => [`many/entry-with-a-name-${n}.conf`, `${n}`])),
};

const LINKS: Record<string, string> = {
  'links/relative': '../deep/./2/../2/other',
  'links/absolute': '/etc/passwd',
  'links/root': '/',
  'links/parent': '..',
  'links/dotted': './x..y/.z',
};

/** Long enough for a continuation area, in which genisoimage hangs. */
const LONG_TARGET = `${'component-of-a-target/'.repeat(20)}end`;

function makeTree(root: string): void {
  for (const [path, content] of Object.entries(FILES)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  mkdirSync(join(root, 'links'));
  mkdirSync(join(root, 'hollow'));
  for (const [path, target] of Object.entries(LINKS)) symlinkSync(target, join(root, path));
  chmodSync(join(root, 'README.md'), 0o640);
  chmodSync(join(root, 'empty'), 0o4755);
  chmodSync(join(root, 'hollow'), 0o1777);
}

const open = (path: string): Promise<Iso> => openIso(bytesSource(readFileSync(path)));

async function collect(iso: Iso, view: IsoView = 'natural'): Promise<Map<string, ImageEntry>> {
  const entries = new Map<string, ImageEntry>();
  for await (const entry of iso.walk({ view })) entries.set(entry.path, entry);
  return entries;
}

const KINDS: Record<string, string> = { d: 'directory', '-': 'file', l: 'symlink' };

/** The output of `bsdtar -tv`: kind, permissions, size, name and target. */
function bsdtarListing(image: string): string[] {
  const lines = output('bsdtar', ['-tvf', image], { env: { LC_ALL: 'C.UTF-8' } })
    .toString()
    .trimEnd()
    .split('\n');
  return lines
    .map((line) => /^(.)(\S{9}) +\d+ +\d+ +\d+ +(\d+) \w+ +\d+ +[\d:]+ (.*)$/.exec(line)?.slice(1) ?? [line])
    .filter(([, , , path]) => path !== '.')
    .map(([kind = '', mode, size, path]) => `${KINDS[kind] ?? kind} ${mode} ${kind === '-' ? size : 0} ${path}`)
    .sort();
}

function permissions(mode: number): string {
  const letters = [...'rwxrwxrwx'].map((letter, bit) => (mode & (0o400 >> bit) ? letter : '-'));
  if (mode & 0o4000) letters[2] = letters[2] === 'x' ? 's' : 'S';
  if (mode & 0o2000) letters[5] = letters[5] === 'x' ? 's' : 'S';
  if (mode & 0o1000) letters[8] = letters[8] === 'x' ? 't' : 'T';
  return letters.join('');
}

function ourListing(entries: Map<string, ImageEntry>): string[] {
  return [...entries.values()]
    .map(({ kind, mode = 0, size, path, target }) => {
      const arrow = target === undefined ? '' : ` -> ${target}`;
      return `${kind} ${permissions(mode)} ${kind === 'file' ? size : 0} ${path}${arrow}`;
    })
    .sort();
}

const MAKERS: [name: string, args: (image: string, tree: string) => [string, ...string[]]][] = [
  [
    'genisoimage',
    (image, tree) => [
      'genisoimage',
      '-quiet',
      '-input-charset',
      'utf-8',
      '-V',
      'Volume_1',
      '-R',
      '-J',
      '-joliet-long',
      '-o',
      image,
      tree,
    ],
  ],
  [
    'xorriso',
    (image, tree) => [
      'xorriso',
      '-as',
      'mkisofs',
      '-quiet',
      '-V',
      'Volume_1',
      '-R',
      '-J',
      '-joliet-long',
      '-o',
      image,
      tree,
    ],
  ],
  [
    'xorriso with relocation',
    (image, tree) => [
      'xorriso',
      '-compliance',
      'deep_paths_off',
      '-as',
      'mkisofs',
      '-quiet',
      '-V',
      'Volume_1',
      '-R',
      '-J',
      '-joliet-long',
      '-o',
      image,
      tree,
    ],
  ],
];

describeWith(['xorriso'], 'a file that xorriso compressed', () => {
  test('is refused, and its neighbours are read', async () => {
    const directory = scratchFolder();
    writeFileSync(join(directory, 'text'), 'text '.repeat(20_000));
    writeFileSync(join(directory, 'plain'), 'plain');
    const [image, text, plain] = ['image.iso', 'text', 'plain'].map((name) => join(directory, name));
    const map = ['-map', text!, '/text', '-map', plain!, '/plain', '-set_filter', '--zisofs', '/text', '--'];
    output('xorriso', ['-outdev', image!, '-zisofs', 'default', ...map, '-commit']);
    const iso = await open(image!);
    await expect(iso.file('text')).rejects.toMatchObject({ code: 'ISO_UNSUPPORTED' });
    expect(new TextDecoder().decode(await (await iso.file('plain')).read(0, 5))).toBe('plain');
  });
});

describeWith(['xorriso', 'genisoimage', 'bsdtar', 'isoinfo'], 'images of other programs', () => {
  const scratch = scratchFolder();
  const tree = join(scratch, 'tree');
  const imageOf = (maker: string): string => join(scratch, `${maker.replaceAll(' ', '-')}.iso`);

  beforeAll(() => {
    makeTree(tree);
    for (const [maker, args] of MAKERS) {
      const [program, ...rest] = args(imageOf(maker), tree);
      output(program, rest, { env: { LC_ALL: 'C.UTF-8' } });
    }
  });

  // Not the last one: bsdtar treats xorriso's moved directories as damage.
  test.each(MAKERS.slice(0, -1))(
    '%s: the natural view lists the same as bsdtar, with kinds, modes, sizes and targets',
    async (maker) => {
      const iso = await open(imageOf(maker));
      expect(ourListing(await collect(iso))).toEqual(bsdtarListing(imageOf(maker)));
      expect(iso.oddities).toEqual([]);
    },
  );

  describe.each(MAKERS)('%s', (maker) => {
    test('the natural view finds the same as xorriso', async () => {
      const found = output('xorriso', ['-indev', imageOf(maker), '-find', '/', '-exec', 'echo'], {
        env: { LC_ALL: 'C.UTF-8' },
      });
      const theirs = found
        .toString()
        .split('\n')
        .filter((line) => /^'\/.+'$/.test(line) && line !== "'/rr_moved'");
      const ours = await collect(await open(imageOf(maker)));
      expect([...ours.keys()].map((path) => `'/${path}'`).sort()).toEqual(theirs.sort());
    });

    test('every file is read unchanged', async () => {
      const iso = await open(imageOf(maker));
      for (const [path, content] of Object.entries(FILES)) {
        const file = await iso.file(path);
        expect(new TextDecoder().decode(await file.read(0, file.size))).toBe(content);
      }
    });

    test('the Joliet view lists the same as isoinfo -J', async () => {
      const theirs = output('isoinfo', ['-f', '-J', '-j', 'iso8859-1', '-i', imageOf(maker)]).toString('latin1');
      const ours = await collect(await open(imageOf(maker)), 'joliet');
      expect([...ours.keys()].map((path) => `/${path}`).sort()).toEqual(theirs.trimEnd().split('\n').sort());
    });

    test('the plain view lists the same as isoinfo, in lower case and without versions', async () => {
      const theirs = output('isoinfo', ['-f', '-i', imageOf(maker)])
        .toString()
        .trimEnd()
        .split('\n');
      const ours = await collect(await open(imageOf(maker)), 'plain');
      const plain = theirs.map((path) => path.toLowerCase().replace(/\.?;1$/, ''));
      expect([...ours.keys()].map((path) => `/${path}`).sort()).toEqual(plain.sort());
    });

    test('the volume id is the same as in isoinfo', async () => {
      const { volume } = await open(imageOf(maker));
      expect(output('isoinfo', ['-d', '-i', imageOf(maker)]).toString()).toContain(`Volume id: ${volume.volumeId}\n`);
      expect(volume.volumeId).toBe('Volume_1');
    });

    test('a plain name is found in either case', async () => {
      const iso = await open(imageOf(maker));
      const lower = await iso.entry('/readme.md', { view: 'plain' });
      expect(await iso.entry('/README.MD', { view: 'plain' })).toEqual(lower);
    });

    test('a walk reads each directory once', async () => {
      const source = countingSource(bytesSource(readFileSync(imageOf(maker))));
      const iso = await openIso(source);
      const directories = [...(await collect(iso)).values()].filter(({ kind }) => kind === 'directory');
      // Descriptors, the root, the directory of moved directories, and a few sectors of continuation areas.
      expect(source.reads.length).toBeLessThanOrEqual(directories.length + 10);
      const before = source.reads.length;
      await collect(iso);
      expect(source.reads.length).toBe(before);
    });
  });

  test('reads a link with a long target from continuation areas', async () => {
    const directory = join(scratch, 'long-link');
    mkdirSync(directory);
    symlinkSync(LONG_TARGET, join(directory, 'link'));
    const image = join(scratch, 'long-link.iso');
    output('xorriso', ['-as', 'mkisofs', '-quiet', '-R', '-o', image, directory]);
    expect(await (await open(image)).entry('link')).toMatchObject({ kind: 'symlink', target: LONG_TARGET });
  });

  test.each([
    ['Joliet alone', ['-J', '-joliet-long'], `${LONG.slice(0, 103)}`, 'Mixed'],
    ['nothing', [], 'readme.md', 'mixed'],
  ])('lists the available names of an image with %s', async (title, options, name) => {
    const image = join(scratch, `${title.replaceAll(' ', '-')}.iso`);
    output('genisoimage', ['-quiet', '-input-charset', 'utf-8', '-D', ...options, '-o', image, tree]);
    const names = await paths((await open(image)).walk());
    expect(names.some((path) => path.startsWith(name))).toBe(true);
    expect(names.every((path) => !path.includes(';'))).toBe(true);
  });
});

describeWithFixtures('real images', () => {
  describeWith(['bsdtar'], 'beside bsdtar', () => {
    const scratch = scratchFolder();

    test.each(FIXTURES.filter((name) => name !== 'synthetic.iso'))('lists %s alike', async (name) => {
      const image = join(scratch, name);
      writeFileSync(image, fixture(name));
      expect(ourListing(await collect(await open(image)))).toEqual(bsdtarListing(image));
    });
  });
});
