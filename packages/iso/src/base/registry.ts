// The pulling half of the registry API (OCI Distribution, Docker Registry v2): manifests and blobs, each checked against its digest.
import { toHex } from '../bytes/source.ts';
import { type Hash, sha256 as portableSha256 } from '../checksums/sha256.ts';
import { IsoError } from '../errors.ts';
import { Attempts, discard, TransientError, throwIfUnavailable, unlessAborted } from '../http/attempts.ts';
import { bodyOf } from '../http/body.ts';
import type { RemoteOptions } from '../http/remote-options.ts';
import { Authorizations } from './authorization.ts';
import { readSmall } from './fetch-text.ts';
import { placesFor, type RegistryMirror } from './mirrors.ts';
import { formatReference, type ImageReference, isDigest, placeOf, versionOf } from './reference.ts';

/** Options of reading from registries. */
export interface RegistryOptions extends RemoteOptions {
  /** JSON with a member `auths`: a pull secret, or an `auth.json` of podman. */
  readonly pullSecret?: string | undefined;
  readonly mirrors?: readonly RegistryMirror[] | undefined;
  /** Registries, `HOST` or `HOST:PORT`, that may be used without encryption; `*` means all. */
  readonly insecureRegistries?: readonly string[] | undefined;
  /** The SHA-256 implementation (default: `sha256`); `nativeSha256` of `@coreiso/iso/node` is faster. */
  readonly sha256?: (() => Hash) | undefined;
}

/** The description of a blob in a manifest. */
export interface Blob {
  readonly digest: string;
  /** Size of the transferred bytes; `undefined` if the manifest does not state it. */
  readonly size: number | undefined;
}

/** A manifest, and the place that has it. */
export interface FoundManifest {
  readonly place: ImageReference;
  readonly digest: string;
  readonly value: Readonly<Record<string, unknown>>;
}

const MANIFESTS = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');

/** Maximum size of a manifest, as in podman. */
const LONGEST_MANIFEST = 4 * 1024 * 1024;

type AskInit = RequestInit & { readonly signal: AbortSignal };

/** An answer to a request, perhaps from another address after a redirect. */
interface Answer {
  readonly address: string;
  readonly response: Response;
}

export class Registry {
  readonly #options: RegistryOptions;
  readonly #authorizations: Authorizations;
  readonly #sha256: () => Hash;
  /** The scheme on which an insecure registry answers. */
  readonly #schemes = new Map<string, 'https' | 'http'>();

  constructor(options: RegistryOptions) {
    this.#options = options;
    this.#sha256 = options.sha256 ?? portableSha256;
    this.#authorizations = new Authorizations(options.pullSecret, (url, init) => this.#fetch(url, init));
  }

  /** Fetches the manifest of an image from the first place that has it. */
  async manifest(reference: ImageReference): Promise<FoundManifest> {
    const places = placesFor(reference, this.#options.mirrors ?? []);
    const failures: IsoError[] = [];
    for (const [index, place] of places.entries()) {
      try {
        return await this.#manifestAt(place, index === places.length - 1);
      } catch (error) {
        if (!(error instanceof IsoError)) throw error;
        failures.push(error);
      }
    }
    if (failures.length === 1) throw failures[0];
    const hint = reference.digest === undefined ? ' (its mirrors count for images that are named by digest)' : '';
    const reasons = failures.map(({ message }) => message).join('; ') || `there is no registry to ask${hint}`;
    throw new IsoError('ISO_REMOTE', `could not fetch ${formatReference(reference)} from any registry: ${reasons}`);
  }

  /** Streams a blob. `verified` settles after the last byte and rejects if the digest differs. */
  blob(place: ImageReference, blob: Blob): { stream: ReadableStream<Uint8Array>; verified: Promise<void> } {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    // Stops all requests once the reader has left.
    const unwanted = new AbortController();
    writer.closed.catch((reason) => unwanted.abort(reason));
    const verified = this.#pour(place, blob, writer, unwanted.signal).then(
      () => writer.close(),
      async (error) => {
        await writer.abort(error).catch(() => undefined);
        throw error;
      },
    );
    verified.catch(() => undefined);
    return { stream: readable, verified };
  }

