// ISO 9660 images: each view of the reader, the tables around the file system, and the writer against the reader.
import { bytesOf } from '@coreiso/iso';
import { type Iso, type IsoEntry, type IsoView, type IsoWriterOptions, openIso, writeIso } from '@coreiso/iso/iso9660';
import { packImage, unpackImage } from '../sparse.ts';
import { allowed, allowMisuse, assertHolds, jsonOf, type Target, textOf } from '../target.ts';

const LIMITS = { entries: 500, bytes: 1 << 20, depth: 16 };
/** A walk reads each directory and continuation area separately. */
const READS = { reads: 5_000, bytes: 1 << 24 };
const MEMORY = 64 * 1024 * 1024;

const TREE: readonly IsoEntry[] = [
  { path: 'a.txt', kind: 'file', content: 'a' },
  { path: 'EFI/BOOT/grub.cfg', kind: 'file', content: 'linux /vmlinuz\n', mode: 0o755 },
  { path: `deep/deep/${'long-'.repeat(40)}name`, kind: 'file', content: 'b' },
  { path: 'Größe/😀.bin', kind: 'file', content: 'c', modified: new Date('2024-02-29T12:00:00Z') },
  { path: 'link', kind: 'symlink', target: '../a.txt/./x' },
  { path: 'same', kind: 'link', to: 'a.txt' },
  { path: 'boot.img', kind: 'file', content: 'boot '.repeat(300) },
  { path: 'efi.img', kind: 'file', content: 'efi', align: 4096 },
  { path: 'empty', kind: 'directory', mode: 0o700 },
];
const BOOT: NonNullable<IsoWriterOptions['boot']> = {
  images: [
    { platform: 'bios', path: 'boot.img', loadSectors: 4, bootInfoTable: true },
    { platform: 'efi', path: 'efi.img' },
  ],
  catalogPath: 'boot.cat',
};

const images = (): Promise<Uint8Array[]> =>
  Promise.all([
    packed([{ path: 'a', kind: 'file', content: 'x' }], { volumeId: 'small', joliet: false }),
    packed(TREE.slice(0, 6), { volumeId: 'tree' }),
    packed(TREE, { volumeId: 'boot', joliet: false, boot: BOOT }),
    packed(TREE, { volumeId: 'hybrid', boot: BOOT, hybrid: {} }),
  ]);

async function packed(entries: readonly IsoEntry[], options: IsoWriterOptions): Promise<Uint8Array> {
  return packImage(await bytesOf((await writeIso(entries, options)).source));
}

function image(name: string, use: (iso: Iso) => Promise<void>, view?: IsoView): Target {
  return {
    name: `iso9660/${name}`,
    shape: 'bytes',
    seeds: images,
    longest: 24 * 1024,
    memory: MEMORY,
    words: [
      'CD001',
      'EFI PART',
      'EL TORITO SPECIFICATION',
      'SP\u0007\u0001',
      'RRIP_1991A',
      '%/E',
      '%/@',
      'NM',
      'SL',
      'CE',
      'CL',
      'RE',
      'ZF',
      'SF',
      ';1',
    ],
    run: async (input) => {
      await allowed(async () => use(await openIso(unpackImage(input, READS), { view, limits: LIMITS })));
    },
  };
}

/** Walks the image, reads small files, and looks up every fourth entry. */
async function walk(iso: Iso): Promise<void> {
  let count = 0;
  for await (const entry of iso.walk()) {
    assertHolds(++count <= LIMITS.entries, 'a walk ends at the limit of entries');
    assertHolds(entry.path.split('/').length <= LIMITS.depth + 1, 'a walk ends at the limit of depth');
    if (entry.kind !== 'file' || entry.size > 1 << 16 || count % 4 !== 0) continue;
    const contents = allowed(() => iso.contents(entry));
    assertHolds(contents === undefined || contents.size === entry.size, 'the contents have the size of the entry');
    await allowed(async () => iso.entry(entry.path));
  }
}

interface Wish {
  path?: unknown;
  text?: unknown;
  to?: unknown;
  target?: unknown;
  mode?: unknown;
}

export const targets: readonly Target[] = [
  image('strict', walk, 'strict'),
  image('natural', walk),
  image('rock-ridge', walk, 'rock-ridge'),
  image('joliet', walk, 'joliet'),
  image('el-torito', async (iso) => void (await iso.bootCatalog())),
  image('partitions', async (iso) => void (await iso.partitions())),
  {
    name: 'iso9660/writer',
    shape: 'tree',
    memory: MEMORY,
    steps: { base: 2_000_000, perByte: 4_000 },
    seeds: () => [
      JSON.stringify([
        { path: 'a', text: 'x' },
        { path: 'b/c', text: 'y' },
      ]),
      JSON.stringify([
        { path: 'ü/😀', text: '' },
        { path: 'l', target: '/a/../b' },
        { path: 'd' },
        { path: 'h', to: 'ü/😀' },
      ]),
      JSON.stringify(
        ['x'.repeat(255), 'X'.repeat(31), `${'d/'.repeat(9)}f`, 'a.b.c', 'A.B;1', '.a'].map((path) => ({
          path,
          text: path,
        })),
      ),
    ],
    run: async (input) => {
      const list = jsonOf(input);
      if (!Array.isArray(list) || list.length > 40) return;
      const entries = list.map(entryOf).filter((entry) => entry !== undefined);
      const written = await allowMisuse(() => writeIso(entries, { volumeId: 'fuzz' }));
      if (written === undefined) return;
      const iso = await openIso(written.source, { view: 'rock-ridge' });
      const found = new Map<string, string>();
      for await (const { path, kind, target } of iso.walk())
        found.set(path, kind === 'symlink' ? `to ${target}` : kind);
      for (const entry of entries) {
        const path = entry.path.replace(/^\/+|\/+$/g, '');
        // A walk does not contain the root.
        if (path === '') continue;
        const kind = entry.kind === 'symlink' ? `to ${entry.target}` : entry.kind === 'link' ? 'file' : entry.kind;
        assertHolds(
          found.get(path) === kind,
          () => `${JSON.stringify(path)}, a ${kind}, is found, not ${found.get(path)}`,
        );
        if (entry.kind !== 'file') continue;
        const bytes = await bytesOf(await iso.file(path));
        assertHolds(textOf(bytes) === entry.content, 'a file has what was written into it');
      }
      for await (const _ of iso.walk({ view: 'joliet' }));
      for await (const _ of iso.walk({ view: 'strict' }));
    },
  },
];

function entryOf(wish: Wish | null): IsoEntry | undefined {
  const { path, text, to, target, mode } = wish ?? {};
  if (typeof path !== 'string') return undefined;
  if (typeof target === 'string') return { path, kind: 'symlink', target };
  if (typeof to === 'string') return { path, kind: 'link', to };
  const permissions = typeof mode === 'number' ? { mode } : {};
  if (typeof text !== 'string') return { path, kind: 'directory', ...permissions };
  return { path, kind: 'file', content: text, ...permissions };
}
