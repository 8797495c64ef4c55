// Redirects of a request with the caller's headers, which are sent only to the origin that they were given for. `fetch`
// itself withholds credentials from another origin, but passes on all other headers.

import { IsoError } from '../errors.ts';
import { discard, unlessAborted } from './attempts.ts';
import type { Fetch } from './remote-options.ts';

/** A request to one origin. */
export interface OwnRequest {
  /** The request; sent to every address in the chain. */
  readonly headers: Readonly<Record<string, string>>;
  /** Headers of the caller, sent only to the origin of the address. */
  readonly own: Headers;
  readonly signal: AbortSignal;
  /** The address for messages, without secrets. */
  readonly name: string;
}

/** An answer, and the address that gave it. */
export interface RedirectedResponse {
  readonly response: Response;
  readonly url: string;
}

/** The limit of `fetch` (Fetch, "HTTP-redirect fetch"). */
const MOST = 20;
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

/** Sends a request and follows its redirects. */
export async function followRedirects(fetch: Fetch, address: string, request: OwnRequest): Promise<RedirectedResponse> {
  const { headers, own, signal, name } = request;
  const send = async (url: string, also: Headers, redirect?: RequestRedirect): Promise<RedirectedResponse> => {
    const all = new Headers(also);
    for (const [field, value] of Object.entries(headers)) all.set(field, value);
    // Browser caches could answer with parts of an older version.
    const init: RequestInit = { headers: all, signal, cache: 'no-store', ...(redirect && { redirect }) };
    const response = await unlessAborted(fetch(url, init), signal);
    // The caller's `fetch` may follow redirects anyway.
    return { response, url: response.redirected ? response.url : url };
  };
  if ([...own].length === 0) return send(address, own);
  const { origin } = new URL(address);
  let url = address;
  for (let count = 0; count <= MOST; count++) {
    const answer = await send(url, new URL(url).origin === origin ? own : new Headers(), 'manual');
    const { response } = answer;
    if (response.type === 'opaqueredirect') {
      throw refusal(
        name,
        'redirects, and a page that sends headers of its own cannot see where to; give the final address',
      );
    }
    const location = response.headers.get('location');
    if (!REDIRECTS.includes(response.status) || location === null) return answer;
    await discard(response);
    url = nextAddress(location, answer.url) ?? rethrow(refusal(name, 'redirects to an invalid address'));
  }
  throw refusal(name, `redirects more than ${MOST} times`);
}

function nextAddress(location: string, base: string): string | undefined {
  if (!URL.canParse(location, base)) return undefined;
  const { protocol, username, password, href } = new URL(location, base);
  return /^https?:$/.test(protocol) && username === '' && password === '' ? href : undefined;
}

function refusal(name: string, what: string): IsoError {
  return new IsoError('ISO_REMOTE', `cannot read ${name}: the server ${what}`);
}

function rethrow(error: IsoError): never {
  throw error;
}
