import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { checkArgument, checkOptions } from '@coreiso/peers/arguments';
import { CHUNK_SIZE } from '../bytes/source.ts';
import { IsoError } from '../errors.ts';
import { type Answer, bodyBehind, type PlainRequest, type SourceBody } from '../http/answer.ts';
import type { FileServer } from '../http/file-server.ts';
import { withChunk } from './chunks.ts';
import { addressOf } from './http/request-address.ts';
import { inTurn } from './http/request-queue.ts';
import { repeatsSingleField } from './http/single-fields.ts';
import { writeSocket } from './write-stream.ts';

/**
 * A `node:http` listener for a file server, or for a `handler` of the web platform. Images go from their files to the socket
 * without a stream in between, at the speed of the client. If a client leaves, reading stops and `request.signal` aborts.
 * Pipelined requests are answered in order; `limitConnections` delays reading them.
 *
 * @example
 * ```ts
 * createServer(nodeListener((request) => rangeResponse(request, overlay))).listen(8080, '127.0.0.1');
 * ```
 */
export function nodeListener(
  handler:
    | ((request: Request) => Response | Promise<Response>)
    /** Answers without the web platform's objects, for example the result of `createFileServer`. */
    | {
        answer(request: PlainRequest): Answer | Promise<Answer>;
        /** Called with the outcome of each answer, and the number of bytes sent. */
        onEnd?(delivery: Parameters<FileServer['onEnd']>[0]): void;
      },
  options: {
    /** Called with the error of a failed answer or read; clients see only status 500 or a broken connection. */
    readonly onError?: ((error: unknown) => void) | undefined;
  } = {},
): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  if (typeof handler !== 'function') {
    checkArgument('handler', handler, 'object');
    checkArgument('handler.answer', handler.answer, 'function');
  }
  checkOptions(options, { onError: 'function' });
  return (incoming, outgoing) => {
    inTurn(incoming.socket, outgoing, () => {
      const answering =
        typeof handler === 'function' ? respond(handler, incoming, outgoing) : answer(handler, incoming, outgoing);
      answering.catch((error) => {
        if (!isClientGone(incoming, outgoing)) options.onError?.(error);
        refuse(outgoing);
      });
    });
  };
}

type RequestHandler = Extract<Parameters<typeof nodeListener>[0], (request: Request) => unknown>;
type AnswerHandler = Exclude<Parameters<typeof nodeListener>[0], RequestHandler>;

/** Whether the client has left: a failed write sets the error before the connection closes. */
function isClientGone({ socket }: IncomingMessage, outgoing: ServerResponse): boolean {
  return outgoing.destroyed || socket.errored instanceof Error;
}

/**
 * Answers with status 500. After the head was sent, only a broken connection shows the client that the file is
 * incomplete.
 */
function refuse(outgoing: ServerResponse): void {
  if (outgoing.headersSent) {
    outgoing.destroy();
    return;
  }
  for (const name of outgoing.getHeaderNames()) outgoing.removeHeader(name);
  outgoing.writeHead(500, { 'content-length': 0 }).end();
}

async function answer(answering: AnswerHandler, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const url = addressOf(incoming);
  if (url === undefined || repeatsSingleField(incoming.rawHeaders)) return badRequest(outgoing);
  const { method = 'GET', socket } = incoming;
  const signal = connectionSignal(socket);
  const headers = { get: (name: string) => fieldOf(incoming, name) };
  const request: PlainRequest = { method, url, headers, signal };
  // A closed connection has no address.
  const client = socket.remoteAddress ?? '';
  const given = await answering.answer(request);
  await closeUnlessComplete(incoming, outgoing);
  let sent = 0;
  try {
    await send(given, method, outgoing, signal, (bytes) => {
      sent = bytes;
    });
  } catch (error) {
    const delivery = { request, answer: given, sent, client };
    answering.onEnd?.(
      isClientGone(incoming, outgoing) ? { ...delivery, outcome: 'left' } : { ...delivery, outcome: 'broken', error },
    );
    throw error;
  }
  answering.onEnd?.({ request, answer: given, sent, outcome: 'complete', client });
}

/** A field of a request, by its lower-case name; a repeated field is a list (RFC 9110 §5.3). */
function fieldOf({ headers }: IncomingMessage, name: string): string | null {
  const value = headers[name];
  return (Array.isArray(value) ? value.join(', ') : value) ?? null;
}

/**
 * Closes the connection after the answer if the request's body has not ended: the rest may be endless (RFC 9112 §9.3).
 * Bytes that came together with the head are parsed first.
 */
