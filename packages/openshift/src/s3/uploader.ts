import type { CompletedPart } from '@aws-sdk/client-s3';
import type { ByteSource } from '@coreiso/iso';
import { OpenshiftError } from '../errors.ts';
import type { Stored } from '../sinks/sink.ts';
import type { Bucket, Labels } from './bucket.ts';
import { type Part, planParts, SMALLEST_PART } from './parts.ts';
import type { PinnedObject } from './source.ts';
import { abortRecordedUpload, recordOf } from './upload-records.ts';

/** A base in the store, and its identity in the images. */
export interface BaseInStore {
  readonly source: ByteSource;
  /** Uploads the base if necessary. */
  pin(signal: AbortSignal | undefined): Promise<PinnedObject>;
  /** Bytes of it that were sent in this run; undefined if it was already there. */
  readonly uploaded: Stored | undefined;
  /** Fails if the base has changed. */
  check(signal: AbortSignal | undefined): Promise<void>;
}

/** An object to make. */
export interface ObjectPlan {
  /** Prefix of the fleet: its uploads are recorded there. */
  readonly prefix: string;
  readonly key: string;
  readonly name: string;
  readonly source: ByteSource;
  readonly digest: string;
  readonly base: BaseInStore | undefined;
}

/** Number of bytes to read back at each place. */
const SAMPLE = 64 * 1024;

/** Makes an object from copied and sent parts; it appears when it is complete. Returns the number of sent bytes. */
export async function uploadObject(bucket: Bucket, plan: ObjectPlan, signal: AbortSignal | undefined): Promise<number> {
  const parts = planParts(plan.source, plan.base?.source, plan.name);
  const isSmall = parts.length < 2 && plan.source.size < SMALLEST_PART;
  const sent = isSmall ? await putObject(bucket, plan, signal) : await uploadParts(bucket, plan, parts, signal);
  await readBack(bucket, plan, parts, signal);
  return sent;
}

async function putObject(bucket: Bucket, { key, source, digest }: ObjectPlan, signal?: AbortSignal): Promise<number> {
  await bucket.put(key, await source.read(0, source.size, signal), { digest }, signal);
  return source.size;
}

async function uploadParts(
  bucket: Bucket,
  plan: ObjectPlan,
  parts: readonly Part[],
  signal: AbortSignal | undefined,
): Promise<number> {
  const { prefix, key, source, digest, base } = plan;
  const from = parts.some(({ kind }) => kind === 'copied') ? await base?.pin(signal) : undefined;
  const labels: Labels = { digest, ...(from === undefined ? {} : { base: from.etag }) };
  const upload = await bucket.begin(key, labels, signal);
  try {
    await bucket.put(recordOf(prefix, upload), new Uint8Array(0), labels, signal);
    const done: CompletedPart[] = [];
    let sent = 0;
    for (const [index, part] of parts.entries()) {
      if (part.kind === 'copied' && from !== undefined) {
        done.push(await bucket.copyPart(upload, index + 1, from, part, signal));
        continue;
      }
      const bytes = await source.read(part.start, part.length, signal);
      done.push(await bucket.sendPart(upload, index + 1, bytes, signal));
      sent += bytes.length;
    }
    // Stores may ignore conditions: the copied ranges are valid only if the base is still the same.
    if (from !== undefined) await base?.check(signal);
    await bucket.complete(upload, done, signal);
    // The object is complete. If its record remains, `pruneFleet` or the next run that writes the object removes it.
    await ignoringErrors(() => bucket.remove(recordOf(prefix, upload), signal));
    return sent;
  } catch (error) {
    // A second failure must not hide the first; the next run finds the remains.
    await ignoringErrors(() => abortRecordedUpload(bucket, prefix, upload));
    throw error;
  }
}

async function ignoringErrors(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch {
    // Harmless, as the callers explain.
  }
}

/** Compares size, digest and samples of the stored object with the expected ones: some stores accept wrong checksums. */
async function readBack(
  bucket: Bucket,
  { key, name, source, digest }: ObjectPlan,
  parts: readonly Part[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const wrong = (what: string): OpenshiftError =>
    new OpenshiftError('OPENSHIFT_WRONG_BYTES', `${bucket.address(key)} is not what was stored: ${what}`, {
      file: name,
    });
  const found = await bucket.head(key, signal);
  if (found === undefined)
    throw new OpenshiftError('OPENSHIFT_STORE_FAILED', `${bucket.address(key)} is not there`, { file: name });
  // Do not remove an object that another program has put there since.
  if (found.digest !== digest) throw wrong('another run wrote it');
  const difference = await firstDifference(bucket, { key, source, size: found.size }, parts, signal);
  if (difference === undefined) return;
  await bucket.remove(key);
  throw wrong(difference);
}

async function firstDifference(
  bucket: Bucket,
  { key, source, size }: Pick<ObjectPlan, 'key' | 'source'> & { readonly size: number },
  parts: readonly Part[],
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  if (size !== source.size) return `it has ${size} bytes, not ${source.size}`;
  for (const offset of samplesOf(size, parts)) {
    const length = Math.min(SAMPLE, size - offset);
    const [there, here] = [
      await bucket.read(key, { offset, length }, signal),
      await source.read(offset, length, signal),
    ];
    if (!there.every((byte, index) => byte === here[index])) return `the bytes from ${offset} on differ`;
  }
  return undefined;
}

/** The positions to compare: the start of the first sent part, its borders with copied parts, and the end. */
function samplesOf(size: number, parts: readonly Part[]): number[] {
  const sent = parts.find(({ kind }) => kind === 'sent');
  const around = sent === undefined ? [0] : [sent.start, Math.max(0, sent.start + sent.length - SAMPLE / 2)];
  return [...new Set([...around, Math.max(0, size - SAMPLE)])].filter((offset) => offset < size);
}
