import type { Bytes } from './source.ts';

/** Contents in memory, read whole if they are not there yet. */
export async function bytesOf(content: Bytes, signal?: AbortSignal): Promise<Uint8Array> {
  return content instanceof Uint8Array ? content : content.read(0, content.size, signal);
}
