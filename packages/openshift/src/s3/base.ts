import type { ByteSource } from '@coreiso/iso';
import { OpenshiftError } from '../errors.ts';
import { digestOf } from '../sinks/digest.ts';
import type { Stored } from '../sinks/sink.ts';
import type { Bucket, UnfinishedUploads } from './bucket.ts';
import { objectBehind, type PinnedObject } from './source.ts';
import { abortRecordedUpload } from './upload-records.ts';
import { type BaseInStore, uploadObject } from './uploader.ts';

/** Bases are beside the images, under a name that no host can have. */
export const BASE_FOLDER = '.coreiso/base/';

/** The place of the base of a fleet. */
export interface BasePlace {
  /** The place of the images. */
  readonly bucket: Bucket;
  readonly prefix: string;
  /** The base's bucket, if it is another one. */
  readonly bucketNamed: (name: string) => Bucket;
  readonly unfinished: UnfinishedUploads;
}

/** The base of a fleet in the store: an existing object, or one that is uploaded when the first image needs it. */
export function baseInStore(source: ByteSource, place: BasePlace): BaseInStore {
  const object = objectBehind(source);
  const home = object === undefined ? place.bucket : place.bucketNamed(object.bucket);
  let pinning: Promise<PinnedObject> | undefined;
  let uploaded: Stored | undefined;
  const report = (stored: Stored): void => {
    uploaded = stored;
  };
  // The images of a run stop together, so any of their signals will do.
  const pin = (signal: AbortSignal | undefined): Promise<PinnedObject> => {
    pinning ??= object === undefined ? putBase(place, source, report, signal) : confirm(home, object, signal);
    pinning.catch(() => {
      pinning = undefined;
    });
    return pinning;
  };
  return {
    source,
    pin,
    get uploaded() {
      return uploaded;
    },
    check: async (signal) => {
      await confirm(home, await pin(signal), signal);
    },
  };
}

/** The object, if it has not changed. */
async function confirm(bucket: Bucket, pinned: PinnedObject, signal?: AbortSignal): Promise<PinnedObject> {
  const address = bucket.address(pinned.key);
  const found = await bucket.head(pinned.key, signal);
  if (found === undefined) throw new OpenshiftError('OPENSHIFT_NO_BASE', `${address} is gone`, { file: pinned.key });
  if (found.size === pinned.size && found.etag === pinned.etag) return pinned;
  throw new OpenshiftError('OPENSHIFT_BASE_CHANGED', `${address} was changed`, { file: pinned.key });
}

/** One upload for all images, or none if an earlier run did it. */
async function putBase(
  { bucket, prefix, unfinished }: BasePlace,
  source: ByteSource,
  report: (stored: Stored) => void,
  signal: AbortSignal | undefined,
): Promise<PinnedObject> {
  const name = 'base.iso';
  const digest = await digestOf({ name, source }, signal);
  const key = `${prefix}${BASE_FOLDER}${digest}.iso`;
  for (const upload of unfinished.get(key) ?? []) await abortRecordedUpload(bucket, prefix, upload, signal);
  const before = await bucket.head(key, signal);
  if (before === undefined || before.digest !== digest || before.size !== source.size) {
    const sent = await uploadObject(bucket, { prefix, key, name, source, digest, base: undefined }, signal);
    const location = bucket.address(key);
    const file = key.slice(prefix.length);
    report({ name: file, host: undefined, location, size: source.size, digest, outcome: 'written', sent });
  }
  const { size, etag } = (await bucket.head(key, signal)) ?? { size: -1, etag: '' };
  if (size === source.size) return { bucket: bucket.name, key, etag, size };
  throw new OpenshiftError('OPENSHIFT_NO_BASE', `${bucket.address(key)} is gone`, { file: key });
}
