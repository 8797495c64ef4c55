// Requests to a store: timeouts, retries and the meaning of failures.

import { sleep } from '@coreiso/peers/sleep';
import { OpenshiftError, type OpenshiftErrorCode } from '../errors.ts';

/** An object store, with retries and timeouts. */
export interface StorePlace {
  readonly bucket: string;
  /** Prefix of the keys, usually with a slash at its end (default: empty). */
  readonly prefix?: string | undefined;
  /** How often a request is repeated after a transient failure (default: 5). */
  readonly retries?: number | undefined;
  /** Timeout of a request in milliseconds, except for copies (default: 60,000). */
  readonly timeout?: number | undefined;
}

export type AttemptOptions = Pick<StorePlace, 'retries' | 'timeout'>;

/** The subject of a request. */
export interface Request {
  /** `cannot …` */
  readonly what: string;
  /** The file that the request is for. */
  readonly file?: string | undefined;
  /** Bytes that the store sends, receives or copies; more bytes take longer. */
  readonly bytes?: number;
  readonly signal?: AbortSignal | undefined;
}

/** The pause before the first retry, doubled each time, in milliseconds. */
const FIRST_PAUSE = 200;
const LONGEST_PAUSE = 10_000;
/** The longest pause that a store may request. */
const LONGEST_RETRY_AFTER = 60_000;
/** The slowest useful rate of a store, in bytes per second, for copying and receiving. */
const BYTES_PER_SECOND = 4 * 1024 * 1024;

/** Runs `send` until it succeeds, fails permanently, or has failed too often. */
export async function attempt<T>(
  { what, file, bytes = 0, signal }: Request,
  { retries = 5, timeout = 60_000 }: AttemptOptions,
  send: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  for (let failures = 1; ; failures++) {
    signal?.throwIfAborted();
    const silence = new AbortController();
    const patience = timeout + (bytes / BYTES_PER_SECOND) * 1000;
    const timer = setTimeout(() => silence.abort(), patience);
    try {
      return await send(signal === undefined ? silence.signal : AbortSignal.any([signal, silence.signal]));
    } catch (error) {
      signal?.throwIfAborted();
      const failure = silence.signal.aborted
        ? new Error(`nothing came for ${Math.round(patience / 1000)} s`)
        : failureOf(error);
      if (failure === undefined) throw error;
      if (failures > retries || !isTransient(failure)) {
        const often = failures > 1 ? ` (tried ${failures} times)` : '';
        throw new OpenshiftError(codeOf(failure), `cannot ${what}: ${failure.message}${often}`, {
          cause: failure,
          file,
        });
      }
      await sleep(retryAfter(error) ?? Math.random() * Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** failures), signal);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** A store's answer, by S3's name for it. The client's own errors contain the whole request with its signature. */
export class Refusal extends Error {
  override readonly name: string;
  readonly status: number;

  constructor(status: number, name: string) {
    super(`the store answers ${status} ${name}`.trimEnd());
    this.status = status;
    this.name = name;
  }
}

/** The error of a broken connection. */
class ConnectionBroken extends Error {}

/** Whether `attempt` failed because connections broke each time. */
export function isBreak(error: unknown): boolean {
  return error instanceof OpenshiftError && error.cause instanceof ConnectionBroken;
}

/** The answer that made `attempt` fail. */
export function refusalOf(error: unknown): Refusal | undefined {
  return error instanceof OpenshiftError && error.cause instanceof Refusal ? error.cause : undefined;
}

/** The fields of the client's errors. */
interface ClientError {
  readonly name?: string;
  readonly Code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly $response?: { readonly headers?: Readonly<Record<string, string>> };
}

/** The answer, or the connection's error; `undefined` for other errors. */
function failureOf(error: unknown): Error | undefined {
  if (!(error instanceof Error) || error instanceof TypeError || error instanceof OpenshiftError) return undefined;
  const { Code, name, $metadata } = error as ClientError;
  const status = $metadata?.httpStatusCode;
  if (status !== undefined) return new Refusal(status, Code ?? name ?? '');
  const { code } = error as { code?: unknown };
  return new ConnectionBroken(`the connection broke (${typeof code === 'string' ? code : error.name})`);
}

const FULL = ['QuotaExceeded', 'InsufficientStorage', 'XMinioStorageFull', 'StorageFull'];

/** Whether the same request may succeed later: the store is overloaded or broken, or the connection is. */
function isTransient(failure: Error): boolean {
  if (!(failure instanceof Refusal)) return true;
  const { status, name } = failure;
  return status === 408 || status === 429 || (status >= 500 && ![501, 507].includes(status) && !FULL.includes(name));
}

function codeOf(failure: Error): OpenshiftErrorCode {
  if (!(failure instanceof Refusal)) return 'OPENSHIFT_STORE_FAILED';
  if (FULL.includes(failure.name) || failure.status === 507) return 'OPENSHIFT_STORE_FULL';
  if (failure.name === 'NoSuchBucket') return 'OPENSHIFT_NO_BUCKET';
  return failure.status === 401 || failure.status === 403 ? 'OPENSHIFT_STORE_DENIED' : 'OPENSHIFT_STORE_FAILED';
}

/** The pause that the store requests, in milliseconds. */
function retryAfter(error: unknown): number | undefined {
  const value = (error as ClientError).$response?.headers?.['retry-after'];
  if (value === undefined) return undefined;
  const pause = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(pause) ? Math.min(LONGEST_RETRY_AFTER, Math.max(0, pause)) : undefined;
}
