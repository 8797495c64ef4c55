import type { Transform } from 'node:stream';
import { IsoError } from '../errors.ts';
import type { ArchiveEncoder } from '../initrd/archive-format.ts';
import { streamEncoder } from './stream-encoder.ts';

/** An optional package: not imported statically, so that everything else works and type-checks without it. */
const PEER = 'node-liblzma';
const INSTALL = 'npm install node-liblzma@4.0.2';

/** The used parts of node-liblzma. */
interface Liblzma {
  readonly check: { readonly CRC32: number; readonly CRC64: number };
  readonly LZMA_FULL_FLUSH: number;
  createXz(options: { preset: number; check: number; threads: number }): XzTransform;
}

interface XzTransform extends Transform {
  flush(kind: number, callback: () => void): void;
}

/** liblzma's strongest preset: a dictionary of 64 MiB. */
const PRESET = 9;

/**
 * xz with the same bytes as coreos-installer: preset 9 in one thread, and a CRC32 check, because the kernel rejects others. Needs
 * the optional package node-liblzma.
 *
 * @example
 * ```ts
 * await edit(image, changes, { compression: xz });
 * ```
 */
export async function xz(): Promise<ArchiveEncoder> {
  const liblzma = await loadPeer();
  return xzEncoder(liblzma, liblzma.check.CRC32);
}

/**
 * xz as `pack minimal-iso` stores it: one stream with preset 9 and a CRC64 check.
 *
 * @example
 * ```ts
 * const packed = await packMinimal(full, minimal, { compression: xzCrc64 });
 * ```
 */
export async function xzCrc64(): Promise<ArchiveEncoder> {
  const liblzma = await loadPeer();
  return xzEncoder(liblzma, liblzma.check.CRC64);
}

async function loadPeer(): Promise<Liblzma> {
  try {
    return (await import(/* @vite-ignore */ PEER)) as Liblzma;
  } catch (cause) {
    throw new IsoError('ISO_XZ_MISSING', `writing xz needs the package ${PEER}: ${INSTALL}`, { cause });
  }
}

function xzEncoder(liblzma: Liblzma, check: number): ArchiveEncoder {
  const stream = liblzma.createXz({ preset: PRESET, check, threads: 1 });
  return streamEncoder(stream, PEER, (done) => stream.flush(liblzma.LZMA_FULL_FLUSH, done));
}
