import type { Transform } from 'node:stream';
import { concatBytes } from '../bytes/concat.ts';
import { IsoError } from '../errors.ts';
import type { ArchiveEncoder } from '../initrd/encoders.ts';

/** An optional package: named here and nowhere imported, so that everything else works and type-checks without it. */
const PEER = 'node-liblzma';
const INSTALL = 'npm install node-liblzma@4.0.2';

/** What is used of the peer. */
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
 * The bytes that coreos-installer would write: preset 9 in one thread, and a CRC32 check, because the kernel rejects
 * others. Needs the optional package node-liblzma.
 */
export async function xz(): Promise<ArchiveEncoder> {
  const liblzma = await loadPeer();
  return xzEncoder(liblzma, liblzma.check.CRC32);
}

/** One .xz stream as `pack minimal-iso` stores it: preset 9 and a CRC64 check. */
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
  let ready: Uint8Array[] = [];
  let failed: unknown;
  stream.on('data', (chunk: Uint8Array) => ready.push(chunk));
  const step = async (work: (done: () => void) => void): Promise<Uint8Array> => {
    if (failed !== undefined) throw failed;
    await new Promise<void>((resolve, reject) => {
      stream.once('error', reject);
      work(() => {
        stream.removeListener('error', reject);
        resolve();
      });
    }).catch((cause) => {
      failed = new IsoError('ISO_IO', `${PEER} failed`, { cause });
      throw failed;
    });
    const bytes = concatBytes(ready);
    ready = [];
    return bytes;
  };
  return {
    write: (bytes) => step((done) => stream.write(bytes, done)),
    endBlock: () => step((done) => stream.flush(liblzma.LZMA_FULL_FLUSH, done)),
    finish: () =>
      step((done) => {
        stream.once('end', done);
        stream.end();
      }),
  };
}
