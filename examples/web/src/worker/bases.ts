// Opens the base image from any source.
import { type ByteSource, blobSource, openLiveImage } from '@coreiso/iso';
import type { Base } from '../project.ts';
import { address as texts } from '../texts/address.ts';
import { type Call, connectCalls, type Peer } from './calls.ts';
import type { OpenBase } from './state.ts';

/** Rejects if the source is not a live image. */
export async function openBase(name: string, source: ByteSource, signal?: AbortSignal): Promise<OpenBase> {
  return { name, source, image: await openLiveImage(source, { signal }) };
}

/** The bytes of a base; a port represents one that only the page may fetch. */
export async function sourceOf({ origin, size }: Base, port?: MessagePort): Promise<ByteSource> {
  if (port !== undefined) return portSource(connectCalls(port as Peer), port, size);
  if (origin.kind === 'file') return blobSource(origin.file);
  if (origin.kind === 'sample') {
    const { sampleIso } = await import('@coreiso/iso/sample');
    return await sampleIso({ kind: origin.sample });
  }
  throw new Error(texts.elsewhere);
}

function portSource(call: Call, port: MessagePort, size: number): ByteSource {
  port.start();
  return {
    size,
    pieceSize: 1024 * 1024,
    read: (offset, length, signal) => call('read', { offset, length }, { signal }) as ReturnType<ByteSource['read']>,
  };
}
