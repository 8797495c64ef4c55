// Answers of a server, read with a limit. The server decides how long an answer is, and a few bytes of gzip become gigabytes: bytes are
// counted after decompression, and the connection is closed if they exceed the limit.

/** The part of `fetch` that is used, so that a runtime's or a wrapped one fits. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** An answer, or a file, exceeds its limit in bytes. */
export class TooLongError extends Error {
  override readonly name: string = 'TooLongError';
  readonly limit: number;

  constructor(limit: number, what = 'the answer') {
    super(`${what} is longer than ${sizeText(limit)}`);
    this.limit = limit;
  }
}

/** The bytes of an answer as they arrive; one byte over the limit closes the connection. */
export async function* chunksUpTo(response: Response, limit: number): AsyncGenerator<Uint8Array> {
  let count = 0;
  for await (const chunk of response.body ?? []) {
    count += chunk.length;
    if (count > limit) throw new TooLongError(limit);
    yield chunk;
  }
}

/** The text of an answer, and its length in bytes. */
export async function textUpTo(
  response: Response,
  limit: number,
): Promise<{ readonly text: string; readonly size: number }> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let size = 0;
  for await (const chunk of chunksUpTo(response, limit)) {
    parts.push(decoder.decode(chunk, { stream: true }));
    size += chunk.length;
  }
  parts.push(decoder.decode());
  return { text: parts.join(''), size };
}

/** All bytes of an answer. */
export async function bytesUpTo(response: Response, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunksUpTo(response, limit)) {
    chunks.push(chunk);
    size += chunk.length;
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** The statuses that redirect a client (RFC 9110, section 15.4). */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const LONGEST_ADDRESS = 200;

/**
 * The target of a redirect in an answer to a request with `redirect: 'manual'`; undefined if there is none. Without the query and
 * the user, in which login pages put secrets; browsers hide the address.
 */
export function redirectTarget(response: Response, asked: string): string | undefined {
  if (response.type === 'opaqueredirect') return 'another address';
  const location = response.headers.get('location');
  if (location === null || !REDIRECTS.has(response.status)) return undefined;
  if (!URL.canParse(location, asked)) return 'an address that is none';
  const { protocol, host, pathname } = new URL(location, asked);
  return `${protocol}//${host}${pathname}`.slice(0, LONGEST_ADDRESS);
}

/** Whether a header can contain this text (RFC 9110, section 5.5). Runtimes quote a text that they refuse, and these headers are secret. */
export function fitsHeader(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
}

/** `64 MiB`, or bytes if they are not a whole number of mebibytes. */
export function sizeText(bytes: number): string {
  const mebibytes = bytes / (1024 * 1024);
  if (Number.isInteger(mebibytes)) return `${mebibytes} MiB`;
  return Number.isInteger(bytes / 1024) ? `${bytes / 1024} KiB` : `${bytes} bytes`;
}
