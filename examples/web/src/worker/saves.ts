// Ways to save: a Blob of slices, a stream into a picked file, patches into the base itself, a zip.
import { type ByteSource, bytesOf, isOverlay, type Overlay, sha256, toBlob, toReadableStream } from '@coreiso/iso';
import { save as texts } from '../texts/save.ts';
import type { CallOptions } from './calls.ts';

/** The data that undoes the last save in place. */
export interface Undo {
  readonly handle: FileSystemFileHandle;
  readonly size: number;
  readonly patches: readonly { readonly offset: number; readonly bytes: Uint8Array<ArrayBuffer> }[];
}

/** A Blob that refers to slices of the picked file where possible, and so takes no memory. */
export function asBlob(source: ByteSource, { signal, onProgress }: CallOptions): Promise<Blob> {
  return toBlob(source, { signal, onProgress });
}

/** Only in Chromium, not in every browser with handles. */
interface RemovableHandle {
  remove?(): Promise<void>;
}

/**
 * Writes all of it, piece by piece. The picker has emptied the file: a file that is still empty after a failure is
 * removed.
 */
export async function stream(source: ByteSource, handle: FileSystemFileHandle, options: CallOptions): Promise<void> {
  const { signal, onProgress } = options;
  const writable = await handle.createWritable();
  try {
    await toReadableStream(source, { signal, onProgress }).pipeTo(writable, signal === undefined ? {} : { signal });
  } catch (error) {
    if ((await handle.getFile()).size === 0) await (handle as RemovableHandle).remove?.();
    throw error;
  }
}

/** Writes the changed bytes into the base's own file. The browser works on a copy until it is closed. */
export async function saveInPlace(
  source: ByteSource,
  handle: FileSystemFileHandle,
  { signal, onProgress }: CallOptions,
): Promise<Undo> {
  if (!isOverlay(source)) throw new Error(texts.noEdit);
  const { base, keep, tail, patches } = source;
  const file = await handle.getFile();
  if (file.size !== base.size) throw new Error(texts.changedMeanwhile(file.name));
  const old = await oldBytes(source, signal);
  const writable = await handle.createWritable({ keepExistingData: true });
  try {
    let done = 0;
    for (const { offset, bytes } of patches) {
      signal?.throwIfAborted();
      await writable.write({ type: 'write', position: offset, data: await bytesOf(bytes, signal) });
      onProgress?.({ done: ++done, total: patches.length });
    }
    if (keep + tail.size < file.size) await writable.truncate(keep + tail.size);
    if (tail.size > 0) await writable.write({ type: 'write', position: keep, data: await bytesOf(tail, signal) });
    signal?.throwIfAborted();
    await writable.close();
  } catch (error) {
    await writable.abort(error);
    throw error;
  }
  return { handle, size: base.size, patches: old };
}

async function oldBytes({ base, keep, patches }: Overlay, signal?: AbortSignal): Promise<Undo['patches']> {
  const kept: Undo['patches'][number][] = [];
  const sizeOf = (bytes: Overlay['patches'][number]['bytes']): number =>
    'length' in bytes ? bytes.length : bytes.size;
  for (const { offset, bytes } of patches) kept.push({ offset, bytes: await base.read(offset, sizeOf(bytes), signal) });
  // Bytes that a shorter image cuts off, or a tail overwrites.
  if (keep < base.size) kept.push({ offset: keep, bytes: await base.read(keep, base.size - keep, signal) });
  return kept;
}

export async function undoInPlace({ handle, size, patches }: Undo): Promise<void> {
  const writable = await handle.createWritable({ keepExistingData: true });
  await writable.truncate(size);
  for (const { offset, bytes } of patches) await writable.write({ type: 'write', position: offset, data: bytes });
  await writable.close();
}

export async function digestOf(source: ByteSource, { signal, onProgress }: CallOptions): Promise<string> {
  const hash = sha256();
  for await (const chunk of toReadableStream(source, { signal, onProgress })) hash.update(chunk);
  return [...hash.digest()].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A zip of small files. */
export async function zipOf(files: Readonly<Record<string, string | Uint8Array>>): Promise<Blob> {
  const { zipSync, strToU8 } = await import('fflate');
  const entries = Object.entries(files).map(([path, content]) => [
    path,
    typeof content === 'string' ? strToU8(content) : content,
  ]);
  const bytes = zipSync(Object.fromEntries(entries), { level: 6 });
  return new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'application/zip' });
}
