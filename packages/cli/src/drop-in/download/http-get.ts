// Requests as coreos-installer makes them: repeated as with curl --retry, with the errors of its HTTP library.
import { STATUS_CODES } from 'node:http';
import type { Fetch } from '@coreiso/iso/http';
import { sleep } from '@coreiso/peers/sleep';
import { systemFailure } from '../../frame/failure.ts';
import type { Terminal } from '../../frame/terminal.ts';

/** Statuses that may succeed on another attempt. */
const TRANSIENT: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);
const LONGEST_PAUSE = 600;

/** Fetches a file; throws an error with the address if that fails. */
export async function httpGet(terminal: Terminal, fetch: Fetch, url: string, retries: number = 0): Promise<Response> {
  const { signal } = terminal.io;
  for (let left = retries, pause = 1; ; left--, pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    const answer = await ask(fetch, url, signal);
    if (answer instanceof Response) {
      if (answer.ok || answer.status < 400) return answer;
      await answer.body?.cancel();
    }
    const { error, isTransient } =
      answer instanceof Response ? refusal(answer, url) : { error: answer, isTransient: true };
    if (!isTransient || left <= 0) throw new Error(`fetching '${url}'`, { cause: error });
    terminal.sayText(`Error fetching '${url}': ${error.message}\nSleeping ${pause}s and retrying...`);
    await sleep(pause * 1000, signal);
  }
}

async function ask(fetch: Fetch, url: string, signal: AbortSignal): Promise<Response | Error> {
  if (!/^https?:/.test(url)) {
    return new Error(`builder error for url (${url})`, { cause: new Error('URL scheme is not allowed') });
  }
  try {
    return await fetch(url, { signal, headers: { accept: '*/*', 'accept-encoding': 'identity' } });
  } catch (error) {
    signal.throwIfAborted();
    return new Error(`error sending request for url (${url})`, { cause: connectionFailure(error) });
  }
}

function connectionFailure(error: unknown): unknown {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if ((cause as NodeJS.ErrnoException)?.code !== 'ECONNREFUSED') return cause;
  const refused = new Error('Connection refused (os error 111)');
  return new Error('client error (Connect)', { cause: new Error('tcp connect error', { cause: refused }) });
}

function refusal({ status }: Response, url: string): { readonly error: Error; readonly isTransient: boolean } {
  const text = `${status} ${STATUS_CODES[status] ?? ''}`.trimEnd();
  if (TRANSIENT.has(status)) return { error: new Error(`HTTP ${text}`), isTransient: true };
  const side = status < 500 ? 'client' : 'server';
  return { error: new Error(`HTTP status ${side} error (${text}) for url (${url})`), isTransient: false };
}

/** Returns the error of the real program about an interrupted body. */
export function bodyFailure(error: unknown): unknown {
  const chain = ['request or response body error', 'error reading a body from connection'];
  const end = new Error('end of file before message length reached', { cause: undefined });
  const isCut =
    error instanceof Error && /terminated|aborted|other side closed/.test(`${error.message} ${error.cause}`);
  return isCut ? chain.reduceRight((cause, message) => new Error(message, { cause }), end) : error;
}

/** Reads a small file whole; refuses more than `limit` bytes. */
export async function readWhole(response: Response, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = response.body?.getReader();
  for (let next = await reader?.read(); next !== undefined && !next.done; next = await reader?.read()) {
    chunks.push(next.value);
    size += next.value.length;
    if (size > limit) {
      await reader?.cancel();
      throw systemFailure('EFBIG');
    }
  }
  return Buffer.concat(chunks);
}
