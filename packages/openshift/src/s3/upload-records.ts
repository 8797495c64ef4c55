// Records of our own uploads. Stores list uploads without the metadata that their programs set, so each upload of a fleet is recorded
// beside the images before its first part is sent. An upload without a record belongs to another program.
import type { Bucket, Upload } from './bucket.ts';

const FOLDER = '.coreiso/uploads/';

/** The key of an upload's record in the fleet under `prefix`; the key contains all data, so a listing is enough to read it. */
export function recordOf(prefix: string, { key, id }: Upload): string {
  return `${prefix}${FOLDER}${encodeURIComponent(id)}/${key.slice(prefix.length)}`;
}

/** The upload that this key records; its object is under the same prefix. */
export function recordedUpload(record: string): Upload | undefined {
  const [, prefix = '', id = '', name = ''] = /^((?:.*?\/)?)\.coreiso\/uploads\/([^/]+)\/(.+)$/s.exec(record) ?? [];
  if (name === '') return undefined;
  try {
    return { key: `${prefix}${name}`, id: decodeURIComponent(id) };
  } catch {
    return undefined;
  }
}

/** Uploads that a fleet under `prefix` began and never saw complete, by the keys they were for. */
export async function recordedUploads(
  bucket: Bucket,
  prefix: string,
  signal?: AbortSignal,
): Promise<Map<string, Upload[]>> {
  const found = new Map<string, Upload[]>();
  for await (const { key: record } of bucket.objects(`${prefix}${FOLDER}`, signal)) {
    const upload = recordedUpload(record);
    // Other programs may have put objects there, too.
    if (upload === undefined || (await bucket.head(record, signal))?.digest === undefined) continue;
    found.set(upload.key, [...(found.get(upload.key) ?? []), upload]);
  }
  return found;
}

/** Aborts an upload of a killed run and removes its record. */
export async function abortRecordedUpload(
  bucket: Bucket,
  prefix: string,
  upload: Upload,
  signal?: AbortSignal,
): Promise<void> {
  await bucket.giveUp(upload, signal);
  await bucket.remove(recordOf(prefix, upload), signal);
}
