import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Maximum number of waiting requests per connection; a client that sends more at once is disconnected. */
const MOST_WAITING = 1000;

interface RequestQueue {
  isTaken: boolean;
  readonly waiting: (() => void)[];
}

const connections = new WeakMap<Socket, RequestQueue>();

/**
 * Calls `start` once every earlier answer on the connection has gone out: `node:http` hands over requests as they are parsed, and
 * would keep the answers to all of them in memory until the client has read the first.
 */
export function inTurn(socket: Socket, outgoing: ServerResponse, start: () => void): void {
  const turns = requestQueueOf(socket);
  const take = (): void => {
    turns.isTaken = true;
    outgoing.once('close', () => next(socket, turns));
    start();
  };
  if (!turns.isTaken) take();
  else if (turns.waiting.length < MOST_WAITING) turns.waiting.push(take);
  else socket.destroy();
}

function requestQueueOf(socket: Socket): RequestQueue {
  const known = connections.get(socket);
  if (known !== undefined) return known;
  const turns: RequestQueue = { isTaken: false, waiting: [] };
  connections.set(socket, turns);
  return turns;
}

function next(socket: Socket, turns: RequestQueue): void {
  turns.isTaken = false;
  // An answer with `Connection: close` is the last one (RFC 9112 §9.6).
  if (socket.destroyed || socket.writableEnded) turns.waiting.length = 0;
  turns.waiting.shift()?.();
}
