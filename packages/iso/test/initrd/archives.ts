import { createHash } from 'node:crypto';
import { concatBytes } from '../../src/bytes/source.ts';
import { type ArchiveFile, writeArchive } from '../../src/initrd/archive-writer.ts';

/** The text's UTF-8 bytes. */
export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return concatBytes(all);
}

/** A whole archive in memory. */
export function archive(
  files: Iterable<ArchiveFile>,
  options?: Parameters<typeof writeArchive>[1],
): Promise<Uint8Array> {
  return collect(writeArchive(files, options));
}

/** Reproducible bytes that do not compress: SHA-256 of `SEED:0`, `SEED:1`, … */
export function noise(seed: string, length: number): Uint8Array {
  const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, index) =>
    createHash('sha256').update(`${seed}:${index}`).digest(),
  );
  return concatBytes(blocks).slice(0, length);
}
