// The live system of an image that installs machines by itself: it answers `GET /status` for holders of the image's token.
import { within } from '../clock.ts';
import { isObject, memberOf, objectsOf, textOf } from '../objects.ts';
import { type Fetch, fitsHeader, redirectTarget, TooLongError, textUpTo } from '../reader/answer.ts';
import { authority, networkReason, type Observation, redirected, UNFIT_TOKEN } from './client.ts';

/** Port and token of the status of live systems, from the report of a build. Secret. */
export interface StatusAccess {
  readonly port: number;
  readonly token: string;
}

/** Progress of a machine, in its own words. */
type LiveStage =
  | 'starting'
  | 'checking'
  /** A check failed; all of them run again in a minute. */
  | 'waiting'
  | 'installing'
  | 'finishing'
  | 'installed'
  /** Nothing was written, and only a person can help. */
  | 'stopped'
  /** The disk may have been written to. */
  | 'failed';

/** One check before the installation. */
export interface LiveCheck {
  readonly check: string;
  readonly verdict: 'pass' | 'warning' | 'fail';
  readonly text: string;
}

/** The status of a live system; missing texts are empty. */
export interface LiveStatus {
  readonly stage: LiveStage;
  /** Written share of the disk. */
  readonly percentage: number | undefined;
  readonly disk: string;
  /** Why the machine chose that disk. */
  readonly reason: string;
  readonly error: string;
  readonly checks: readonly LiveCheck[];
}

export interface LiveSystemOptions {
  readonly fetch?: Fetch | undefined;
  readonly access: StatusAccess;
}

/** The machine closes a connection after five seconds. */
const ANSWER_TIMEOUT = 8000;
/** A longer answer comes from another program. */
const LONGEST_ANSWER = 256 * 1024;

/** Polls one live system. */
export class LiveSystem {
  readonly #url: string;
  readonly #fetch: Fetch;
  readonly #token: string;

  constructor(address: string, { fetch, access }: LiveSystemOptions) {
    this.#url = `http://${authority(address, access.port)}/status`;
    this.#fetch = fetch ?? ((url, init) => globalThis.fetch(url, init));
    this.#token = access.token;
  }

  /** Polls once; throws only if the signal aborts. */
  async observe(signal?: AbortSignal): Promise<Observation<LiveStatus>> {
    try {
      return await within(ANSWER_TIMEOUT, signal, (stop) => this.#ask(stop));
    } catch (error) {
      signal?.throwIfAborted();
      return { ok: false, reason: networkReason(error) };
    }
  }

  async #ask(signal: AbortSignal): Promise<Observation<LiveStatus>> {
    if (!fitsHeader(this.#token)) return { ok: false, reason: UNFIT_TOKEN };
    const headers = { authorization: `Bearer ${this.#token}` };
    const response = await this.#fetch(this.#url, { headers, redirect: 'manual', signal });
    const { status } = response;
    if (!response.ok) {
      await response.body?.cancel();
      const target = redirectTarget(response, this.#url);
      return { ok: false, status, reason: target === undefined ? `HTTP status ${status}` : redirected(target) };
    }
    const { text } = await textUpTo(response, LONGEST_ANSWER).catch(nothingIfTooLong);
    const value = readLiveStatus(text);
    if (value === undefined) return { ok: false, status, reason: 'its answer is not the status of a live system' };
    return { ok: true, value };
  }
}

function nothingIfTooLong(error: unknown): { readonly text: string } {
  if (error instanceof TooLongError) return { text: '' };
  throw error;
}

const STAGES: ReadonlySet<string> = new Set<LiveStage>([
  'starting',
  'checking',
  'waiting',
  'installing',
  'finishing',
  'installed',
  'stopped',
  'failed',
]);
const VERDICTS: ReadonlySet<string> = new Set<LiveCheck['verdict']>(['pass', 'warning', 'fail']);

/** Parses a status without trust; undefined if it is invalid, or of another version. */
function readLiveStatus(json: string): LiveStatus | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  const stage = textOf(value, 'stage');
  if (!isObject(value) || value['version'] !== 1 || !STAGES.has(stage)) return undefined;
  const progress = memberOf(value, 'progress');
  return {
    stage: stage as LiveStage,
    percentage: typeof progress === 'number' && progress >= 0 && progress <= 100 ? progress : undefined,
    disk: textOf(value, 'disk'),
    reason: textOf(value, 'reason'),
    error: textOf(value, 'error'),
    checks: objectsOf(value, 'checks').flatMap((one) => {
      const verdict = textOf(one, 'verdict');
      if (!VERDICTS.has(verdict)) return [];
      return [{ check: textOf(one, 'check'), verdict: verdict as LiveCheck['verdict'], text: textOf(one, 'text') }];
    }),
  };
}
