import { concatBytes, type OwnBytes } from '../bytes/source.ts';
import { IsoError } from '../errors.ts';
import { Attempts, discard, throwIfUnavailable, unlessAborted } from '../http/attempts.ts';
import { bodyOf } from '../http/body.ts';
import type { ActivityListener } from '../http/pace.ts';
import type { RemoteOptions } from '../http/remote-options.ts';

/** Stream metadata is far smaller; a server must not fill the memory. */
const LONGEST = 32 * 1024 * 1024;

/** A small text on a server. */
export async function fetchText(url: string, { fetch = globalThis.fetch, ...options }: RemoteOptions): Promise<string> {
  const { origin, pathname } = new URL(url);
  const name = `${origin}${pathname}`;
  return new Attempts(name, options, () => undefined).run(async (signal, onActivity) => {
    const response = await throwIfUnavailable(
      await unlessAborted(fetch(url, { signal, headers: { accept: 'application/json' } }), signal),
    );
    if (response.status !== 200) {
      await discard(response);
      throw new IsoError('ISO_REMOTE', `cannot read ${name}: the server answered ${response.status}`);
    }
    return new TextDecoder().decode(await readSmall(response, { signal, onActivity, name, limit: LONGEST }));
  });
}

/** A pending answer. */
interface PendingResponse {
  readonly signal: AbortSignal;
  readonly onActivity: ActivityListener;
  /** The address without secrets. */
  readonly name: string;
  /** In bytes. */
  readonly limit: number;
}

/** Reads a body that has to be small. */
export async function readSmall(
  response: Response,
  { signal, onActivity, name, limit }: PendingResponse,
): Promise<OwnBytes> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bodyOf(response, { signal, alive: onActivity })) {
    length += chunk.length;
    if (length > limit) throw new IsoError('ISO_LIMIT', `cannot read ${name}: it is longer than ${limit} bytes`);
    chunks.push(chunk);
  }
  return concatBytes(chunks);
}
