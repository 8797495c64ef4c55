// Retries of transient failures: how often, for how long and how many in parallel. Independent of the kind of request.
import { sleep } from '@coreiso/peers/sleep';
import { IsoError } from '../errors.ts';
import { type ActivityListener, Pace } from './pace.ts';
import type { HttpSourceOptions } from './remote-options.ts';
import { parseDate } from './validators.ts';

export type AttemptOptions = Omit<HttpSourceOptions, 'fetch' | 'headers' | 'whole' | 'onProgress'>;

/** Progress in bytes that resets the count of failures, unless it was too slow. */
const PROGRESS = 16 * 1024;
/** The default of dnf. */
const MIN_RATE = 1000;
/** The pause before the first retry in milliseconds, doubled each time. */
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 10_000;
/** The longest accepted `Retry-After` in milliseconds. */
const LONGEST_RETRY_AFTER = 60_000;

/** A transient failure: a retry may succeed. */
export class TransientError extends Error {
  /** Milliseconds until the failure should have passed, if known. */
  readonly pause: number | undefined;
  /** Whether the failure is an answer of the server. */
  readonly isAnswer: boolean;

  constructor(message: string, options: ErrorOptions & { pause?: number | undefined; isAnswer?: boolean } = {}) {
    super(message, options);
    this.pause = options.pause;
    this.isAnswer = options.isAnswer ?? false;
  }
}

/** Requests to one server: retries each until it succeeds, and limits the number of parallel ones. */
export class Attempts {
  readonly #name: string;
  readonly #options: AttemptOptions;
  readonly #failed: () => void;
  /** Whether the server has ever answered. If not, it does not exist, and waiting would not help. */
  #isThere = false;
  #free: number;
  readonly #waiting: (() => void)[] = [];

  /** Calls `failed` after each failure, before the next attempt. */
  constructor(name: string, options: AttemptOptions, failed: () => void) {
    this.#name = name;
    this.#options = options;
    this.#failed = failed;
    this.#free = options.parallel ?? 4;
  }

  /**
   * Runs `attempt` until it succeeds, fails permanently, or has failed too often. It must end when its signal aborts.
   */
  async run<T>(
    attempt: (signal: AbortSignal, onActivity: ActivityListener) => Promise<T>,
    {
      signal: aborted,
      offset,
      progress = () => 0,
    }: { signal?: AbortSignal; offset?: number; progress?: () => number } = {},
  ): Promise<T> {
    const { retries = 5, timeout = 30_000, minRate = MIN_RATE, onRetry, signal: ended } = this.#options;
    const wanted = AbortSignal.any([ended, aborted].filter((signal) => signal !== undefined));
    await this.#enter(wanted);
    try {
      for (let failures = 0, reached = 0; ; ) {
        const silence = new AbortController();
        const give = (): void => silence.abort(new TransientError(`nothing came for ${timeout / 1000} s`));
        let timer = setTimeout(give, timeout);
        const pace = new Pace(this.#name, minRate);
        try {
          wanted.throwIfAborted();
          const value = await attempt(AbortSignal.any([wanted, silence.signal]), (length = 0, waited = 0) => {
            this.#isThere = true;
            clearTimeout(timer);
            timer = setTimeout(give, timeout);
            pace.arrived(length, waited);
          });
          this.#isThere = true;
          return value;
        } catch (error) {
          wanted.throwIfAborted();
          if (error instanceof IsoError) throw error;
          refuseUnreachable(error, this.#name, this.#isThere);
          if (error instanceof TransientError) this.#isThere ||= error.isAnswer;
          const failure = passing(silence.signal.aborted ? silence.signal.reason : error);
          this.#failed();
          if (progress() - reached >= Math.max(PROGRESS, pace.least)) failures = 0;
          reached = progress();
          failures++;
          const { pause = Math.random() * Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** failures) } = failure;
          if (failures > retries || pause > LONGEST_RETRY_AFTER) {
            const often = failures > 1 ? ` (tried ${failures} times)` : '';
            throw new IsoError('ISO_REMOTE', `cannot read ${this.#name}: ${failure.message}${often}`, {
              cause: failure.cause ?? failure,
              offset: offset === undefined ? undefined : offset + reached,
            });
          }
          onRetry?.({
            address: this.#name,
            reason: failure.message,
            attempt: failures + 1,
            attempts: retries + 1,
          });
          await sleep(pause, wanted);
        } finally {
          clearTimeout(timer);
        }
      }
    } finally {
      this.#leave();
    }
  }

  async #enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free--;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const enter = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        reject(signal.reason);
      };
      this.#waiting.push(enter);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free++;
    else next();
  }
}

