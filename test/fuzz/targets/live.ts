// Live images: areas, metadata, recipe, growth record, journal, and the proof that they boot.
import {
  bytesOf,
  bytesSource,
  edit,
  editKargs,
  formatInspection,
  inspect,
  isPristine,
  openLiveImage,
  overlay,
  reset,
  verifyImage,
} from '@coreiso/iso';
import { sampleIso } from '@coreiso/iso/sample';
import { openFat } from '../../../packages/iso/src/boot/fat.ts';
import { chooseWithGrub } from '../../../packages/iso/src/boot/grub.ts';
import { parseGrubScript } from '../../../packages/iso/src/boot/grub-script.ts';
import { chooseWithIsolinux } from '../../../packages/iso/src/boot/isolinux-menu.ts';
import type { Place } from '../../../packages/iso/src/boot/places.ts';
import { crc32 } from '../../../packages/iso/src/checksums/crc32.ts';
import { parseFeatures } from '../../../packages/iso/src/live/features.ts';
import { decodeRecipe, encodeRecipe } from '../../../packages/iso/src/live/minimal/recipe.ts';
import type { FileStat, FileSystem, OpenFile } from '../../../packages/iso/src/node/file-system.ts';
import { openJournal } from '../../../packages/iso/src/node/journal.ts';
import { packImage, unpackImage } from '../sparse.ts';
import { allowed, allowMisuse, assertHolds, jsonOf, type Target, textOf, textsOf } from '../target.ts';

const READS = { reads: 20_000, bytes: 1 << 26 };
const MEMORY = 256 * 1024 * 1024;
const LONGEST = 256 * 1024;
const KINDS = [
  '2020-09.x86_64',
  '2021-01.x86_64',
  '2023-07.x86_64',
  '2023-07.aarch64',
  '2023-07.s390x',
  '2025-04.ppc64le',
];

const samples = (kinds = KINDS) =>
  Promise.all(kinds.map(async (kind) => packImage(await bytesOf(await sampleIso({ kind })))));

async function grownSample(): Promise<Uint8Array> {
  const image = await openLiveImage(await sampleIso());
  const { overlay: grown } = await edit(image, { ignition: noise(300_000) }, { grow: true });
  return bytesOf(grown);
}

/** Does not compress, and is the same each time. */
function noise(length: number): Uint8Array {
  let state = 1;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1103515245) + 12345) | 0;
    return state >>> 16;
  });
}

