// The lines of a watch, each an event.
import { ClusterError } from '../errors.ts';
import { isObject, memberOf, textOf } from '../objects.ts';
import { chunksUpTo, sizeText, TooLongError } from './answer.ts';
import type { WatchEvent } from './port.ts';
import { notAnApi, parseObject, tooLarge } from './refusals.ts';

/** A line has one object. etcd accepts objects of 1.5 MiB, or of 8 MiB with the largest recommended setting. */
const LONGEST_LINE = 16 * 1024 * 1024;

/** The events of one connection, which has at most this many bytes. */
export async function* watchEvents(response: Response, path: string, limit: number): AsyncGenerator<WatchEvent> {
  try {
    for await (const line of lines(response, path, limit)) yield parseEvent(line, path);
  } catch (error) {
    if (error instanceof ClusterError) throw error;
    if (error instanceof TooLongError) throw tooLarge(path, 'the watch', error.limit);
    if (error instanceof Error && error.name === 'AbortError') throw error;
    throw new ClusterError('CLUSTER_UNREACHABLE', `${path}: the watch broke off`, { cause: error });
  }
}

/** Only new bytes are searched for the end of a line, so a long line takes linear time. */
async function* lines(response: Response, path: string, limit: number): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let begun: string[] = [];
  let length = 0;
  for await (const chunk of chunksUpTo(response, limit)) {
    const parts = decoder.decode(chunk, { stream: true }).split('\n');
    const rest = parts.pop() ?? '';
    for (const part of parts) {
      yield begun.join('') + part;
      begun = [];
      length = 0;
    }
    begun.push(rest);
    length += rest.length;
    if (length > LONGEST_LINE) throw endlessLine(path);
  }
}

function endlessLine(path: string): ClusterError {
  const message = `${path}: a line of the watch is longer than ${sizeText(LONGEST_LINE)}, which no object of the API is; check the address of the server`;
  return new ClusterError('CLUSTER_TOO_LARGE', message);
}

const TYPES: ReadonlySet<string> = new Set(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR']);

function parseEvent(line: string, path: string): WatchEvent {
  const value = parseObject(line);
  const object = memberOf(value, 'object');
  const type = textOf(value, 'type');
  if (!isObject(object) || !TYPES.has(type)) throw notAnApi(`${path}: a line of the watch is not an event`);
  return { type: type as WatchEvent['type'], object };
}
