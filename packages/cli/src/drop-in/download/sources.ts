// The parts of a download: files and their signatures.
import type { Fetch } from '@coreiso/iso/http';
import type { Arguments } from '../../frame/arguments.ts';
import { inContext } from '../../frame/failure.ts';
import type { Terminal } from '../../frame/terminal.ts';
import { httpGet, readWhole } from './http-get.ts';
import { fetchStreamIndex, streamUrl } from './stream-index.ts';

/** A file whose download has begun. */
export interface ImageSource {
  /** `disk`, `kernel`, … */
  readonly part: string;
  readonly name: string;
  readonly response: Response;
  readonly signature: Uint8Array | undefined;
}

/** A file that is not requested yet. */
interface Place {
  readonly part: string;
  readonly url: string;
  readonly signature: string;
}

/** Real signatures have a few hundred bytes. */
const LONGEST_SIGNATURE = 1024 * 1024;

const MACHINES: Readonly<Record<string, string>> = { x64: 'x86_64', arm64: 'aarch64', ppc64: 'ppc64le' };

/** Prints the addresses of all files, and requests them. */
export async function openSources(args: Arguments, terminal: Terminal, fetch: Fetch): Promise<ImageSource[]> {
  const retries = retriesOf(args.optional('fetch-retries') ?? '0');
  const sources: ImageSource[] = [];
  for (const place of await places(args, terminal, fetch, retries)) {
    const signature = await fetchSignature(terminal, fetch, place.signature, retries);
    const response = await inContext('fetching image URL', () => httpGet(terminal, fetch, place.url, retries));
    if (response.status !== 200) throw new Error(`image fetch failed: ${response.status} ${response.statusText}`);
    const name = new URL(response.url || place.url).pathname.replace(/^.*\//s, '');
    sources.push({ part: place.part, name, response, signature });
  }
  return sources.sort((a, b) => Buffer.compare(Buffer.from(a.part), Buffer.from(b.part)));
}

async function places(args: Arguments, terminal: Terminal, fetch: Fetch, retries: number): Promise<readonly Place[]> {
  const image = args.optional('image-url');
  if (image !== undefined) {
    const [url, signature] = [new URL(image), new URL(image)];
    signature.pathname += '.sig';
    terminal.sayText(`Downloading image from ${url.href}\nDownloading signature from ${signature.href}`);
    return [{ part: 'disk', url: url.href, signature: signature.href }];
  }
  const [stream, base] = [args.optional('stream') ?? 'stable', args.optional('stream-base-url')];
  const architecture = args.optional('architecture') ?? MACHINES[process.arch] ?? process.arch;
  const [platform, format] = [args.optional('platform') ?? 'metal', args.optional('format') ?? 'raw.xz'];
  const index = streamUrl(stream, base);
  terminal.say(
    base === undefined
      ? `Downloading Fedora CoreOS ${stream} ${architecture} ${platform} image (${format}) and signature`
      : `Downloading ${architecture} ${platform} image (${format}) and signature referenced from ${index}`,
  );
  const files = (await fetchStreamIndex(terminal, fetch, index, retries)).get(architecture)?.get(platform)?.get(format);
  if (files === undefined) {
    throw new Error(
      `couldn't find architecture ${architecture}, platform ${platform}, format ${format} in stream metadata`,
    );
  }
  return [...files].map(([part, { location, signature }]) => ({
    part,
    url: absolute(location, 'artifact'),
    signature: absolute(signature, 'signature'),
  }));
}

function absolute(url: string, what: string): string {
  const problem = urlProblem(url);
  if (problem === undefined) return new URL(url).href;
  throw new Error(`parsing ${what} URL from stream metadata`, { cause: new Error(problem) });
}

async function fetchSignature(
  terminal: Terminal,
  fetch: Fetch,
  url: string,
  retries: number,
): Promise<Uint8Array | undefined> {
  try {
    return await readWhole(await httpGet(terminal, fetch, url, retries), LONGEST_SIGNATURE);
  } catch {
    terminal.io.signal.throwIfAborted();
    terminal.say('Failed to fetch signature: fetching signature URL');
    return undefined;
  }
}

/** Returns the message of Rust's url crate about an invalid address. */
export function urlProblem(text: string): string | undefined {
  if (URL.canParse(text)) return undefined;
  if (!/^[a-z][a-z0-9+.-]*:/i.test(text)) return 'relative URL without a base';
  if (/^https?:\/*(?:[?#]|$)/i.test(text)) return 'empty host';
  return /:[^\d/\]@][^/]*(?:\/|$)/.test(text.replace(/^[^/]*\/\//, ''))
    ? 'invalid port number'
    : 'invalid domain character';
}

/** Parses a number of retries as Rust does, or `infinite`. */
export function retriesOf(text: string): number {
  if (text === 'infinite') return Number.POSITIVE_INFINITY;
  if (text === '') throw new Error('cannot parse integer from empty string');
  if (!/^\+?\d+$/.test(text)) throw new Error('invalid digit found in string');
  const count = Number(text);
  if (count > 0xffff_ffff) throw new Error('number too large to fit in target type');
  return count;
}