export const targets: readonly Target[] = [
  {
    name: 'live/image',
    shape: 'bytes',
    longest: LONGEST,
    memory: MEMORY,
    steps: { base: 2_000_000, perByte: 200 },
    seeds: () => samples(),
    words: ['coreiso+', 'coreKarg', 'MINISO', 'COREOS/KARGS.JSO', '"offset":', '"size":', '"files":', '"default":'],
    run: async (input) => {
      const image = await allowed(() => openLiveImage(unpackImage(input, READS)));
      if (image === undefined) return;
      await allowed(() => image.features());
      await allowed(() => image.minimal());
      await allowed(() => isPristine(image));
      const { kargs } = image;
      const result = await allowed(() =>
        edit(image, { ignition: new TextEncoder().encode('{}'), ...(kargs && { kargs: { append: ['a=b'] } }) }),
      );
      if (result === undefined) return;
      assertHolds(result.overlay.size === image.source.size, 'an edit within the areas keeps the size');
      const again = await allowed(() => openLiveImage(result.overlay));
      if (again !== undefined && kargs !== undefined)
        assertHolds(
          again.kargs?.current === result.summary.kargs?.text,
          'kernel arguments are read as they were written',
        );
    },
  },
  {
    name: 'live/boot-proof',
    shape: 'bytes',
    longest: LONGEST,
    memory: MEMORY,
    steps: { base: 4_000_000, perByte: 400 },
    seeds: () => samples(),
    words: [
      'set default=',
      'menuentry ',
      'linux ',
      'initrd ',
      'LABEL ',
      'APPEND ',
      'KERNEL ',
      'EFI PART',
      'FAT16   ',
      'configfile ',
      'search ',
    ],
    run: async (input) => {
      const inspection = await allowed(() => inspect(unpackImage(input, READS)));
      if (inspection !== undefined) formatInspection(inspection);
      await allowed(() => verifyImage(unpackImage(input, READS)));
    },
  },
  {
    name: 'live/growth',
    shape: 'bytes',
    seeds: async () => {
      const image = await grownSample();
      const at = Buffer.from(image).lastIndexOf('coreiso grown\n');
      return [image.slice(at, at + 2048)];
    },
    longest: 2048,
    memory: MEMORY,
    steps: { base: 4_000_000, perByte: 400 },
    // Another record of a grown image, with a correct checksum.
    run: async (input) => {
      grown ??= grownSample();
      const image = await grown;
      const at = Buffer.from(image).lastIndexOf('coreiso grown\n');
      const sector = new Uint8Array(2048);
      sector.set(input);
      sector.fill(0, 24, 28);
      new DataView(sector.buffer).setUint32(24, crc32(sector), true);
      const source = overlay(bytesSource(image), [{ offset: at, bytes: sector }]);
      const result = await allowMisuse(async () => reset(await openLiveImage(source)));
      assertHolds(result === undefined || result.overlay.size <= image.length, 'an image is no longer after a reset');
    },
  },
  {
    name: 'live/recipe',
    shape: 'bytes',
    seeds: () => [
      encodeRecipe({
        appVersion: '0.27.0',
        entries: [
          { minimal: 1, full: 2, length: 2048 },
          { minimal: 300, full: 70000, length: 5 },
        ],
        digest: new Uint8Array(32),
        packed: Uint8Array.of(1, 2, 3),
      }),
    ],
    run: (input) => {
      const recipe = allowed(() => decodeRecipe(input));
      if (recipe === undefined) return;
      const written = encodeRecipe(recipe);
      assertHolds(written.length <= input.length, 'a recipe is written as short as the format allows');
      assertHolds(
        JSON.stringify(decodeRecipe(written).entries) === JSON.stringify(recipe.entries),
        'a recipe is read as it was written',
      );
    },
  },
  {
    name: 'live/kargs',
    shape: 'text',
    seeds: () => [
      'ro quiet console=tty0\0quiet\0console=ttyS0\0console=tty0=tty1',
      'a a a  a\0a\0b\0a=b=c',
      ' \u0085x\0\0\0==',
    ],
    run: async (input) => {
      const [before = '', removed = '', added = '', replacement = ''] = textsOf(input);
      const lone = (text: string) => text.split(/\p{White_Space}+/u).filter((word) => word !== '');
      const after = await allowMisuse(() =>
        editKargs(before, { delete: [removed], append: [added], replace: replacement === '' ? [] : [replacement] }),
      );
      if (after === undefined) return;
      for (const word of lone(added)) assertHolds(after.includes(word) || replacement !== '', 'what is added is there');
      if (!/\s/.test(after) || replacement !== '') return;
      const kept = new Set([...lone(before), ...lone(added)]);
      for (const word of lone(after)) assertHolds(kept.has(word), () => `no argument comes from nowhere: ${word}`);
    },
  },
  {
    name: 'live/kargs-area',
    shape: 'text',
    longest: 3000,
    memory: MEMORY,
    steps: { base: 2_000_000, perByte: 400 },
    seeds: () => ['a=b\n####', 'ü c=d'],
    // An area with any text, and an edit of it.
    run: async (input) => {
      sample ??= sampleIso().then(bytesOf);
      const image = await openLiveImage(await sample);
      const { areas, length } = image.kargs ?? { areas: [], length: 0 };
      const content = new Uint8Array(length).fill(0x23);
      content.set(input.subarray(0, length));
      const source = overlay(
        image.source,
        areas.map(({ offset }) => ({ offset, bytes: content })),
      );
      const found = await allowed(() => openLiveImage(source));
      if (found?.kargs === undefined) return;
      const result = await allowed(() => edit(found, { kargs: { append: [textOf(input.subarray(0, 40))] } }));
      if (result === undefined) return;
      const again = await openLiveImage(result.overlay);
      assertHolds(
        again.kargs?.current === result.summary.kargs?.text,
        'kernel arguments are read as they were written',
      );
    },
  },
  {
    name: 'live/features',
    shape: 'tree',
    seeds: () => ['{"installer-config":true,"live-initrd-network":true}', '{"installer-config-directives":{"a":true}}'],
    run: async (input) => void (await allowed(() => parseFeatures(input))),
  },
  {
    name: 'live/journal',
    shape: 'tree',
    seeds: () => [
      JSON.stringify({
        writer: { pid: 1, host: 'h', machine: '', boot: '', namespace: '', started: '', token: 'abc' },
        file: { dev: '1', ino: '2' },
        entry: {
          do: 'roll-back',
          size: 100,
          to: 90,
          pieces: [
            { offset: 0, length: 4 },
            { offset: 50, length: 8 },
          ],
          crc: 0,
        },
      }),
      '{"needs":"coreiso 9"}',
    ],
    // The index of a journal, sealed as by a writer.
    run: async (input) => {
      const index = jsonOf(input) as { entry?: { pieces?: readonly { length?: unknown }[] } } | null | undefined;
      const pieces = index?.entry?.pieces;
      const total = Array.isArray(pieces) ? pieces.reduce((sum, piece) => sum + (Number(piece?.length) || 0), 0) : 0;
      const data = Buffer.alloc(total >= 0 && total < 4096 ? 2 * total : 0, 7);
      for (const magic of ['coreiso-journal2', 'coreiso-journal3']) {
        const journal = await allowed(() => openJournal(filesWith(sealed(data, input, magic)), '/j'));
        if (journal === undefined) continue;
        for await (const { offset, before, after } of journal.contents()) {
          assertHolds(offset + before.length <= journal.entry.size, 'a piece lies in the image');
          assertHolds(before.length === after.length, 'a piece is as long after as before');
        }
        await journal.close();
      }
    },
  },
  {
    name: 'live/grub',
    shape: 'text',
    seeds: () => [
      'set default="1"\nmenuentry \'a\' --class x {\n  linux /vmlinuz ro $x\n  initrd /initrd.img\n}\nif [ "$a" = "b" ]; then\nset timeout=1\nelse\nconfigfile /b.cfg\nfi\n',
      'function load_video { insmod all_video; }\nsearch --no-floppy --set=root -l \'label\'\nfor x in a b; do echo $x; done\nsubmenu "s" { menuentry b { linux (cd0)/vmlinuz "a b"\n initrd /i /j } }\n',
      'while true; do set a=1; done\nuntil [ -f /x -o ! -d /y ]; do boot; done\n',
    ],
    run: async (input) => {
      const text = textOf(input);
      parseGrubScript(text);
      const place = placeWith(
        new Map([
          ['/grub.cfg', text],
          ['/b.cfg', 'menuentry b { linux /vmlinuz }\n'],
          ['/vmlinuz', 'k'],
          ['/initrd.img', 'i'],
        ]),
      );
      await allowed(() =>
        chooseWithGrub({
          devices: [{ name: 'cd0', place }],
          prefix: '(cd0)',
          config: 'configfile /grub.cfg',
          cpu: 'x86_64',
          platform: 'efi',
        }),
      );
    },
  },
  {
    name: 'live/isolinux',
    shape: 'text',
    seeds: () => [
      'default vesamenu.c32\ntimeout 600\nlabel linux\n  menu label ^Install\n  menu default\n  kernel /images/vmlinuz\n  append initrd=/images/initrd.img,/images/ignition.img a=b\n',
      'INCLUDE b.cfg\nONTIMEOUT x\nLABEL x\nLINUX /v\nINITRD /i\n',
    ],
    run: async (input) => {
      const place = placeWith(
        new Map([
          ['/isolinux/isolinux.cfg', textOf(input)],
          ['/isolinux/b.cfg', 'label x\n kernel v\n'],
          ['/images/vmlinuz', 'k'],
        ]),
      );
      const menu = await place.file('/isolinux/isolinux.cfg');
      if (menu !== undefined) await allowed(() => chooseWithIsolinux(place, { folder: '/isolinux', menu }));
    },
  },
  {
    name: 'live/fat',
    shape: 'bytes',
    longest: 32 * 1024,
    memory: MEMORY,
    seeds: async () => {
      const image = await bytesOf(await sampleIso());
      const at = fatIn(image);
      return at === undefined ? [fat()] : [fat(), packImage(image.slice(at, at + (1 << 20)))];
    },
    run: async (input) => {
      const image = unpackImage(input, READS);
      await allowed(async () => {
        const place = await openFat(image, { offset: 0, length: image.size });
        if (place === undefined) return;
        const folders = ['/', '/EFI', '/EFI/BOOT'];
        for (const folder of folders) {
          for (const name of (await place.names(folder)).slice(0, 50)) {
            const file = await place.file(`${folder}/${name}`);
            if (file !== undefined) assertHolds(file.content.size <= image.size, 'a file lies in its file system');
          }
        }
      });
    },
  },
];

