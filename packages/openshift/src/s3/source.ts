import type { S3Client } from '@aws-sdk/client-s3';
import { type ByteSource, identified } from '@coreiso/iso';
import { OpenshiftError } from '../errors.ts';
import type { StorePlace } from './attempts.ts';
import { asBaseFailure, Bucket, checkPlace } from './bucket.ts';

/** An object as it was when it was opened. */
export interface PinnedObject {
  readonly bucket: string;
  readonly key: string;
  readonly etag: string;
  readonly size: number;
}

const objects = new WeakMap<ByteSource, PinnedObject>();

/** The object behind a source of `s3Source`. */
export function objectBehind(source: ByteSource): PinnedObject | undefined {
  return objects.get(source);
}

const PIECE = 1024 * 1024;

/**
 * An object of a store as a base image, read by ranges. The store copies it itself for images in the same store. The object must
 * not change after it was opened.
 *
 * @example
 * ```ts
 * const base = await s3Source(client, { bucket: 'images', key: 'rhcos-live.iso' });
 * ```
 */
export async function s3Source(
  client: S3Client,
  place: { readonly bucket: string; readonly key: string },
  options: Pick<StorePlace, 'retries' | 'timeout'> & { readonly signal?: AbortSignal | undefined } = {},
): Promise<ByteSource> {
  checkPlace(client, place);
  const { key } = place;
  if (typeof key !== 'string' || key === '') throw new TypeError('key must be the name of an object');
  const bucket = new Bucket(client, place.bucket, options);
  const found = await bucket.head(key, options.signal);
  if (found === undefined)
    throw new OpenshiftError('OPENSHIFT_NO_BASE', `${bucket.address(key)} does not exist`, { file: key });
  const { size, etag } = found;
  if (!Number.isSafeInteger(size) || size < 0) {
    const message = `cannot look at ${bucket.address(key)}: the store did not report its size`;
    throw new OpenshiftError('OPENSHIFT_STORE_FAILED', message, { file: key });
  }
  const source = identified(
    {
      size,
      pieceSize: PIECE,
      async read(offset, length, signal) {
        if (offset < 0 || length < 0 || offset + length > size)
          throw new RangeError(`offset must be inside the object, not ${offset}`);
        try {
          return await bucket.read(key, { offset, length, etag }, signal);
        } catch (error) {
          throw asBaseFailure(error, bucket.address(key), key);
        }
      },
    },
    async () => `s3 ${place.bucket}/${key} ${etag} ${size}`,
  );
  objects.set(source, { bucket: place.bucket, key, etag, size });
  return source;
}
