// Archives of an initramfs: cpio members, every supported compression, and the writer against the reader.
import { deflateRawSync, gzipSync } from 'node:zlib';
import {
  type ByteSource,
  bytesOf,
  bytesSource,
  composeArchive,
  gzip,
  plain,
  readArchives,
  readFiles,
  sharedGzip,
  writeArchive,
} from '@coreiso/iso';
import { nativeInflate } from '@coreiso/iso/node';
import { sourceReader } from '../../../packages/iso/src/initrd/byte-reader.ts';
import { gunzip } from '../../../packages/iso/src/initrd/gunzip.ts';
import { allowed, allowMisuse, assertHolds, jsonOf, type Target, textOf } from '../target.ts';

const LIMIT = 256 * 1024;
/** Unpacked bytes, bytes read and decoder buffers: at most this many times the limit. */
const MEMORY = 16 * LIMIT;

/** Members `etc` and `etc/motd`. */
const MOTD = [{ path: 'etc/motd', content: 'hello\n', mode: 0o644 }];
const cpio = () => bytesOf(composeArchive(MOTD));
const joined = (...parts: readonly Uint8Array[]) => Uint8Array.from(Buffer.concat(parts));

/** The same members, packed by xz and zstd. */
const XZ =
  '/Td6WFoAAAFpIt42AgAhARwAAAAQz1jM4AH/AFpdABgN3QRjnRG19YUvgzrdogi0UDtLLjoCObOzQ5dHmhr/jRPxD2WwfbPtyuV3o/LmQn2eH/BIwPABbtKXWa9osJK7rIcB2iYcLBr92V0V60EZF2fvKpAhCc/nAAAAAAr9oAAAAXKABAAAANJfO7s+MA2LAgAAAAABWVo=';
const ZSTD = [
  'KLUv/WQAAfUCAGJEDxGAfZRHksH1owxIXP7AJggQA0AIQeGUjNZvTwLXGmcAbud7LEQOI+r/nwAAbMd/nrlmYmSo/IPkPPn06QMOILDXbBDqMzw4kTnB4DyDKaW7Wp/7KRneRJU2gBH14lGV',
  'KLUv/WAAAVUDAPQDMDcwNzAxMDQxRUQwMjZBRkYzQkNBMDQwZXRjAAAAODFBNDE2OS9tb3RkAABoZWxsbwowQlRSQUlMRVIhISEAEgAQHHVAsAASmByAA4AGBqY/MBhQCugOZICgPy5wh1NAhgcmAkobwAg=',
];
const decoded = (text: string) => Uint8Array.from(Buffer.from(text, 'base64'));

function archive(name: string, seeds: Target['seeds'], more: Partial<Target> = {}): Target {
  return {
    name: `initrd/${name}`,
    shape: 'bytes',
    seeds,
    memory: MEMORY,
    words: ['070701', '070702', 'TRAILER!!!', '\u001f\u008b\b', '\u00fd7zXZ\0'],
    run: (input) => readAll(bytesSource(input)),
    ...more,
  };
}

async function readAll(source: ByteSource): Promise<void> {
  let [unpacked, plainBytes] = [0, 0];
  await allowed(async () => {
    for await (const entry of readArchives(source, { limit: LIMIT })) {
      assertHolds(entry.path !== 'TRAILER!!!', 'the trailer is no member');
      for await (const chunk of entry.content()) {
        if (entry.archive.format === 'plain') plainBytes += chunk.length;
        else unpacked += chunk.length;
      }
    }
  });
  assertHolds(unpacked <= LIMIT, 'archives unpack to no more than the limit');
  assertHolds(plainBytes <= source.size, 'plain members lie in the source');
  await allowed(async () => void (await readFiles(source, { limit: LIMIT })));
}

