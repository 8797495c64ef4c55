// Files as a version of coreiso writes them: recorded once per version, and read by all later versions.
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { bytesOf, bytesSource, edit, extractMinimal, openLiveImage, wrap } from '@coreiso/iso';
import { sampleIso } from '@coreiso/iso/sample';
import { crc32 } from '../../packages/iso/src/checksums/crc32.ts';
import { nodeFileSystem } from '../../packages/iso/src/node/file-system.ts';
import { JournalDraft, journalPath } from '../../packages/iso/src/node/journal.ts';
import { newWriter } from '../../packages/iso/src/node/writer.ts';

/** Images and archives are gzip in base64; the others are texts. */
export interface Written {
  readonly version: string;
  readonly base: string;
  /** SHA-256 digests of images, to compare restored images with. */
  readonly digests: { readonly base: string; readonly minimal: string };
  readonly edited: string;
  readonly grown: string;
  readonly archive: string;
  /** An edit in place that was killed midway: the image, and the journal beside it. */
  readonly interrupted: { readonly image: string; readonly journal: string };
  readonly state: string;
  readonly facts: string;
}

export const CONFIG = '{"ignition":{"version":"3.4.0"}}';
const PIECES = [
  { offset: 300_000, length: 5000 },
  { offset: 400_000, length: 70_000 },
] as const;

export const packed = (bytes: Uint8Array): string => gzipSync(bytes, { level: 9 }).toString('base64');
export const unpacked = (text: string): Uint8Array => new Uint8Array(gunzipSync(Buffer.from(text, 'base64')));
export const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Writes one file of each format; state and facts come from the command line. */
export async function record(version: string, texts: Pick<Written, 'state' | 'facts'>): Promise<Written> {
  const source = await sampleIso();
  const base = await bytesOf(source);
  const live = await openLiveImage(bytesSource(base));
  const changes = {
    ignition: CONFIG,
    keyfiles: [{ name: 'eth0.nmconnection', content: '[connection]\nid=eth0\n' }],
    kargs: { append: ['console=ttyS0'] },
  };
  const noise = createHash('sha512').update('noise').digest();
  const large = Buffer.concat(
    Array.from({ length: 5000 }, (_, index) => createHash('sha512').update(noise).update(String(index)).digest()),
  );
  const grown = await edit(live, { ...changes, files: [{ path: 'opt/large', content: large }] }, { grow: true });
  const minimal = await extractMinimal(live, { rootfsUrl: 'https://files.example.test/rootfs.img' });
  return {
    version,
    base: packed(base),
    digests: { base: digest(base), minimal: digest(await bytesOf(minimal)) },
    edited: packed(await bytesOf((await edit(live, changes)).overlay)),
    grown: packed(await bytesOf(grown.overlay)),
    archive: packed(await bytesOf(await wrap({ ignition: CONFIG }))),
    interrupted: await interrupted(base),
    ...texts,
  };
}

async function interrupted(base: Uint8Array): Promise<Written['interrupted']> {
  const folder = mkdtempSync(join(tmpdir(), 'coreiso-written-'));
  try {
    const image = join(folder, 'image.iso');
    const half = Uint8Array.from(base);
    writeFileSync(image, base);
    const draft = await JournalDraft.begin(nodeFileSystem, image);
    let crc = 0;
    for (const [index, { offset, length }] of PIECES.entries()) {
      const after = new Uint8Array(length).fill(0x41 + index);
      await draft.add(offset, base.slice(offset, offset + length), after);
      crc = crc32(after, crc);
      if (index === 0) half.set(after, offset);
    }
    const entry = { do: 'roll-back', size: base.length, to: base.length, pieces: draft.pieces, crc: 0 } as const;
    await draft.seal(newWriter(), await nodeFileSystem.stat(image), entry);
    await draft.lock(image);
    await draft.arm(image);
    const journal = readFileSync(journalPath(image));
    await draft.close();
    return {
      image: packed(half),
      journal: packed(withIndex(journal, (index) => ({ ...index, writer: NO_ONE, file: { dev: '0', ino: '0' } }))),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The recording has nothing from the machine that made it. */
const NO_ONE = { pid: 1, host: '', machine: '', boot: '', namespace: '', started: '', token: 'recorded' };

/** Puts the image and its journal into a folder, as if the writer had been killed there. */
export function leaveInterrupted({ interrupted: { image, journal } }: Written, folder: string): string {
  const path = join(folder, 'image.iso');
  writeFileSync(path, unpacked(image));
  const { dev, ino } = statSync(path, { bigint: true });
  // A process that has ended: no id is as high.
  const writer = { ...newWriter(), pid: 2 ** 30, host: hostname(), started: '1', token: 'recorded' };
  writeFileSync(
    journalPath(path),
    withIndex(unpacked(journal), (index) => ({ ...index, writer, file: { dev: String(dev), ino: String(ino) } })),
    { mode: 0o600 },
  );
  return path;
}

const TRAILER_SIZE = 28;

/**
 * A journal with another index. The trailer has the length of the index, then the CRC-32 of everything before the
 * checksum.
 */
export function withIndex(
  journal: Uint8Array,
  change: (index: Readonly<Record<string, unknown>>) => object,
  magic?: string,
): Uint8Array {
  const bytes = Buffer.from(journal);
  const end = bytes.length - TRAILER_SIZE;
  const start = end - Number(bytes.readBigUInt64BE(end));
  const index = Buffer.from(JSON.stringify(change(JSON.parse(bytes.subarray(start, end).toString()))));
  const trailer = Buffer.from(bytes.subarray(end));
  trailer.writeBigUInt64BE(BigInt(index.length), 0);
  trailer.writeUInt32BE(crc32(Buffer.concat([bytes.subarray(0, start), index])), 8);
  if (magic !== undefined) trailer.write(magic, 12, 'latin1');
  return new Uint8Array(Buffer.concat([bytes.subarray(0, start), index, trailer]));
}
