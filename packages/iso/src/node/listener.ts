import type { IncomingMessage, ServerResponse } from 'node:http';
import { checkArgument, checkOptions } from '../arguments.ts';
import { IsoError } from '../errors.ts';
import { bodyBehind } from '../http/range-response.ts';
import type { Delivery } from '../http/site.ts';
import { writeSocket } from './write-stream.ts';

/** Answers a request as servers of the web platform do. */
export type RequestHandler = (request: Request) => Response | Promise<Response>;

/** What to tell about answers that fail. */
export interface ListenerOptions {
  /** Told what `handler` or a read failed with; clients see nothing of it but status 500 or a broken connection. */
  readonly onError?: (error: unknown) => void;
  /** Told how each answer of `handler` ended, and how much of its body was sent. */
  readonly onEnd?: (delivery: Delivery) => void;
}

/**
 * Lets `node:http` serve what `handler` answers. The body of a `rangeResponse` goes from its files to the socket without
 * a stream in between, at the pace of the client. A client that leaves ends the reading, and aborts `request.signal`.
 *
 * @example
 * ```ts
 * createServer(nodeListener((request) => rangeResponse(request, overlay))).listen(8080, '127.0.0.1');
 * ```
 */
export function nodeListener(
  handler: RequestHandler,
  options: ListenerOptions = {},
): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  checkArgument('handler', handler, 'function');
  checkOptions(options, { onError: 'function', onEnd: 'function' });
  return (incoming, outgoing) => {
    const gone = new AbortController();
    outgoing.once('close', () => {
      if (!outgoing.writableFinished) gone.abort(new IsoError('ISO_READER_GONE', 'the client went away'));
    });
    answer(handler, incoming, outgoing, gone.signal, options).catch((error) => {
      if (!gone.signal.aborted) options.onError?.(error);
      // Once the head is out, nothing but a broken connection keeps the client from taking the rest for the file.
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(500, { 'content-length': 0 }).end();
    });
  };
}

async function answer(
  handler: RequestHandler,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  signal: AbortSignal,
  { onEnd }: ListenerOptions,
): Promise<void> {
  const request = requestOf(incoming, signal);
  if (request === undefined) {
    outgoing.writeHead(400, { 'content-length': 0, connection: 'close' }).end();
    return;
  }
  // Once the connection is gone, its address is.
  const client = incoming.socket.remoteAddress ?? '';
  const response = await handler(request);
  let sent = 0;
  const end = (outcome: Delivery['outcome'], error?: unknown): void =>
    onEnd?.({ request, response, sent, outcome, client, ...(error === undefined ? {} : { error }) });
  try {
    await deliver(response, incoming, outgoing, signal, (bytes) => {
      sent = bytes;
    });
    end('complete');
  } catch (error) {
    if (signal.aborted) end('left');
    else end('broken', error);
    throw error;
  }
}

async function deliver(
  response: Response,
  { method }: IncomingMessage,
  outgoing: ServerResponse,
  signal: AbortSignal,
  sent: (bytes: number) => void,
): Promise<void> {
  if (signal.aborted || method === 'HEAD') await response.body?.cancel();
  signal.throwIfAborted();
  outgoing.statusCode = response.status;
  response.headers.forEach((value, name) => {
    outgoing.appendHeader(name, value);
  });
  if (method !== 'HEAD' && response.body !== null) {
    const body = bodyBehind(response);
    if (body === undefined) await pump(response.body, outgoing, signal);
    else await writeSocket(body, outgoing, { signal, onProgress: ({ done }) => sent(done) });
  }
  outgoing.end();
}

/** The same request in the terms of the web platform; `undefined` where its address or a header cannot be one. */
function requestOf(incoming: IncomingMessage, signal: AbortSignal): Request | undefined {
  const { method = 'GET', url = '/', rawHeaders, socket } = incoming;
  try {
    const headers = new Headers();
    for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
      headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
    }
    const scheme = 'encrypted' in socket ? 'https' : 'http';
    // A proxy's request has the whole address (RFC 9112 §3.2.2).
    const address = url.startsWith('/') ? `${scheme}://${headers.get('host') || 'localhost'}${url}` : url;
    const hasBody = method !== 'GET' && method !== 'HEAD';
    const body = hasBody ? { body: streams().Readable.toWeb(incoming) as ReadableStream, duplex: 'half' } : {};
    return new Request(address, { method, headers, signal, ...body });
  } catch {
    return undefined;
  }
}

async function pump(body: ReadableStream<Uint8Array>, outgoing: ServerResponse, signal: AbortSignal): Promise<void> {
  const { Readable, promises } = streams();
  const readable = Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]);
  await promises.pipeline(readable, outgoing, { signal, end: false });
}

/** Programs that serve nothing do not load it. */
function streams(): typeof import('node:stream') {
  return process.getBuiltinModule('node:stream');
}
