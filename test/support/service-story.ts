// The stand-in for the assisted service: it answers as the real one did, poll by poll, at the moments of the recording.
import { Goldens } from './goldens.ts';

type JsonObject = Readonly<Record<string, unknown>>;

interface RecordedAnswer {
  readonly status: number;
  readonly answer: unknown;
}

/** The recorded answers of one moment. */
export interface Look {
  readonly time: string;
  readonly infra_envs: RecordedAnswer;
  readonly cluster: RecordedAnswer;
  readonly events: RecordedAnswer;
}

/** The answer to a request: a status and a body, as text. */
export interface StandInAnswer {
  readonly status: number;
  readonly body: string;
}

/** The tokens that the stand-in accepts. */
export const TOKENS = {
  user: 'user-token',
  watcher: 'watcher-token',
  agent: 'agent-token',
  expired: 'old-token',
} as const;

const recordings = new Goldens(new URL('../goldens/service.json', import.meta.url));

/** The names of the recorded stories. */
export const STORIES: readonly string[] = recordings
  .paths(/looks\.jsonl$/)
  .map((path) => path.replace('/looks.jsonl', ''));

/** A recorded file of a story, or of the registrations. */
export function recordedText(path: string): string {
  return recordings.text(path);
}

/** The polls of one story, in order. */
export function looksOf(story: string): readonly Look[] {
  return recordings
    .text(`${story}/looks.jsonl`)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** The time of a poll, in milliseconds since the first. */
export function momentOf(looks: readonly Look[], look: Look): number {
  return Date.parse(look.time) - Date.parse(looks[0]?.time ?? look.time);
}

/** The poll that applies at a moment; the last one stays. */
export function lookAt(looks: readonly Look[], milliseconds: number): Look {
  const found = looks.findLast((look) => momentOf(looks, look) <= milliseconds) ?? looks[0];
  if (found === undefined) throw new Error('the story has no look');
  return found;
}

/** Authorisation: the verdict of the real authenticator on each token, by its position in the request. */
function refusal(method: string, headers: Headers): RecordedAnswer | undefined {
  const authorization = headers.get('authorization');
  const watcher = headers.get('watcher-authorization');
  const tokens = [authorization, watcher, headers.get('x-secret-key')];
  if (tokens.includes(TOKENS.expired)) return denied(401, 'Failed to parse token: Token is expired\n');
  if (authorization === TOKENS.user) return undefined;
  if (watcher === TOKENS.watcher) return method === 'GET' ? undefined : denied(403, 'access forbidden');
  if (authorization === TOKENS.watcher || watcher === TOKENS.user) return denied(403, 'access forbidden');
  return denied(401, 'unauthenticated for invalid credentials');
}

function denied(code: number, message: string): RecordedAnswer {
  return { status: code, answer: { code, message } };
}

/** Answers one request at one poll. */
export function answerAt(look: Look, method: string, url: string, headers: Headers): StandInAnswer {
  const { status, answer } = refusal(method, headers) ?? recorded(look, method, new URL(url));
  return { status, body: textOf(answer) };
}

const texts = new WeakMap<object, string>();

/** Equal answers share one text. */
function textOf(answer: unknown): string {
  if (typeof answer !== 'object' || answer === null) return '';
  const text = texts.get(answer) ?? JSON.stringify(answer);
  texts.set(answer, text);
  return text;
}

function recorded({ infra_envs, cluster, events }: Look, method: string, { pathname }: URL): RecordedAnswer {
  const path = pathname.replace(/^\/api\/assisted-install\/v2/, '');
  const { id, hosts } = cluster.answer as { id: string; hosts: readonly JsonObject[] };
  if (method === 'POST' && /\/actions\/install$/.test(path)) return { status: 202, answer: cluster.answer };
  if (path === '/infra-envs') return infra_envs;
  if (path === '/clusters') return { ...cluster, answer: [{ ...(cluster.answer as JsonObject), hosts: [] }] };
  if (path === `/clusters/${id}`) return cluster;
  if (path === '/events') return events;
  if (/^\/infra-envs\/[^/]+\/hosts$/.test(path)) return { status: 200, answer: hosts };
  return { status: 404, answer: { code: '404', reason: `${path} was not found` } };
}

/** The state at a moment: a poll, a poll whose answers are truncated, or no server. */
export type WatcherAnswer = Look | { readonly cut: Look } | undefined;

/** A `fetch` that the stand-in answers with the state at the moment. */
export function storyFetch(seen: () => WatcherAnswer): (url: string, init: RequestInit) => Promise<Response> {
  return async (url, { method = 'GET', headers }) => {
    const now = seen();
    if (now === undefined) throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });
    const { status, body } = answerAt('cut' in now ? now.cut : now, method, url, new Headers(headers));
    const text = 'cut' in now ? body.slice(0, body.length / 2) : body;
    return new Response(text, { status, headers: { 'content-type': 'application/json' } });
  };
}
