import type { WorkOptions } from '@coreiso/iso';
import type { BuiltImage } from '../images/changes.ts';
import type { ImageSet } from '../images/image-set.ts';
import { inParallel } from './in-parallel.ts';

/** Options of storing a fleet. */
export interface WriteOptions {
  readonly signal?: AbortSignal | undefined;
  /** Number of hosts whose files are complete, and of all hosts. */
  readonly onProgress?: WorkOptions['onProgress'] | undefined;
}

/** A stored file of a fleet. */
export interface Stored {
  /** The file name, as `nodes image --per-host` chooses it. */
  readonly name: string;
  /** The host that it belongs to; `undefined` for shared files, such as the base that images are copied from. */
  readonly host: string | undefined;
  /** Its path, or an address that begins with `s3://`. */
  readonly location: string;
  readonly size: number;
  /** Digest of the identity of the base, the plan and the version; equal digests mean equal bytes. */
  readonly digest: string;
  /** `present` if an earlier run stored the same file. */
  readonly outcome: 'written' | 'present';
  /** Bytes that were sent or written; the others were copied or shared in place. */
  readonly sent: number;
}

/** A place for the images of a fleet. Writing the same fleet again, also after a crash, only does the remaining work. */
export interface ImageSink {
  /** Stores each image completely or not at all, and yields the files of a host once all of them are stored. */
  write(images: ImageSet, options?: WriteOptions): AsyncGenerator<Stored, void>;
}

/** Default number of images at the same time. */
export const PARALLEL = 4;

/** Refuses an invalid number of parallel images. */
export function checkParallel(parallel: number): void {
  if (!Number.isInteger(parallel) || parallel < 1)
    throw new RangeError(`parallel must be a number of images, not ${parallel}`);
}

/** Refuses values that `openImages` did not return. */
export function checkImages(images: ImageSet): void {
  if (typeof images !== 'object' || images === null || !('names' in images) || !(Symbol.asyncIterator in images)) {
    throw new TypeError('images must be what openImages returns');
  }
}

/** Stores one image with all its files. */
export type StoreImage = (image: BuiltImage, signal: AbortSignal | undefined) => Promise<Stored[]>;

/** Names become paths and object keys in every sink; names with a leading dot are reserved for the sink. */
function checkNames({ host, outputs }: BuiltImage): void {
  const names = [...(host === undefined ? [] : [host]), ...outputs.map(({ name }) => name)];
  const stray = names.find((name) => !/^[^./\\\p{Cc}][^/\\\p{Cc}]*$/u.test(name));
  if (stray !== undefined) throw new TypeError(`names must be file names, not ${JSON.stringify(stray)}`);
}

/** Hands every image to `store`, several at a time; files that all hosts share are stored before the first image. */
export async function* drain(
  images: ImageSet,
  parallel: number,
  storeChecked: StoreImage,
  { signal, onProgress }: WriteOptions,
): AsyncGenerator<Stored, void> {
  const store: StoreImage = async (image, until) => {
    checkNames(image);
    return storeChecked(image, until);
  };
  const iterator = images[Symbol.asyncIterator]();
  const first = await iterator.next();
  const isShared = first.done !== true && first.value.host === undefined;
  if (isShared) yield* await store(first.value, signal);
  async function* hosts(): AsyncGenerator<BuiltImage, void> {
    if (!isShared && first.done !== true) yield first.value;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  }
  let done = 0;
  for await (const stored of inParallel(hosts(), parallel, store, signal)) {
    onProgress?.({ done: ++done, total: images.names.length });
    yield* stored;
  }
}
