import type { Fetch } from '@coreiso/iso/http';
import { inContext } from '../../frame/failure.ts';
import type { Terminal } from '../../frame/terminal.ts';
import { readStreamIndex, type StreamIndex } from '../words/serde-stream.ts';
import { httpGet, readWhole } from './http-get.ts';

const STREAMS = 'https://builds.coreos.fedoraproject.org/streams/';
/** Stream metadata is far smaller; a server must not fill the memory. */
const LONGEST = 32 * 1024 * 1024;

export function streamUrl(stream: string, base: string = STREAMS): string {
  return new URL(`${stream}.json`, base).href;
}

export async function fetchStreamIndex(
  terminal: Terminal,
  fetch: Fetch,
  url: string,
  retries: number = 0,
): Promise<StreamIndex> {
  const response = await inContext('fetching stream metadata', () => httpGet(terminal, fetch, url, retries));
  if (response.status !== 200) throw new Error(`stream metadata fetch from ${url} failed: ${response.status}`);
  return await inContext('decoding stream metadata', async () => readStreamIndex(await readWhole(response, LONGEST)));
}
