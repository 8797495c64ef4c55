// Files of a kubeconfig, read with a limit: the path may lead to an endless device.
import { open } from 'node:fs/promises';
import { TooLongError } from '../reader/answer.ts';

/** Reads a file, at most this many bytes of it. */
export type ReadFile = (path: string, limit: number) => Promise<Uint8Array>;

/** The bytes of a file; throws a `TooLongError` if they exceed the limit, whichever reader is used. */
export async function readLimited(path: string, limit: number, read: ReadFile = readUpTo): Promise<Uint8Array> {
  const bytes = await read(path, limit);
  if (bytes.length > limit) throw new TooLongError(limit, 'the file');
  return bytes;
}

/** All bytes of a file up to the limit, else one more than the limit. */
async function readUpTo(path: string, limit: number): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const chunks: Uint8Array[] = [];
    let size = 0;
    while (size <= limit) {
      const chunk = new Uint8Array(Math.min(CHUNK, limit + 1 - size));
      const { bytesRead } = await file.read(chunk, 0, chunk.length);
      if (bytesRead === 0) break;
      chunks.push(chunk.subarray(0, bytesRead));
      size += bytesRead;
    }
    return Buffer.concat(chunks);
  } finally {
    await file.close();
  }
}

const CHUNK = 64 * 1024;
