// Failures that pass: how often, how long and how many at a time a server is asked. Knows nothing of what it is asked for.
import { sleep } from '@coreiso/peers/sleep';
import { IsoError } from '../errors.ts';
import { type ActivityListener, Pace } from './pace.ts';
import type { HttpSourceOptions } from './remote-options.ts';
import { parseDate } from './validators.ts';

export type AttemptOptions = Omit<HttpSourceOptions, 'fetch' | 'headers' | 'whole' | 'onProgress'>;

/** Progress that makes a failure count as the first one, unless it took too long. */
const PROGRESS = 16 * 1024;
/** As dnf has it. */
const MIN_RATE = 1000;
/** The pause before the first repetition, doubled each time, in milliseconds. */
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 10_000;
/** The longest that a server may ask to be left alone. */
const LONGEST_RETRY_AFTER = 60_000;

/** A failure that may pass. */
export class TransientError extends Error {
  /** Milliseconds, where it is known when it will have passed. */
  readonly pause: number | undefined;
  /** Whether a server said so. */
  readonly isAnswer: boolean;

  constructor(message: string, options: ErrorOptions & { pause?: number | undefined; isAnswer?: boolean } = {}) {
    super(message, options);
    this.pause = options.pause;
    this.isAnswer = options.isAnswer ?? false;
  }
}

/** Requests to one server, each repeated until it succeeds, and no more of them at a time than allowed. */
export class Attempts {
  readonly #name: string;
  readonly #options: AttemptOptions;
  readonly #failed: () => void;
  /** Whether the server has ever answered: one that never did is not there, and is not waited for. */
  #isThere = false;
  #free: number;
  readonly #waiting: (() => void)[] = [];

  /** `failed` is told of each failure before the next attempt. */
  constructor(name: string, options: AttemptOptions, failed: () => void) {
    this.#name = name;
    this.#options = options;
    this.#failed = failed;
    this.#free = options.parallel ?? 4;
  }

  /** Runs `attempt` until it succeeds, fails for good, or has failed too often. It has to end once its signal is aborted. */
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

/** Waits for work that may not heed the signal: callers bring a `fetch`, and so bodies, of their own. */
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
/** Of a server that has answered before these may pass: it is being started again. */
const ABSENT: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ENOTFOUND: 'the host is unknown',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
};

/** Refuses at once what will not be otherwise in a second: certificates, protocols, and servers that never were there. */
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

/** Registries are called by host and repository, without a scheme. */
function placeOf(name: string): Pick<URL, 'host' | 'hostname' | 'port'> {
  const address = /^[a-z]+:\/\//i.test(name) ? name : `https://${name}`;
  return URL.canParse(address) ? new URL(address) : { host: name, hostname: name, port: '' };
}

/** Of several addresses of a host, that of the first. */
function codeOf(error: Error): string {
  if ('code' in error && typeof error.code === 'string') return error.code;
  const [first] = error instanceof AggregateError ? error.errors : [];
  return first instanceof Error ? codeOf(first) : '';
}

/** Whatever else fails in between is taken for a broken connection. */
function passing(error: unknown): TransientError {
  if (error instanceof TransientError) return error;
  const cause = error instanceof Error ? error.cause : undefined;
  const why = cause instanceof Error ? ` (${codeOf(cause) || cause.message})` : '';
  return new TransientError(`the connection broke${why}`, { cause: error });
}

/** An answer, unless the server says that it can give none now. */
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

/** Frees the connection; what is wrong with the rest of the answer is of no interest. */
export async function discard({ body }: Response): Promise<void> {
  await body?.cancel().catch(() => undefined);
}
