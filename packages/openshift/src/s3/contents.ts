import type { S3Client } from '@aws-sdk/client-s3';
import { inParallel } from '../sinks/in-parallel.ts';
import type { StorePlace } from './attempts.ts';
import { BASE_FOLDER } from './base.ts';
import { Bucket, checkPlace, type Upload } from './bucket.ts';
import { recordedUpload } from './upload-records.ts';

/** An object or upload under the prefix of a fleet. */
export interface StoredObject {
  /** `upload` is an upload that a run neither finished nor aborted; `other` does not belong to a fleet. */
  readonly kind: 'image' | 'base' | 'other' | 'upload';
  /** Its address, which begins with `s3://`. */
  readonly location: string;
  /** In bytes; 0 for an upload, whose size is unknown. */
  readonly size: number;
  /** Digest of the sources of an image. */
  readonly digest?: string;
}

/** Number of requests at the same time. */
const PARALLEL = 8;

/** `record` is the record of an upload. */
interface Entry extends Omit<StoredObject, 'kind'> {
  readonly kind: StoredObject['kind'] | 'record';
  readonly key: string;
  readonly etag: string;
  /** The entity tag of the base that an image was made from. */
  readonly base: string | undefined;
  readonly upload?: Upload;
}

/**
 * Lists the contents of a fleet's prefix: images, bases, other objects and unfinished uploads.
 *
 * @example
 * ```ts
 * for await (const { kind, location } of listFleet(client, { bucket: 'images', prefix: 'site-a/' })) console.log(kind, location);
 * ```
 */
export async function* listFleet(
  client: S3Client,
  options: StorePlace & { readonly signal?: AbortSignal | undefined },
): AsyncGenerator<StoredObject, void> {
  checkPlace(client, options);
  for await (const entry of entries(new Bucket(client, options.bucket, options), options)) yield* storedObjects(entry);
}

/**
 * Removes unfinished uploads and unused bases, and returns them. No run may be writing meanwhile. Other objects and uploads stay.
 *
 * @example
 * ```ts
 * for await (const { location } of pruneFleet(client, { bucket: 'images', prefix: 'site-a/' })) console.log('removed', location);
 * ```
 */
export async function* pruneFleet(
  client: S3Client,
  options: StorePlace & {
    /** `leftovers`, the default: uploads that were not finished, and bases that no image was made of. `all`: the images as well. */
    readonly remove?: 'leftovers' | 'all' | undefined;
    /** Whether to only list the objects that would be removed. */
    readonly pretend?: boolean | undefined;
    readonly signal?: AbortSignal | undefined;
  },
): AsyncGenerator<StoredObject, void> {
  checkPlace(client, options);
  const { remove = 'leftovers', pretend = false, signal } = options;
  const bucket = new Bucket(client, options.bucket, options);
  const used = new Set<string>();
  const [bases, records]: [Entry[], Entry[]] = [[], []];
  const away = async (entry: Entry): Promise<StoredObject[]> => {
    if (!pretend)
      await (entry.upload === undefined ? bucket.remove(entry.key, signal) : bucket.giveUp(entry.upload, signal));
    return storedObjects(entry);
  };
  for await (const entry of entries(bucket, options)) {
    if (entry.kind === 'base') bases.push(entry);
    else if (entry.kind === 'record') records.push(entry);
    else if (entry.kind === 'upload' || (entry.kind === 'image' && remove === 'all')) yield* await away(entry);
    else if (entry.base !== undefined) used.add(entry.base);
  }
  for (const base of bases) if (!used.has(base.etag)) yield* await away(base);
  // By now each recorded upload has been completed or aborted.
  for (const record of records) await away(record);
}

async function* entries(
  bucket: Bucket,
  { prefix = '', signal }: Parameters<typeof listFleet>[1],
): AsyncGenerator<Entry, void> {
  const look = async ({ key, size }: { key: string; size: number }): Promise<Entry> => {
    const { digest, base, etag = '' } = (await bucket.head(key, signal)) ?? {};
    const kind = kindOf(key, prefix, digest);
    return { kind, key, location: bucket.address(key), size, etag, base, ...(digest === undefined ? {} : { digest }) };
  };
  const ours = new Set<string>();
  const nameOf = ({ key, id }: Upload): string => JSON.stringify([key, id]);
  for await (const entry of inParallel(bucket.objects(prefix, signal), PARALLEL, look, signal)) {
    const upload = entry.kind === 'record' ? recordedUpload(entry.key) : undefined;
    if (upload !== undefined) ours.add(nameOf(upload));
    yield entry;
  }
  for await (const upload of bucket.uploads(prefix, signal)) {
    const { key } = upload;
    const kind = ours.has(nameOf(upload)) ? 'upload' : 'other';
    yield { kind, key, location: bucket.address(key), size: 0, etag: '', base: undefined, upload };
  }
}

function kindOf(key: string, prefix: string, digest: string | undefined): Entry['kind'] {
  if (digest === undefined) return 'other';
  if (recordedUpload(key) !== undefined) return 'record';
  return key.startsWith(`${prefix}${BASE_FOLDER}`) ? 'base' : 'image';
}

function storedObjects({ kind, location, size, digest }: Entry): StoredObject[] {
  return kind === 'record' ? [] : [{ kind, location, size, ...(digest === undefined ? {} : { digest }) }];
}