  async #manifestAt(place: ImageReference, isLast: boolean): Promise<FoundManifest> {
    const name = formatReference(place);
    const bytes = await this.#attempts(name, isLast).run(async (signal, onActivity) => {
      const response = await this.#get(place, `manifests/${versionOf(place)}`, { accept: MANIFESTS }, signal);
      await expectStatus(response, [200], name);
      return readSmall(response, { signal, onActivity, name, limit: LONGEST_MANIFEST });
    });
    const digest = this.#digestOf(bytes);
    if (place.digest !== undefined && place.digest !== digest) {
      throw new IsoError(
        'ISO_WRONG_DIGEST',
        `the manifest that ${place.registry} gives for ${name} has digest ${digest}`,
      );
    }
    return { place, digest, value: parseManifest(bytes, name) };
  }

  /**
   * Writes out a blob. After a failure it continues where it stopped: content with a digest as its name does not
   * change.
   */
  async #pour(
    place: ImageReference,
    { digest, size }: Blob,
    writer: WritableStreamDefaultWriter<Uint8Array>,
    unwanted: AbortSignal,
  ): Promise<void> {
    const name = `${placeOf(place)}@${digest}`;
    const hash = this.#sha256();
    const wrong = (what: string): IsoError =>
      new IsoError(
        'ISO_WRONG_DIGEST',
        `cannot read ${name}: the registry ${what} the ${size} bytes that the manifest says`,
      );
    let done = 0;
    await this.#attempts(name, true).run(
      async (signal, onActivity) => {
        const range: Record<string, string> = done === 0 ? {} : { range: `bytes=${done}-` };
        const response = await this.#get(place, `blobs/${digest}`, { 'accept-encoding': 'identity', ...range }, signal);
        if (done > 0 && response.status === 416) {
          await discard(response);
          if (done < (size ?? done)) throw wrong(`has ${done} of`);
          return;
        }
        await expectStatus(response, done === 0 ? [200] : [200, 206], name);
        const length = Number(response.headers.get('content-length') ?? Number.NaN);
        let skip = response.status === 200 ? done : 0;
        let came = 0;
        for await (const value of bodyOf(response, { signal, alive: onActivity })) {
          came += value.length;
          const rest = value.subarray(skip);
          skip -= value.length - rest.length;
          const chunk = size === undefined ? rest : rest.subarray(0, size - done);
          if (chunk.length > 0) {
            hash.update(chunk);
            done += chunk.length;
            await writer.write(chunk);
          }
          if (chunk.length < rest.length) throw wrong('sends more than');
          onActivity();
        }
        if (came < length) throw new TransientError(`the answer ended after ${came} of ${length} bytes`);
        if (done >= (size ?? done)) return;
        // Without a length, the end of the blob looks like a broken connection.
        throw came === length
          ? wrong(`has ${done} of`)
          : new TransientError(`the answer ended after ${done} of ${size} bytes`);
      },
      { signal: unwanted, progress: () => done },
    );
    const found = `sha256:${toHex(hash.digest())}`;
    if (found !== digest) throw new IsoError('ISO_WRONG_DIGEST', `the content of ${name} has digest ${found}`);
  }

  /** Sends one request with the credentials that the registry requires. */
  async #get(
    place: ImageReference,
    path: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Response> {
    const ask = async (authorization: string | undefined): Promise<Answer> => {
      const own: Record<string, string> = authorization === undefined ? {} : { authorization };
      return this.#ask(place.registry, `/v2/${place.repository}/${path}`, { headers: { ...headers, ...own }, signal });
    };
    const { response, address } = await ask(this.#authorizations.known(place));
    if (response.status !== 401) return response;
    await discard(response);
    return (await ask(await this.#authorizations.renew(place, address, response, signal))).response;
  }

  /** Requests a path with the scheme on which the registry answers. */
  async #ask(registry: string, path: string, init: AskInit): Promise<Answer> {
    const by = async (scheme: 'https' | 'http'): Promise<Answer> => {
      const address = `${scheme}://${registry}${path}`;
      const response = await this.#fetch(address, init);
      this.#schemes.set(registry, scheme);
      return { address, response: await throwIfUnavailable(response) };
    };
    const known = this.#schemes.get(registry) ?? (this.#isInsecure(registry) ? undefined : 'https');
    if (known !== undefined) return by(known);
    try {
      return await by('https');
    } catch (error) {
      if (error instanceof TransientError || init.signal.aborted) throw error;
      return by('http');
    }
  }

  #isInsecure(registry: string): boolean {
    const { insecureRegistries = [] } = this.#options;
    if (insecureRegistries.includes('*')) return true;
    return insecureRegistries.includes(registry) || insecureRegistries.includes(registry.replace(/:\d+$/, ''));
  }

  #fetch(url: string, init: AskInit): Promise<Response> {
    const { fetch = (address, given) => globalThis.fetch(address, given) } = this.#options;
    return unlessAborted(fetch(url, init), init.signal);
  }

  /** A place with alternatives gets fewer attempts. */
  #attempts(name: string, isLast: boolean): Attempts {
    const { fetch: _, retries = 5, ...options } = this.#options;
    return new Attempts(name, { ...options, retries: isLast ? retries : Math.min(1, retries) }, () => undefined);
  }

  #digestOf(bytes: Uint8Array): string {
    const hash = this.#sha256();
    hash.update(bytes);
    return `sha256:${toHex(hash.digest())}`;
  }
}

const REASONS: Readonly<Record<number, string>> = {
  401: 'the registry does not take the credentials of the pull secret',
  403: 'the registry refuses to give it',
  404: 'the registry does not have it',
};

async function expectStatus(response: Response, expected: readonly number[], name: string): Promise<void> {
  const { status } = response;
  if (expected.includes(status)) return;
  await discard(response);
  const reason = REASONS[status] ?? 'the registry answered';
  throw new IsoError('ISO_REMOTE', `cannot read ${name}: ${reason} (${status})`);
}

function parseManifest(bytes: Uint8Array, name: string): FoundManifest['value'] {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof value === 'object' && value !== null) return value as FoundManifest['value'];
  } catch {
    // Reported below.
  }
  throw new IsoError('ISO_BAD_ANSWER', `the manifest of ${name} is not a JSON object`);
}

/** The members of a list in a manifest that have a digest. */
export function descriptorsIn(value: unknown): (Readonly<Record<string, unknown>> & { readonly digest: string })[] {
  const list: unknown[] = Array.isArray(value) ? value : [];
  return list.flatMap((each) => {
    const fields = typeof each === 'object' && each !== null ? (each as Readonly<Record<string, unknown>>) : {};
    const { digest } = fields;
    return isDigest(digest) ? [{ ...fields, digest }] : [];
  });
}
