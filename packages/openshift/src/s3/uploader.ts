import type { CompletedPart } from '@aws-sdk/client-s3';
import type { ByteSource } from '@coreiso/iso';
import { OpenshiftError } from '../errors.ts';
import type { Stored } from '../sinks/sink.ts';
import type { Bucket, Labels } from './bucket.ts';
import { type Part, planParts, SMALLEST_PART } from './parts.ts';
import type { PinnedObject } from './source.ts';
import { abortRecordedUpload, recordOf } from './upload-records.ts';

/** A base that is in the store, and what stands for it in the images. */
export interface BaseInStore {
  readonly source: ByteSource;
  /** Puts it there if need be. */
  pin(signal: AbortSignal | undefined): Promise<PinnedObject>;
  /** What was sent of it in this run; undefined where it was there. */
  readonly uploaded: Stored | undefined;
  /** Fails where it is no longer what it was. */
  check(signal: AbortSignal | undefined): Promise<void>;
}

/** An object to make. */
export interface ObjectPlan {
  /** Of the fleet: its uploads are recorded there. */
  readonly prefix: string;
  readonly key: string;
  readonly name: string;
  readonly source: ByteSource;
  readonly digest: string;
  readonly base: BaseInStore | undefined;
}

/** How much is read back in each place. */
const SAMPLE = 64 * 1024;

/** Makes an object, of parts that are copied and parts that are sent; it is there when it is whole. Returns the bytes sent. */
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
    // Stores ignore conditions: what was copied is of the base only if it is still the same.
    if (from !== undefined) await base?.check(signal);
    await bucket.complete(upload, done, signal);
    // The object is whole; a record that stays is removed by the next run that writes this object, or by `pruneFleet`.
    await ignoringErrors(() => bucket.remove(recordOf(prefix, upload), signal));
    return sent;
  } catch (error) {
    // A second failure must not hide the first; what is left is found by the next run.
    await ignoringErrors(() => abortRecordedUpload(bucket, prefix, upload));
    throw error;
  }
}

async function ignoringErrors(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch {
    // Of no consequence, as the callers say.
  }
}

/** Compares size, digest and samples of what the store has with what it should have: stores take wrong checksums without a word. */
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
  // What another program has put there since is not ours to remove.
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

/** Where the first part that was sent begins, where copied parts meet it, and the end. */
function samplesOf(size: number, parts: readonly Part[]): number[] {
  const sent = parts.find(({ kind }) => kind === 'sent');
  const around = sent === undefined ? [0] : [sent.start, Math.max(0, sent.start + sent.length - SAMPLE / 2)];
  return [...new Set([...around, Math.max(0, size - SAMPLE)])].filter((offset) => offset < size);
}
