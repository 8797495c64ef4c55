// Runs in a page: streams the chosen file, and reports how long that took.
import { blobSource, toReadableStream } from '@coreiso/iso';

/** Milliseconds until the last byte of the chosen file, with the browser's own stream or with ours. */
async function streamPicked(by: 'browser' | 'coreiso'): Promise<number> {
  const file = document.querySelector('input')?.files?.item(0) ?? undefined;
  if (file === undefined) throw new Error('no file was picked');
  const start = performance.now();
  const stream = by === 'browser' ? file.stream() : toReadableStream(blobSource(file));
  let length = 0;
  for (const reader = stream.getReader(); ; ) {
    const { value } = await reader.read();
    if (value === undefined) break;
    length += value.length;
  }
  if (length !== file.size) throw new Error(`${length} bytes came of ${file.size}`);
  return performance.now() - start;
}

Object.assign(globalThis, { streamPicked });