export const targets: readonly Target[] = [
  archive('cpio', async () => {
    const one = await cpio();
    return [one, joined(one, one), joined(one, new Uint8Array(5)), joined(one, gzipSync(one))];
  }),
  archive('gzip', async () => {
    const one = await cpio();
    const packed = [1, 9].map((level) => gzipSync(one, { level }));
    return [...packed, joined(...packed)].map((bytes) => Uint8Array.from(bytes));
  }),
  archive('xz', () => [decoded(XZ)], { steps: { base: 400_000, perByte: 2_000 } }),
  archive('zstd', () => ZSTD.map(decoded)),
  {
    name: 'initrd/inflate',
    shape: 'bytes',
    memory: MEMORY,
    seeds: () =>
      ['abc'.repeat(50), '', 'The quick brown fox', '\0'.repeat(500)].flatMap((text) =>
        [0, 1, 9].map((level) => Uint8Array.from(deflateRawSync(text, { level }))),
      ),
    // The checksum is that of zlib's output, so that mutations get past it.
    run: async (input) => {
      const theirs = nativeInflate(input);
      const used = theirs?.length ?? input.length;
      const trailer = Buffer.alloc(8);
      trailer.writeUInt32LE(theirs?.crc ?? 0, 0);
      trailer.writeUInt32LE(theirs?.bytes.length ?? 0, 4);
      const header = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3);
      const reader = sourceReader(bytesSource(joined(header, input.subarray(0, used), trailer, Uint8Array.of(7))));
      const chunks: Uint8Array[] = [];
      const isRead = await allowed(async () => {
        for await (const chunk of gunzip(reader)) chunks.push(chunk.slice());
        return true;
      });
      assertHolds(
        (isRead === true) === (theirs !== undefined),
        () => `zlib ${theirs === undefined ? 'refuses' : 'takes'} what is ${isRead ? 'taken' : 'refused'}`,
      );
      if (theirs === undefined) return;
      assertHolds(Buffer.compare(Buffer.concat(chunks), theirs.bytes) === 0, 'both unpack to the same bytes');
      assertHolds((await reader.peek(2))[0] === 7, 'what follows a member stays');
    },
  },
  {
    name: 'initrd/writer',
    shape: 'tree',
    memory: MEMORY,
    seeds: () => [
      JSON.stringify({
        files: [
          { path: 'etc/motd', text: 'hello' },
          { path: 'etc/a/b', text: '', mode: 420 },
        ],
        how: 0,
      }),
      JSON.stringify({
        files: [
          { path: '/x', text: 'x'.repeat(300) },
          { path: './y/../z', text: 'ü' },
          { path: '😀', text: '\0' },
        ],
        how: 1,
      }),
      JSON.stringify({ files: [{ path: 'root/.ssh', text: 'a'.repeat(2100) }], how: 2 }),
    ],
    run: async (input) => {
      const value = jsonOf(input) as { files?: unknown; how?: unknown } | null | undefined;
      if (!Array.isArray(value?.files) || value.files.length > 20) return;
      const files = value.files.flatMap(fileOf);
      const compression = [gzip, plain, sharedGzip()][Number(value.how) || 0] ?? gzip;
      const chunks: Uint8Array[] = [];
      const written = await allowMisuse(async () => {
        for await (const chunk of writeArchive(files, { compression })) chunks.push(chunk);
        return true;
      });
      if (written === undefined) return;
      const composed = await bytesOf(composeArchive(files));
      for (const bytes of [Uint8Array.from(Buffer.concat(chunks)), composed]) {
        const found = await readFiles(bytes);
        assertHolds(found.size === files.length, 'an archive has the files that were written');
        for (const { path, content, mode } of files) {
          const file = found.get(path);
          assertHolds(file !== undefined && file.mode === mode, () => `${JSON.stringify(path)} is found with its mode`);
          assertHolds(
            textOf(await bytesOf(file.content)) === textOf(new TextEncoder().encode(content)),
            'a file has what was written',
          );
        }
      }
    },
  },
];

function fileOf(wish: unknown): { path: string; content: string; mode: number }[] {
  const { path, text, mode } = (wish ?? {}) as { path?: unknown; text?: unknown; mode?: unknown };
  if (typeof path !== 'string' || typeof text !== 'string') return [];
  return [{ path, content: text, mode: typeof mode === 'number' ? mode : 0o600 }];
}
