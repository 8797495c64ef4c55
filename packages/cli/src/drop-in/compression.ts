import { type Compression, IsoError, type ReadArchivesOptions } from '@coreiso/iso';
import { nativeGzip, nativeInflate } from '@coreiso/iso/node';
import type { Io } from '../frame/terminal.ts';
import { isStandIn } from '../frame/version.ts';

/** Options for reading archives: coreos-installer reads adjacent zstd frames as one; Node's own zlib is faster for gzip. */
export const AS_UPSTREAM = { zstdFrames: 'joined', inflate: nativeInflate } as const satisfies ReadArchivesOptions;

/** Returns the compression of written archives: on request xz, byte for byte as coreos-installer writes it, otherwise gzip. */
export async function compressionFor(io: Io): Promise<Compression> {
  return requestedCompression(io) === 'xz' ? await loadXz() : nativeGzip;
}

/**
 * Runs `work` with the compression for archives. If none was requested and gzip does not fit, tries xz: coreos-installer
 * would have used it, and its result has to fit here, too.
 */
export async function withCompression<T>(io: Io, work: (compression: Compression) => Promise<T>): Promise<T> {
  try {
    return await work(await compressionFor(io));
  } catch (error) {
    if (requestedCompression(io) !== undefined || !hasCode(error, 'ISO_AREA_TOO_SMALL')) throw error;
    try {
      return await work(await loadXz());
    } catch (second) {
      throw hasCode(second, 'ISO_XZ_MISSING') ? error : second;
    }
  }
}

function requestedCompression({ env, invokedAs }: Io): 'gzip' | 'xz' | undefined {
  const named = env['COREISO_COMPRESSION'] || undefined;
  if (named === undefined) return isStandIn(invokedAs) ? 'xz' : undefined;
  if (named === 'gzip' || named === 'xz') return named;
  throw new Error(`COREISO_COMPRESSION is ${JSON.stringify(named)}; it can be "gzip" or "xz"`);
}

async function loadXz(): Promise<Compression> {
  return (await import('@coreiso/iso/xz')).xz;
}

function hasCode(error: unknown, code: IsoError['code']): boolean {
  return error instanceof IsoError && error.code === code;
}
