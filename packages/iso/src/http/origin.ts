// One file on one server, read by ranges. Every answer is compared with the version that was opened: a read gives bytes
// of that version, or fails. Does no caching.
import type { OwnBytes, Progress } from '../bytes/source.ts';
import { IsoError, type IsoErrorCode } from '../errors.ts';
import { Attempts, discard, TransientError, throwIfUnavailable, unlessAborted } from './attempts.ts';
import { bodyOf } from './body.ts';
import type { ActivityListener } from './pace.ts';
import { type ByteRange, parseContentRange, parseUnsatisfied } from './ranges.ts';
import { followRedirects } from './redirects.ts';
import type { Fetch, HttpSourceOptions } from './remote-options.ts';
import { isOtherVersion, type PinnedVersion, pin } from './validators.ts';

type OriginOptions = Omit<HttpSourceOptions, 'whole' | 'onProgress'>;

/** The target of a whole file. */
export interface WholeSink {
  /** Called before the first byte of each attempt. */
  restart(): void | Promise<void>;
  write(chunk: Uint8Array): void | Promise<void>;
}

/** The version of a file, and its bytes from `start` on. */
interface Opened {
  readonly pinned: PinnedVersion;
  readonly start: number;
  readonly bytes: OwnBytes;
}

export class Origin {
  readonly #url: URL;
  readonly #options: OriginOptions;
  readonly #authorization: string | undefined;
  /** The address of the last answer after redirects; used directly until it refuses. */
  #location: string | undefined;
  readonly #attempts: Attempts;

