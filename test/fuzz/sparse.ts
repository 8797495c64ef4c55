// Images in few bytes: only the sectors that are not zero. Mutations hit meaningful bytes, and an image of megabytes is
// an input of some thousand bytes.
import type { ByteSource } from '@coreiso/iso';
import { assertHolds } from './target.ts';

const SECTOR = 2048;
const HEADER = 4;

/**
 * Two bytes for the size in sectors; then for each sector that is not zero its number, its used length and its bytes.
 */
export function packImage(image: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [pair(Math.ceil(image.length / SECTOR))];
  for (let sector = 0; sector * SECTOR < image.length; sector++) {
    const bytes = image.subarray(sector * SECTOR, (sector + 1) * SECTOR);
    let used = bytes.length;
    while (used > 0 && bytes[used - 1] === 0) used--;
    if (used > 0) parts.push(pair(sector), pair(used), bytes.subarray(0, used));
  }
  return Uint8Array.from(Buffer.concat(parts));
}

function pair(number: number): Uint8Array {
  return Uint8Array.of(number & 0xff, number >> 8);
}

/** The most reads, and bytes read, for one input. */
export interface ReadLimits {
  readonly reads: number;
  readonly bytes: number;
}

/** The image of a packed input, which counts its reads. If a sector is listed twice, the later bytes win. */
export function unpackImage(input: Uint8Array, { reads, bytes }: ReadLimits): ByteSource {
  const view = new DataView(input.buffer, input.byteOffset, input.byteLength);
  const size = input.length < 2 ? 0 : view.getUint16(0, true) * SECTOR;
  const sectors = new Map<number, Uint8Array>();
  for (let offset = 2; offset + HEADER <= input.length; ) {
    const [sector, length] = [view.getUint16(offset, true), Math.min(view.getUint16(offset + 2, true), SECTOR)];
    sectors.set(sector, input.subarray(offset + HEADER, offset + HEADER + length));
    offset += HEADER + length;
  }
  let [readsLeft, bytesLeft] = [reads, bytes];
  return {
    size,
    read: async (offset, length) => {
      if (
        !(Number.isInteger(offset) && Number.isInteger(length) && offset >= 0 && length >= 0 && offset + length <= size)
      )
        throw new RangeError(`reads ${length} bytes at ${offset} of ${size}`);
      assertHolds(readsLeft-- > 0, `an image is read in at most ${reads} reads`);
      bytesLeft -= length;
      assertHolds(bytesLeft >= 0, `at most ${bytes} bytes of an image are read`);
      const result = new Uint8Array(length);
      for (let sector = Math.floor(offset / SECTOR); sector * SECTOR < offset + length; sector++) {
        const found = sectors.get(sector);
        if (found === undefined) continue;
        const start = sector * SECTOR - offset;
        if (start >= 0) result.set(found.subarray(0, length - start), start);
        else result.set(found.subarray(-start, -start + length), 0);
      }
      return result;
    },
  };
}
