// Recognises files that people take for a live image, by their first bytes.
import { type ByteSource, IsoError } from '@coreiso/iso';
import { wrongFiles as texts } from '../texts/base.ts';
import { reasonOf } from './reason.ts';

type Kind = Exclude<keyof typeof texts, 'half' | 'other' | 'notLive'>;

/** The bytes of each kind and their offset; the first match counts. */
const MARKS: readonly (readonly [kind: Kind, offset: number, bytes: string])[] = [
  ['gzip', 0, '\x1f\x8b'],
  ['xz', 0, '\xfd7zXZ\0'],
  ['zstd', 0, '\x28\xb5\x2f\xfd'],
  ['bzip2', 0, 'BZh'],
  ['zip', 0, 'PK\x03\x04'],
  ['qcow2', 0, 'QFI\xfb'],
  ['vmdk', 0, 'KDMV'],
  ['vmdk', 0, '# Disk DescriptorFile'],
  ['vhd', 0, 'vhdxfile'],
  ['vhd', 0, 'conectix'],
  ['initramfs', 0, '070701'],
  ['kernel', 0x202, 'HdrS'],
  ['tar', 257, 'ustar'],
  ['page', 0, '<!doctype'],
  ['page', 0, '<!DOCTYPE'],
  ['page', 0, '<html'],
  ['rawDisk', 512, 'EFI PART'],
  ['rawDisk', 510, '\x55\xaa'],
];

const HEAD = 32 * 2048 + 2048;
const DESCRIPTOR = 16 * 2048;

/** One sentence on why a file is not a live image, given the error of opening it. */
export async function wrongFile(source: ByteSource, error: unknown): Promise<string> {
  if (source.size === 0) return texts.empty;
  const head = await source.read(0, Math.min(HEAD, source.size));
  const has = (offset: number, bytes: string): boolean =>
    [...bytes].every((character, index) => head[offset + index] === character.charCodeAt(0));
  if (has(DESCRIPTOR + 1, 'CD001')) {
    // ECMA-119 8.4.8: the sectors of the volume.
    const view = new DataView(head.buffer, head.byteOffset, head.length);
    const size = view.getUint32(DESCRIPTOR + 80, true) * 2048;
    if (size > source.size) return texts.half(source.size, size);
    return error instanceof IsoError && error.code === 'ISO_NOT_LIVE' ? texts.notLive : texts.other(reasonOf(error));
  }
  const [kind] = MARKS.find(([, offset, bytes]) => has(offset, bytes)) ?? [];
  // Live images also begin like disks.
  const isShort = source.size < DESCRIPTOR + 2048;
  if (kind !== undefined && !(isShort && kind === 'rawDisk')) return texts[kind];
  const isText = head.subarray(0, 512).every((byte) => byte === 9 || byte === 10 || byte === 13 || byte >= 32);
  if (isText) return texts.text;
  return isShort ? texts.short : texts.unknown;
}