/** Waits for work that may ignore the signal, such as a caller's own `fetch` and its bodies. */
export function unlessAborted<T>(work: T | Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    Promise.resolve(work)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', stop));
  });
}

/** Node's codes for certificate errors; browsers give no reason. */
const CERTIFICATE = /CERT|ISSUER|SIGNATURE/;
const TLS = /^(?:ERR_TLS|ERR_SSL|EPROTO)/;
/** If the server has answered before, these are transient: it is restarting. */
const ABSENT: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ENOTFOUND: 'the host is unknown',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
};

/** Fails at once if a retry cannot help: wrong certificates or protocols, and servers that never answered. */
function refuseUnreachable(error: unknown, name: string, wasThere: boolean): void {
  const cause = error instanceof Error ? error.cause : undefined;
  if (!(cause instanceof Error)) return;
  const code = codeOf(cause);
  const { host, hostname, port } = placeOf(name);
  const refuse = (why: string): never => {
    throw new IsoError('ISO_REMOTE', `cannot read ${name}: ${why}`, { cause });
  };
  if (CERTIFICATE.test(code)) refuse(`its certificate is not trusted (${cause.message})`);
  if (TLS.test(code)) refuse(`TLS with ${host} failed (${code}); check that it speaks https`);
  if (cause.message === 'bad port') refuse(`fetch does not allow port ${port}`);
  const absent = ABSENT[code];
  if (absent !== undefined && !wasThere) refuse(`${absent} (${code === 'ENOTFOUND' ? hostname : host})`);
}

/** Names of registries are a host and a repository, without a scheme. */
function placeOf(name: string): Pick<URL, 'host' | 'hostname' | 'port'> {
  const address = /^[a-z]+:\/\//i.test(name) ? name : `https://${name}`;
  return URL.canParse(address) ? new URL(address) : { host: name, hostname: name, port: '' };
}

/** The error code; if all addresses of a host failed, the code of the first one. */
function codeOf(error: Error): string {
  if ('code' in error && typeof error.code === 'string') return error.code;
  const [first] = error instanceof AggregateError ? error.errors : [];
  return first instanceof Error ? codeOf(first) : '';
}

/** Treats all other failures as a broken connection. */
function passing(error: unknown): TransientError {
  if (error instanceof TransientError) return error;
  const cause = error instanceof Error ? error.cause : undefined;
  const why = cause instanceof Error ? ` (${codeOf(cause) || cause.message})` : '';
  return new TransientError(`the connection broke${why}`, { cause: error });
}

/** Returns the answer, or throws if the server is temporarily unavailable. */
export async function throwIfUnavailable(response: Response): Promise<Response> {
  const { status } = response;
  if (status < 500 && ![408, 425, 429].includes(status)) return response;
  await discard(response);
  const pause = retryAfter(response);
  const wish = pause === undefined ? '' : ` and asks to wait ${Math.ceil(pause / 1000)} s`;
  throw new TransientError(`the server answered ${status}${wish}`, { pause, isAnswer: true });
}

/** `Retry-After` (§10.2.3) in milliseconds: a number of seconds, or a date. */
function retryAfter({ headers }: Response): number | undefined {
  const header = headers.get('retry-after');
  if (header !== null && /^\d+$/.test(header)) return Number(header) * 1000;
  const date = parseDate(header);
  return date === undefined ? undefined : Math.max(0, date * 1000 - Date.now());
}

/** Frees the connection, ignoring failures of the remaining answer. */
export async function discard({ body }: Response): Promise<void> {
  await body?.cancel().catch(() => undefined);
}
