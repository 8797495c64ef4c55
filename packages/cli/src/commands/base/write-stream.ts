import { createWriteStream } from 'node:fs';
import { link, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Writes a stream to a new file, which gets its name once it is complete. */
export async function writeStream(
  contents: Readable,
  path: string,
  { replace, signal }: { readonly replace: boolean; readonly signal: AbortSignal },
): Promise<void> {
  const temporary = join(dirname(path), `.coreiso-${process.pid}-${Math.random().toString(36).slice(2)}`);
  try {
    await pipeline(contents, createWriteStream(temporary, { flags: 'wx', flush: true }), { signal });
    // Unlike a rename, a link never replaces an existing file.
    if (replace) await rename(temporary, path);
    else await link(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}
