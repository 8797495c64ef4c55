// Clients with all kinds of behaviour, each on its own connections, until they are stopped.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Answers } from './answers.ts';
import type { ServedImage } from './image.ts';

export const MANNERS = ['plain', 'whole', 'slow', 'pipelining', 'resetting', 'half open', 'flooding'] as const;
export type Manner = (typeof MANNERS)[number];

/** Totals of all clients. */
export interface ClientTotals {
  /** Complete answers with bytes, each of one version. */
  right: number;
  bytes: number;
  wrong: string[];
  /** Connections that ended during an answer, and refusals: the client notices both. */
  broken: number;
  statuses: Map<number, number>;
  /** Milliseconds from the request to the last byte of 64 KiB, for plain clients. */
  times: number[];
}

const RANGE = 64 * 1024;

export class Client {
  readonly #manner: Manner;
  readonly #port: number;
  readonly #image: ServedImage;
  readonly #seen: ClientTotals;
  readonly #signal: AbortSignal;
  #socket: Socket | undefined;

  constructor(manner: Manner, port: number, image: ServedImage, seen: ClientTotals, signal: AbortSignal) {
    this.#manner = manner;
    this.#port = port;
    this.#image = image;
    this.#seen = seen;
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#socket?.destroy());
  }

  async run(): Promise<void> {
    while (!this.#signal.aborted) {
      try {
        const socket = connect(this.#port, '127.0.0.1');
        this.#socket = socket;
        socket.on('error', () => undefined);
        await once(socket, 'connect', { signal: this.#signal });
        await this.#talk(socket);
        socket.destroy();
      } catch {
        this.#seen.broken++;
      }
      await sleep(Math.random() * 500, undefined, { signal: this.#signal }).catch(() => undefined);
    }
    this.#socket?.destroy();
  }

  async #talk(socket: Socket): Promise<void> {
    switch (this.#manner) {
      case 'plain': {
        const answers = new Answers(socket);
        for (let count = 0; count < 50 && !this.#signal.aborted; count++) {
          const begun = performance.now();
          const offset = this.#somewhere(RANGE);
          socket.write(this.#request(offset, RANGE));
          if (!(await this.#receive(answers, offset, RANGE))) return;
          this.#seen.times.push(performance.now() - begun);
          await sleep(Math.random() * 1000);
        }
        return;
      }
      case 'whole':
        socket.write(this.#request(0, undefined));
        await this.#receive(new Answers(socket), 0, this.#image.size);
        return void (await sleep(Math.random() * 5000));
      case 'slow': {
        socket.write(this.#request(0, undefined));
        await this.#receive(new Answers(socket, () => sleep(20 + Math.random() * 200)), 0, this.#image.size);
        return;
      }
      case 'pipelining': {
        const answers = new Answers(socket);
        const offsets = Array.from({ length: 16 }, () => this.#somewhere(RANGE));
        socket.write(offsets.map((offset) => this.#request(offset, RANGE)).join(''));
        for (const offset of offsets) if (!(await this.#receive(answers, offset, RANGE))) return;
        return void (await sleep(Math.random() * 2000));
      }
      case 'resetting':
        socket.write(this.#request(0, undefined));
        await Promise.race([once(socket, 'readable', { signal: this.#signal }), sleep(200)]);
        await sleep(Math.random() * 300);
        socket.resetAndDestroy();
        return;
      case 'half open':
        // A head that never ends, or an answer that the client does not read.
        socket.pause();
        socket.write(Math.random() < 0.5 ? 'GET /live.iso HTTP/1.1\r\nHost: a' : this.#request(0, undefined));
        return void (await Promise.race([once(socket, 'close'), sleep(60_000, undefined, { signal: this.#signal })]));
      case 'flooding': {
        const answers = new Answers(socket);
        socket.write(
          `GET /live.iso HTTP/1.1\r\nHost: 127.0.0.1:${this.#port}\r\n${`X-Flood: ${'y'.repeat(1000)}\r\n`.repeat(200)}\r\n`,
        );
        const answer = await answers.next();
        if (answer === undefined) this.#seen.broken++;
        else this.#count(answer.status);
        return void (await sleep(Math.random() * 2000));
      }
    }
  }

  #somewhere(length: number): number {
    return Math.floor(Math.random() * (this.#image.size - length));
  }

  #request(offset: number, length: number | undefined): string {
    const range = length === undefined ? '' : `Range: bytes=${offset}-${offset + length - 1}\r\n`;
    return `GET /live.iso HTTP/1.1\r\nHost: 127.0.0.1:${this.#port}\r\n${range}\r\n`;
  }

  /** Whether another answer may follow on this connection. */
  async #receive(answers: Answers, offset: number, length: number): Promise<boolean> {
    const answer = await answers.next();
    if (answer === undefined) {
      if (!this.#signal.aborted) this.#seen.broken++;
      return false;
    }
    const { status, body, headers } = answer;
    this.#count(status);
    if (status !== 200 && status !== 206) return headers.get('connection') !== 'close';
    if (body.length !== length || !this.#image.isWhole(body, offset))
      this.#seen.wrong.push(`${this.#manner}: ${body.length} bytes from ${offset}, status ${status}`);
    else this.#seen.right++;
    this.#seen.bytes += body.length;
    return headers.get('connection') !== 'close';
  }

  #count(status: number): void {
    this.#seen.statuses.set(status, (this.#seen.statuses.get(status) ?? 0) + 1);
  }
}
