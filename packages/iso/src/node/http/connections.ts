import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { checkArgument, checkOptions } from '@coreiso/peers/arguments';
import { errnoOf } from '../file-system.ts';

/**
 * Limits the memory that `server` uses for each client: a pipelined request is parsed only after the previous one was answered,
 * and a body only when it is read.
 *
 * @example
 * ```ts
 * const server = createServer(nodeListener(fileServer));
 * limitConnections(server, { perClient: 64 });
 * server.listen(8080);
 * ```
 */
export function limitConnections(
  server: Server,
  limits: {
    /**
     * Maximum number of connections from one address at a time (default: no limit). Programs on the same machine are
     * not limited.
     */
    readonly perClient?: number | undefined;
    /** Called with the address of each client that was refused a connection. */
    readonly onRefused?: ((client: string) => void) | undefined;
  } = {},
): void {
  checkArgument('server', server, 'object');
  checkArgument('server.on', server.on, 'function');
  checkOptions(limits, { perClient: 'number', onRefused: 'function' });
  const { perClient = Number.POSITIVE_INFINITY, onRefused } = limits;
  if (!(perClient >= 1)) throw new RangeError(`perClient must be at least 1, not ${perClient}`);
  const gates = new WeakMap<Socket, Gate>();
  // Requests of an encrypted connection refer to its TLS socket.
  server.on('setSecureContext' in server ? 'secureConnection' : 'connection', (socket: Socket) => {
    gates.set(socket, new Gate(socket));
  });
  server.on('request', (incoming, outgoing) => {
    const gate = gates.get(incoming.socket);
    gate?.close(incoming);
    outgoing.once('close', () => gate?.open());
  });
  server.on('clientError', (error, socket) => {
    const gate = gates.get(socket as Socket);
    if (gate === undefined) socket.destroy();
    else gate.refuse(REFUSALS[errnoOf(error) ?? ''] ?? '400 Bad Request');
  });
  if (perClient !== Number.POSITIVE_INFINITY) countConnections(server, perClient, onRefused);
}

/** The default error answers of `node:http`. */
const REFUSALS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/**
 * Number of bytes to parse before checking for a complete request. Most requests are shorter, and larger pieces could
 * hold dozens of requests.
 */
const PIECE = 512;

/** Sits between a connection and the parser, and passes on only the bytes that can be handled now. */
class Gate {
  readonly #socket: Socket;
  #unanswered = 0;
  /** The last request; its body may still be on the way. */
  #request: IncomingMessage | undefined;
  #refusal: string | undefined;
  #isPaused = false;
  #isScheduled = false;

  constructor(socket: Socket) {
    this.#socket = socket;
    this.#watchPauses();
    // With a listener for `readable`, the socket does not flow by itself: `node:http` gets only the bytes that are read
    // here.
    socket.on('readable', () => this.#pass());
    socket.on('resume', () => this.#pass());
  }

  close(request: IncomingMessage): void {
    this.#unanswered++;
    this.#request = request;
  }

  open(): void {
    this.#unanswered--;
    if (this.#socket.readableLength > 0) this.#passLater();
    else this.#pass();
  }

  /** Answers invalid input after all earlier requests, and ends the connection. */
  refuse(status: string): void {
    this.#refusal = status;
    // A handler that has read half of a body is waiting for the rest.
    if (!this.#socket.writable || this.#request?.complete === false) this.#socket.destroy();
    else this.#pass();
  }

  /**
   * `node:http` pauses a connection while a body waits for its reader, or its own answers (400, 417) wait for the
   * client, and throws if it gets more bytes. A socket that does not flow emits no event for that.
   */
  #watchPauses(): void {
    const socket = this.#socket;
    const { pause, resume } = socket;
    socket.pause = () => {
      this.#isPaused = true;
      return pause.call(socket);
    };
    socket.resume = () => {
      this.#isPaused = false;
      return resume.call(socket);
    };
  }

  #pass(): void {
    const socket = this.#socket;
    if (this.#refusal !== undefined) {
      if (this.#unanswered === 0)
        socket.end(`HTTP/1.1 ${this.#refusal}\r\nConnection: close\r\n\r\n`, () => socket.destroy());
      return;
    }
    if (this.#isScheduled) return;
    while (socket.readableLength > 0 && this.#isOpen()) {
      socket.read(Math.min(PIECE, socket.readableLength));
      if (!this.#isInBody()) break;
    }
    if (socket.readableLength > 0) {
      if (this.#isOpen()) this.#passLater();
    } else {
      // Requests more bytes, and lets the stream report its end.
      socket.read();
    }
  }

  /**
   * Gives other connections a turn: answers that the kernel accepts at once could otherwise follow each other
   * endlessly.
   */
  #passLater(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#pass();
    });
  }

  #isOpen(): boolean {
    return !this.#socket.destroyed && !this.#isPaused && (this.#unanswered === 0 || this.#isInBody());
  }

  #isInBody(): boolean {
    return this.#unanswered === 1 && this.#request?.complete === false;
  }
}

function countConnections(
  server: Server,
  perClient: number,
  onRefused: NonNullable<Parameters<typeof limitConnections>[1]>['onRefused'],
): void {
  const counts = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const client = socket.remoteAddress ?? '';
    if (client === '' || isLoopback(client)) return;
    const count = counts.get(client) ?? 0;
    if (count >= perClient) {
      socket.destroy();
      onRefused?.(client);
      return;
    }
    counts.set(client, count + 1);
    socket.once('close', () => {
      const left = (counts.get(client) ?? 0) - 1;
      if (left > 0) counts.set(client, left);
      else counts.delete(client);
    });
  });
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(?:::ffff:)?127\./.test(address);
}
