import { IsoError, withContext } from '../errors.ts';
import type { ByteSource } from './source.ts';

/** A fixed run of bytes in an image. */
export interface Region {
  /** Position in the image, not in one of its files. */
  readonly offset: number;
  readonly length: number;
}

/** Reads a region that the image itself named. */
export async function readRegion(source: ByteSource, region: Region, signal?: AbortSignal): Promise<Uint8Array> {
  checkRegion(source, region);
  return source.read(region.offset, region.length, signal);
}

/** Refuses a region that is not completely inside the image, before reading or writing there. */
export function checkRegion(source: ByteSource, { offset, length }: Region): void {
  if (offset + length <= source.size) return;
  const cause = new IsoError('ISO_SHORT_READ', 'failed to fill whole buffer', { offset });
  throw withContext(cause, `reading ${length} bytes at ${offset}`);
}
