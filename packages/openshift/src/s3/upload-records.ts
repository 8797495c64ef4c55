// Which uploads are ours. Stores list uploads without the metadata that their programs gave them, so each upload of a fleet is
// recorded beside the images before its first part is sent. An upload without a record is another person's.
import type { Bucket, Upload } from './bucket.ts';

const FOLDER = '.coreiso/uploads/';

/** Where an upload of the fleet under `prefix` is recorded; the name says all, so that a listing is enough to read it. */
export function recordOf(prefix: string, { key, id }: Upload): string {
  return `${prefix}${FOLDER}${encodeURIComponent(id)}/${key.slice(prefix.length)}`;
}

/** The upload that the record under this key is of; it is for a key in the same folder, or below. */
export function recordedUpload(record: string): Upload | undefined {
  const [, prefix = '', id = '', name = ''] = /^((?:.*?\/)?)\.coreiso\/uploads\/([^/]+)\/(.+)$/s.exec(record) ?? [];
  if (name === '') return undefined;
  try {
    return { key: `${prefix}${name}`, id: decodeURIComponent(id) };
  } catch {
    return undefined;
  }
}

/** Uploads that a fleet under `prefix` began and that were not seen to end, by the keys that they were for. */
export async function recordedUploads(
  bucket: Bucket,
  prefix: string,
  signal?: AbortSignal,
): Promise<Map<string, Upload[]>> {
  const found = new Map<string, Upload[]>();
  for await (const { key: record } of bucket.objects(`${prefix}${FOLDER}`, signal)) {
    const upload = recordedUpload(record);
    // Others may have put something there, too.
    if (upload === undefined || (await bucket.head(record, signal))?.digest === undefined) continue;
    found.set(upload.key, [...(found.get(upload.key) ?? []), upload]);
  }
  return found;
}

/** Gives up an upload of a killed run, and forgets it. */
export async function abortRecordedUpload(
  bucket: Bucket,
  prefix: string,
  upload: Upload,
  signal?: AbortSignal,
): Promise<void> {
  await bucket.giveUp(upload, signal);
  await bucket.remove(recordOf(prefix, upload), signal);
}