let grown: Promise<Uint8Array> | undefined;
let sample: Promise<Uint8Array> | undefined;

function placeWith(files: ReadonlyMap<string, string>): Place {
  return {
    kind: 'iso',
    label: 'label',
    udevLabel: 'label',
    uuid: '2024-01-01-00-00-00-00',
    file: async (path) => {
      const text = files.get(path);
      if (text === undefined) return undefined;
      const content = bytesSource(new TextEncoder().encode(text));
      return { path, content, regions: [{ offset: 0, length: content.size }] };
    },
    names: async (path) =>
      [...files.keys()].flatMap((file) => (file.startsWith(`${path}/`) ? [file.slice(path.length + 1)] : [])),
  };
}

/** A FAT boot sector in the image, found by its signature and its type name. */
function fatIn(image: Uint8Array): number | undefined {
  for (let at = 0; at + 512 <= image.length; at += 2048) {
    const type = textOf(image.subarray(at + 54, at + 59)) + textOf(image.subarray(at + 82, at + 87));
    if (image[at + 510] === 0x55 && image[at + 511] === 0xaa && type.includes('FAT')) return at;
  }
  return undefined;
}

/** A FAT12 file system of 64 sectors with a folder and a file under a long name (Microsoft FAT specification 3, 6, 7). */
function fat(): Uint8Array {
  const image = new Uint8Array(64 * 512);
  const view = new DataView(image.buffer);
  image.set([0xeb, 0x3c, 0x90]);
  image.set(new TextEncoder().encode('MSDOS5.0'), 3);
  view.setUint16(11, 512, true);
  image[13] = 1;
  view.setUint16(14, 1, true);
  image[16] = 1;
  view.setUint16(17, 16, true);
  view.setUint16(19, 64, true);
  image[21] = 0xf8;
  view.setUint16(22, 1, true);
  image.set(new TextEncoder().encode('FAT12   '), 54);
  image.set([0x55, 0xaa], 510);
  image.set([0xf8, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f], 512);
  const entry = (at: number, name: string, attributes: number, cluster: number, size: number): void => {
    image.set(new TextEncoder().encode(name.padEnd(11)), at);
    image[at + 11] = attributes;
    view.setUint16(at + 26, cluster, true);
    view.setUint32(at + 28, size, true);
  };
  entry(1024, 'LABEL', 8, 0, 0);
  entry(1056, 'EFI', 16, 2, 0);
  entry(1536, '.', 16, 2, 0);
  entry(1568, '..', 16, 0, 0);
  entry(1600, 'BOOT', 16, 3, 0);
  entry(2048, 'GRUB    CFG', 32, 4, 5);
  image.set(new TextEncoder().encode('hello'), 2560);
  return packImage(image);
}

