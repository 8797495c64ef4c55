import { concatBytes, type OwnBytes } from '../bytes/source.ts';
import { IsoError } from '../errors.ts';
import { Attempts, discard, settled, unlessAborted } from '../http/attempts.ts';
import type { RemoteOptions } from './remote-options.ts';

/** Metadata and manifests are far smaller; nobody shall fill the memory. */
const LONGEST = 32 * 1024 * 1024;

/** A small text on a server. */
export async function fetchText(url: string, { fetch = globalThis.fetch, ...options }: RemoteOptions): Promise<string> {
  const { origin, pathname } = new URL(url);
  const name = `${origin}${pathname}`;
  return new Attempts(name, options, () => undefined).run(async (signal, alive) => {
    const response = await settled(
      await unlessAborted(fetch(url, { signal, headers: { accept: 'application/json' } }), signal),
    );
    if (response.status !== 200) {
      await discard(response);
      throw new IsoError('ISO_REMOTE', `cannot read ${name}: the server answered ${response.status}`);
    }
    return new TextDecoder().decode(await readSmall(response, { signal, alive, name }));
  });
}

/** An answer while it is awaited. */
interface Awaited {
  readonly signal: AbortSignal;
  /** Told of each piece. */
  readonly alive: () => void;
  /** As people may see it. */
  readonly name: string;
}

/** The body of an answer that has to be small. */
export async function readSmall(response: Response, { signal, alive, name }: Awaited): Promise<OwnBytes> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = response.body?.getReader();
  for (;;) {
    const value = (await unlessAborted(reader?.read(), signal))?.value;
    if (value === undefined) return concatBytes(chunks);
    alive();
    length += value.length;
    if (length > LONGEST) {
      await reader?.cancel();
      throw new IsoError('ISO_LIMIT', `cannot read ${name}: it is longer than ${LONGEST} bytes`);
    }
    chunks.push(value);
  }
}