  constructor(url: URL, options: OriginOptions) {
    this.#url = new URL(url);
    this.#url.hash = '';
    if (url.username !== '' || url.password !== '') {
      const credentials = new TextEncoder().encode(`${decoded(url.username)}:${decoded(url.password)}`);
      this.#authorization = `Basic ${btoa(String.fromCharCode(...credentials))}`;
      this.#url.username = '';
      this.#url.password = '';
    }
    this.#options = options;
    this.#attempts = new Attempts(this.name, options, () => {
      this.#location = undefined;
    });
  }

  /** The address for messages: without the query, which may hold signatures and tokens. */
  get name(): string {
    return `${this.#url.origin}${this.#url.pathname}`;
  }

  /** The address in full, without credentials. */
  get href(): string {
    return this.#url.href;
  }

  /** Requests a range, which also tells the version of the file. If the file is too short, requests its beginning. */
  async open({ start, end }: ByteRange): Promise<Opened> {
    return (await this.#open({ start, end })) ?? this.open({ start: 0, end: end - start });
  }

  /** `undefined` if the file ends before the range. */
  #open({ start, end }: ByteRange): Promise<Opened | undefined> {
    return this.#attempts.run(async (signal, alive) => {
      const response = await this.#request({ range: `bytes=${start}-${end - 1}` }, signal);
      const size = response.status === 416 ? parseUnsatisfied(response.headers.get('content-range')) : undefined;
      if (size === 0 || (size !== undefined && size <= start)) {
        await discard(response);
        return size === 0 ? { pinned: pin(response, 0), start: 0, bytes: new Uint8Array(0) } : undefined;
      }
      if (response.status === 200)
        throw await this.#refuse(response, 'ISO_NO_RANGES', 'does not answer Range requests');
      await this.#checkEncoding(response);
      if (response.status !== 206) throw await this.#refuse(response, 'ISO_BAD_ANSWER', `answered ${response.status}`);
      const range = parseContentRange(response.headers.get('content-range'));
      if (range === undefined || range.start !== start || range.end > end) {
        throw await this.#refuse(response, 'ISO_BAD_ANSWER', wrongRange({ start, end }, response));
      }
      const pinned = pin(response, range.size);
      if (pinned.etag === undefined && pinned.lastModified === undefined) {
        const why =
          'gives neither an ETag nor a Last-Modified date, so that a change between two requests would not be seen';
        throw await this.#refuse(response, 'ISO_BAD_ANSWER', why);
      }
      const bytes = new Uint8Array(range.end - start);
      await this.#drain(response, bytes, 0, { signal, alive });
      return { pinned, start, bytes };
    });
  }

  /** Fetches the whole file by one request without a range; a broken transfer starts again from the beginning. */
  async whole({ restart, write }: WholeSink, onProgress?: (progress: Progress) => void): Promise<PinnedVersion> {
    return this.#attempts.run(async (signal, alive) => {
      // With a range, `fetch` adds this header by itself.
      const response = await this.#request({ 'accept-encoding': 'identity' }, signal);
      if (response.status !== 200) throw await this.#refuse(response, 'ISO_REMOTE', `answered ${response.status}`);
      await this.#checkEncoding(response);
      const header = response.headers.get('content-length');
      let done = 0;
      await restart();
      for await (const chunk of bodyOf(response, { signal, alive })) {
        await write(chunk);
        done += chunk.length;
        onProgress?.({ done, total: Number(header ?? done) });
      }
      if (header !== null && done !== Number(header))
        throw new TransientError(`the answer ended after ${done} of ${header} bytes`);
      return pin(response, done);
    });
  }

  /** The bytes of one range. After a failure, the read continues where it stopped. */
  async read(pinned: PinnedVersion, { start, end }: ByteRange, aborted: AbortSignal): Promise<OwnBytes> {
    const bytes = new Uint8Array(end - start);
    let done = 0;
    await this.#attempts.run(
      async (signal, alive) => {
        const rest = { start: start + done, end };
        // All bytes had come when the connection broke.
        if (rest.start === end) return;
        const response = await this.#request(
          {
            range: `bytes=${rest.start}-${end - 1}`,
            ...(pinned.validator === undefined ? {} : { 'if-range': pinned.validator }),
          },
          signal,
        );
        const range = await this.#checkAnswer(response, pinned, rest);
        await this.#drain(response, bytes.subarray(0, range.end - start), done, { signal, alive }, (count) => {
          done += count;
        });
        // A server may send less than was requested (§15.3.7).
        if (range.end < end) throw new TransientError(`the server sent ${range.end - rest.start} bytes`, { pause: 0 });
      },
      { signal: aborted, offset: start, progress: () => done },
    );
    return bytes;
  }

  /** Sends one request. Fails with `TransientError` if a retry may succeed, or else with `IsoError`. */
  async #request(
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
    url: string = this.#location ?? this.#url.href,
  ): Promise<Response> {
    const isOwn = new URL(url).origin === this.#url.origin;
    const given = isOwn ? await unlessAborted(this.#ownHeaders(), signal) : new Headers();
    const fetch: Fetch = this.#options.fetch ?? ((address, init) => globalThis.fetch(address, init));
    const answer = await followRedirects(fetch, url, { headers, own: given, signal, name: this.name });
    const response = await throwIfUnavailable(answer.response);
    const { status } = response;
    if ([200, 206, 416].includes(status)) {
      if (answer.url !== url) this.#location = answer.url;
      return response;
    }
    await discard(response);
    if (url === this.#url.href) {
      const { origin } = new URL(answer.url);
      const isBare = origin !== this.#url.origin && [...given].length > 0 && [401, 403].includes(status);
      const why = isBare ? ` (${origin}, where it leads, gets none of the headers that were given)` : '';
      throw new IsoError('ISO_REMOTE', `cannot read ${this.name}: the server answered ${status}${why}`);
    }
    // A signed address has expired, as parallel requests may have found before: the original address gives a new one.
    if (url === this.#location) this.#location = undefined;
    return this.#request(headers, signal, this.#url.href);
  }

  async #ownHeaders(): Promise<Headers> {
    const { headers: given } = this.#options;
    const headers = new Headers(typeof given === 'function' ? await this.#ask(given) : given);
    if (this.#authorization !== undefined && !headers.has('authorization')) {
      headers.set('authorization', this.#authorization);
    }
    return headers;
  }

  async #ask(headers: () => HeadersInit | Promise<HeadersInit>): Promise<HeadersInit> {
    try {
      return await headers();
    } catch (cause) {
      throw new IsoError('ISO_REMOTE', `cannot read ${this.name}: its request headers could not be made`, { cause });
    }
  }

  async #checkEncoding(response: Response, place?: { readonly offset: number }): Promise<void> {
    const encoding = response.headers.get('content-encoding');
    if (encoding === null || encoding.toLowerCase() === 'identity') return;
    throw await this.#refuse(
      response,
      'ISO_BAD_ANSWER',
      'answers with a content encoding, which hides the offsets of bytes',
      place,
    );
  }

  /** Refuses an answer that is not of the opened version, or does not begin at the requested position. */
  async #checkAnswer(response: Response, pinned: PinnedVersion, asked: ByteRange): Promise<ByteRange> {
    const { status, headers } = response;
    const place = { offset: asked.start };
    const size = status === 200 ? lengthOf(headers) : parseUnsatisfied(headers.get('content-range'));
    const changed = 'no longer has the file that was opened';
    if (status !== 206) {
      if (isOtherVersion(headers, pinned) || (size !== undefined && size !== pinned.size)) {
        throw await this.#refuse(response, 'ISO_CHANGED', changed, place);
      }
      throw status === 200
        ? await this.#refuse(response, 'ISO_NO_RANGES', 'no longer answers Range requests', place)
        : await this.#refuse(response, 'ISO_BAD_ANSWER', `answered ${status}`, place);
    }
    await this.#checkEncoding(response, place);
    if (isOtherVersion(headers, pinned)) throw await this.#refuse(response, 'ISO_CHANGED', changed, place);
    // §15.3.7 requires it: a server that omits it may also have ignored If-Range.
    if (pinned.etag !== undefined && !headers.has('etag')) {
      throw await this.#refuse(response, 'ISO_BAD_ANSWER', 'no longer gives an ETag', place);
    }
    const range = parseContentRange(headers.get('content-range'));
    if (range !== undefined && range.size !== pinned.size) {
      throw await this.#refuse(response, 'ISO_CHANGED', changed, place);
    }
    if (range === undefined || range.start !== asked.start || range.end > asked.end) {
      throw await this.#refuse(response, 'ISO_BAD_ANSWER', wrongRange(asked, response), place);
    }
    return range;
  }

  /** Fills `into` from `position` to its end with a body of exactly that length. */
  async #drain(
    response: Response,
    into: Uint8Array,
    position: number,
    awaited: { readonly signal: AbortSignal; readonly alive: ActivityListener },
    arrived: (count: number) => void = () => undefined,
  ): Promise<void> {
    let at = position;
    for await (const chunk of bodyOf(response, awaited)) {
      if (at + chunk.length > into.length) {
        throw await this.#refuse(response, 'ISO_BAD_ANSWER', 'sends more bytes than it announces');
      }
      into.set(chunk, at);
      at += chunk.length;
      arrived(chunk.length);
    }
    if (at < into.length)
      throw new TransientError(`the answer ended after ${at - position} of ${into.length - position} bytes`);
  }

  async #refuse(
    response: Response,
    code: IsoErrorCode,
    what: string,
    place: { readonly offset?: number } = {},
  ): Promise<IsoError> {
    await discard(response);
    return new IsoError(code, `cannot read ${this.name}: the server ${what}`, place);
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new TypeError('url must have two digits of UTF-8 after each percent sign in its user name and password');
  }
}

function wrongRange({ start, end }: ByteRange, { headers }: Response): string {
  const given = parseContentRange(headers.get('content-range'));
  const asked = `was asked for bytes ${start} to ${end - 1}`;
  return given === undefined
    ? `${asked} and does not say which it sends (a page of another origin needs Access-Control-Expose-Headers: Content-Range, ETag)`
    : `${asked} and sends ${given.start} to ${given.end - 1}`;
}

function lengthOf(headers: Headers): number | undefined {
  const length = headers.get('content-length');
  return length === null ? undefined : Number(length);
}