/** Data and index, sealed as by a writer, in this format or a later one. */
function sealed(data: Uint8Array, index: Uint8Array, magic: string): Uint8Array {
  const body = Buffer.concat([data, index]);
  const trailer = Buffer.alloc(12);
  trailer.writeBigUInt64BE(BigInt(index.length), 0);
  trailer.writeUInt32BE(crc32(body), 8);
  return Uint8Array.from(Buffer.concat([body, trailer, Buffer.from(magic)]));
}

/** A disk with one file. */
function filesWith(bytes: Uint8Array): FileSystem {
  const stat: FileStat = {
    kind: 'file',
    size: bytes.length,
    mode: 0o600,
    uid: 0,
    dev: 1n,
    ino: 2n,
    links: 1,
    mtimeNs: 0n,
    ctimeNs: 0n,
  };
  const readSync = (into: Uint8Array, position: number): number => {
    const part = bytes.subarray(position, position + into.length);
    into.set(part);
    return part.length;
  };
  const read = async (into: Uint8Array, position: number) => readSync(into, position);
  const file = { read, readSync, stat: async () => stat, close: async () => {} } as Partial<OpenFile> as OpenFile;
  return {
    open: async () => file,
    stat: async () => stat,
    lstat: async () => stat,
  } as Partial<FileSystem> as FileSystem;
}
