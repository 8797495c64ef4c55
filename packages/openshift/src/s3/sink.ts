import type { S3Client } from '@aws-sdk/client-s3';
import { OpenshiftError } from '../errors.ts';
import type { BuiltImage } from '../images/changes.ts';
import { digestOf } from '../sinks/digest.ts';
import { checkImages, checkParallel, drain, type ImageSink, PARALLEL, type Stored } from '../sinks/sink.ts';
import type { StorePlace } from './attempts.ts';
import { baseInStore } from './base.ts';
import { Bucket, checkPlace, type UnfinishedUploads } from './bucket.ts';
import { abortRecordedUpload, recordedUploads } from './upload-records.ts';
import { type BaseInStore, uploadObject } from './uploader.ts';

/**
 * Stores a fleet in an object store (AWS, Ceph, MinIO, …). The store copies the ranges of the base itself, so about 5 MiB are
 * sent for an image of any size; a base that is not in the store is sent once. One run at a time may write to a prefix.
 *
 * @example
 * ```ts
 * const sink = s3Sink(new S3Client({ endpoint, forcePathStyle: true }), { bucket: 'images', prefix: 'site-a/' });
 * for await (const stored of sink.write(await openImages(base, plan, { perHost: true }))) console.log(stored.name, stored.sent);
 * ```
 */
export function s3Sink(
  client: S3Client,
  options: StorePlace & {
    /** Number of images to store at the same time (default: 4). */
    readonly parallel?: number | undefined;
    /** Which objects may be replaced: those of an earlier fleet (default), or all. */
    readonly replace?: 'own' | 'any' | undefined;
  },
): ImageSink {
  checkPlace(client, options);
  const { parallel = PARALLEL, prefix = '', replace = 'own' } = options;
  checkParallel(parallel);
  const bucket = new Bucket(client, options.bucket, options);
  return {
    async *write(images, work = {}) {
      checkImages(images);
      const unfinished = await recordedUploads(bucket, prefix, work.signal);
      const bucketNamed = (name: string): Bucket => new Bucket(client, name, options);
      const base = baseInStore(images.base.source, { bucket, prefix, bucketNamed, unfinished });
      const store = (image: BuiltImage, signal: AbortSignal | undefined): Promise<Stored[]> =>
        storeImage(bucket, { prefix, replace, base, unfinished }, image, signal);
      yield* drain(images, parallel, store, work);
      // The first image that needed it sent it.
      if (base.uploaded !== undefined) yield base.uploaded;
    },
  };
}

interface Context {
  readonly prefix: string;
  readonly replace: 'own' | 'any';
  readonly base: BaseInStore;
  readonly unfinished: UnfinishedUploads;
}

async function storeImage(
  bucket: Bucket,
  { prefix, replace, base, unfinished }: Context,
  { host, outputs }: BuiltImage,
  signal: AbortSignal | undefined,
): Promise<Stored[]> {
  const stored: Stored[] = [];
  for (const { name, source } of outputs) {
    const key = `${prefix}${name}`;
    const digest = await digestOf({ name, source }, signal);
    for (const upload of unfinished.get(key) ?? []) await abortRecordedUpload(bucket, prefix, upload, signal);
    const there = await bucket.head(key, signal);
    if (there !== undefined && there.digest === undefined && replace !== 'any') {
      throw new OpenshiftError('OPENSHIFT_OUTPUT_EXISTS', `${bucket.address(key)} exists and belongs to no fleet`, {
        file: name,
      });
    }
    const isPresent =
      there?.digest === digest &&
      there.size === source.size &&
      (there.base === undefined || there.base === (await base.pin(signal)).etag);
    const sent = isPresent ? 0 : await uploadObject(bucket, { prefix, key, name, source, digest, base }, signal);
    const outcome = isPresent ? 'present' : 'written';
    stored.push({ name, host, location: bucket.address(key), size: source.size, digest, outcome, sent });
  }
  return stored;
}