async function closeUnlessComplete(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  if (incoming.complete !== false) return;
  await new Promise(setImmediate);
  if (incoming.complete === false) outgoing.shouldKeepAlive = false;
}

async function send(
  { status, headers, body, verify }: Answer,
  method: string,
  outgoing: ServerResponse,
  signal: AbortSignal,
  sent: (bytes: number) => void,
): Promise<void> {
  signal.throwIfAborted();
  const head = (): unknown => outgoing.writeHead(status, headers);
  if (method === 'HEAD' || body === undefined) {
    head();
    outgoing.end();
  } else if (typeof body === 'string') {
    outgoing.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
  } else {
    await sendBody({ source: body, verify }, outgoing, signal, sent, head);
  }
}

/**
 * Sends a body and ends the answer. A short body is read before calling `head`, so that a failure can still be
 * reported.
 */
async function sendBody(
  { source, verify }: SourceBody,
  outgoing: ServerResponse,
  signal: AbortSignal,
  sent: (bytes: number) => void,
  head: () => unknown,
): Promise<void> {
  if (source.size > CHUNK_SIZE) {
    head();
    await writeSocket(source, outgoing, { signal, onProgress: ({ done }) => sent(done) }, verify);
    outgoing.end();
    return;
  }
  await withChunk(source, signal, async (chunk) => {
    await verify?.();
    head();
    await sendLastChunk(chunk, outgoing);
  });
  sent(source.size);
}

/** Resolves when the kernel has its own copy. */
function sendLastChunk(chunk: Uint8Array, outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve, reject) => {
    outgoing.once('close', () => {
      if (outgoing.writableFinished) resolve();
      else reject(clientGoneError());
    });
    outgoing.end(chunk);
  });
}

function clientGoneError(): IsoError {
  return new IsoError('ISO_READER_GONE', 'the client went away');
}

const signals = new WeakMap<Socket, AbortSignal>();

/**
 * A signal that aborts when the connection closes: one per connection, because making one per request takes longer than
 * most answers.
 */
function connectionSignal(socket: Socket): AbortSignal {
  const known = signals.get(socket);
  if (known !== undefined) return known;
  const gone = new AbortController();
  if (socket.destroyed) gone.abort(clientGoneError());
  else socket.once('close', () => gone.abort(clientGoneError()));
  signals.set(socket, gone.signal);
  return gone.signal;
}

function badRequest(outgoing: ServerResponse): void {
  outgoing.writeHead(400, { 'content-length': 0, connection: 'close' }).end();
}

async function respond(handler: RequestHandler, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const gone = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) gone.abort(clientGoneError());
  });
  const request = requestOf(incoming, gone.signal);
  if (request === undefined) return badRequest(outgoing);
  const response = await handler(request);
  await closeUnlessComplete(incoming, outgoing);
  await deliver(response, request, outgoing);
}

async function deliver(response: Response, { method, signal }: Request, outgoing: ServerResponse): Promise<void> {
  if (signal.aborted || method === 'HEAD') await response.body?.cancel();
  signal.throwIfAborted();
  outgoing.statusCode = response.status;
  response.headers.forEach((value, name) => {
    outgoing.appendHeader(name, value);
  });
  const body = bodyBehind(response);
  if (method === 'HEAD' || response.body === null) {
    outgoing.end();
  } else if (body !== undefined) {
    await sendBody(
      body,
      outgoing,
      signal,
      () => undefined,
      () => undefined,
    );
  } else {
    await pump(response.body, outgoing, signal);
    outgoing.end();
  }
}

/** Converts a request to a `Request`; `undefined` if its address or its headers are malformed. */
function requestOf(incoming: IncomingMessage, signal: AbortSignal): Request | undefined {
  const { method = 'GET', rawHeaders } = incoming;
  if (repeatsSingleField(rawHeaders)) return undefined;
  try {
    const headers = new Headers();
    for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
      headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
    }
    const hasBody = method !== 'GET' && method !== 'HEAD';
    const body = hasBody ? { body: streams().Readable.toWeb(incoming) as ReadableStream, duplex: 'half' } : {};
    return new Request(addressOf(incoming) ?? '', { method, headers, signal, ...body });
  } catch {
    return undefined;
  }
}

async function pump(body: ReadableStream<Uint8Array>, outgoing: ServerResponse, signal: AbortSignal): Promise<void> {
  const { Readable, promises } = streams();
  const readable = Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]);
  await promises.pipeline(readable, outgoing, { signal, end: false });
}

/** Loaded on use, because only servers need it. */
function streams(): typeof import('node:stream') {
  return process.getBuiltinModule('node:stream');
}
