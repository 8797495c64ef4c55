import { IsoError } from '../errors.ts';
import { discard, throwIfUnavailable } from '../http/attempts.ts';
import { credentialsOf, type FindCredentials } from './credentials.ts';
import { readSmall } from './fetch-text.ts';
import { type ImageReference, placeOf } from './reference.ts';

/** A `fetch` that stops when its signal aborts. */
type Ask = (url: string, init: RequestInit & { readonly signal: AbortSignal }) => Promise<Response>;

/** Maximum size of a token server's answer, as in podman. */
const LONGEST_TOKEN = 1024 * 1024;

/** Logs in to registries: by password, or by a token of their token server (Distribution, "Token Authentication"). */
export class Authorizations {
  readonly #find: FindCredentials;
  readonly #fetch: Ask;
  /** The last accepted header of each place. */
  readonly #known = new Map<string, string>();

  constructor(pullSecret: string | undefined, fetch: Ask) {
    this.#find = credentialsOf(pullSecret);
    this.#fetch = fetch;
  }

  known(place: ImageReference): string | undefined {
    return this.#known.get(placeOf(place));
  }

  /** The Authorization header after a registry answered 401 at `address`. */
  async renew(place: ImageReference, address: string, response: Response, signal: AbortSignal): Promise<string> {
    // The caller's `fetch` may not report the address of an answer.
    const from = new URL(response.url || address);
    refuseOther(place, new URL(address), from);
    const challenge = response.headers.get('www-authenticate') ?? '';
    const credentials = this.#find(place);
    // One header may hold several challenges, each with a realm.
    const [bearer] = /(?:^|,\s*)bearer\s.*/is.exec(challenge) ?? [];
    const header =
      bearer === undefined
        ? credentials && `Basic ${credentials}`
        : await this.#token(place, bearer, credentials, from.href, signal);
    if (header === undefined) throw missing(place);
    this.#known.set(placeOf(place), header);
    return header;
  }

  async #token(
    place: ImageReference,
    challenge: string,
    credentials: string | undefined,
    asked: string,
    signal: AbortSignal,
  ): Promise<string> {
    const parameter = (name: string): string | undefined =>
      new RegExp(`[\\s,]${name}="((?:[^"\\\\]|\\\\.)*)"`, 'i').exec(challenge)?.[1];
    const realm = parameter('realm');
    const url = realm !== undefined && URL.canParse(realm, asked) ? new URL(realm, asked) : undefined;
    // A password for a TLS registry is never sent unencrypted.
    if (url === undefined || (url.protocol !== 'https:' && asked.startsWith('https:'))) {
      throw new IsoError('ISO_BAD_ANSWER', `${place.registry} names no usable token server`);
    }
    const service = parameter('service');
    if (service !== undefined) url.searchParams.set('service', service);
    url.searchParams.set('scope', parameter('scope') ?? `repository:${place.repository}:pull`);
    const headers: Record<string, string> = credentials === undefined ? {} : { authorization: `Basic ${credentials}` };
    const response = await throwIfUnavailable(await this.#fetch(url.href, { headers, signal }));
    const name = `a token for ${placeOf(place)}`;
    if (response.status !== 200) {
      await discard(response);
      if (credentials === undefined) throw missing(place);
      const why = `the token server does not take the credentials of the pull secret (${response.status})`;
      throw new IsoError('ISO_REMOTE', `cannot get ${name}: ${why}`);
    }
    return `Bearer ${tokenIn(await readSmall(response, { signal, onActivity: () => undefined, name, limit: LONGEST_TOKEN }), name)}`;
  }
}

/**
 * Refuses challenges that are not from the registry, because a challenge names the server that receives the password.
 * Blobs are often on other servers, which do not know the registry's users.
 */
function refuseOther({ registry }: ImageReference, asked: URL, from: URL): void {
  const isOwn = from.host === asked.host && (from.protocol === asked.protocol || from.protocol === 'https:');
  if (isOwn) return;
  throw new IsoError('ISO_REMOTE', `${registry} redirects to ${from.origin}, which requires credentials and gets none`);
}

function tokenIn(bytes: Uint8Array, name: string): string {
  try {
    const { token, access_token: other } = JSON.parse(new TextDecoder().decode(bytes));
    const found: unknown = token ?? other;
    // Any other character could end the header.
    if (typeof found === 'string' && /^[\x21-\x7e]+$/.test(found)) return found;
  } catch {
    // Reported below, without the answer's text.
  }
  throw new IsoError('ISO_BAD_ANSWER', `the answer of the token server is not ${name}`);
}

function missing(place: ImageReference): IsoError {
  return new IsoError(
    'ISO_REMOTE',
    `${place.registry} requires credentials, and the pull secret has none for ${placeOf(place)}`,
  );
}
