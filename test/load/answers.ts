import type { Socket } from 'node:net';

export interface Received {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/** Answers on one connection, in order, as HTTP/1.1 frames them by Content-Length. */
export class Answers {
  readonly #socket: Socket;
  readonly #pace: () => Promise<void> | undefined;
  #waiting: Buffer = Buffer.alloc(0);
  #isEnded = false;
  #wake: () => void = () => undefined;

  constructor(socket: Socket, pace: () => Promise<void> | undefined = () => undefined) {
    this.#socket = socket;
    this.#pace = pace;
    socket.pause();
    const end = (): void => {
      this.#isEnded = true;
      this.#wake();
    };
    socket.on('readable', () => this.#wake());
    socket.on('end', end);
    socket.on('close', end);
    socket.on('error', end);
  }

  /** The next answer; undefined if the connection ended before it was complete. */
  async next(): Promise<Received | undefined> {
    while (!this.#waiting.includes('\r\n\r\n')) if (!(await this.#more())) return undefined;
    const end = this.#waiting.indexOf('\r\n\r\n');
    const [line = '', ...fields] = this.#waiting.toString('latin1', 0, end).split('\r\n');
    const headers = new Map(
      fields.map((field) => [field.split(':', 1)[0]?.toLowerCase() ?? '', field.replace(/^[^:]*:\s*/, '')]),
    );
    const length = Number(headers.get('content-length') ?? 0);
    this.#waiting = this.#waiting.subarray(end + 4);
    const pieces = [this.#waiting];
    let size = this.#waiting.length;
    while (size < length) {
      this.#waiting = Buffer.alloc(0);
      if (!(await this.#more())) return undefined;
      pieces.push(this.#waiting);
      size += this.#waiting.length;
    }
    const all = pieces.length === 1 ? (pieces[0] ?? Buffer.alloc(0)) : Buffer.concat(pieces);
    this.#waiting = all.subarray(length);
    return { status: Number(line.split(' ')[1]), headers, body: all.subarray(0, length) };
  }

  async #more(): Promise<boolean> {
    await this.#pace();
    for (;;) {
      const chunk: Buffer | null = this.#socket.read();
      if (chunk !== null) {
        this.#waiting = this.#waiting.length === 0 ? chunk : Buffer.concat([this.#waiting, chunk]);
        return true;
      }
      if (this.#isEnded) return false;
      await new Promise<void>((wake) => {
        this.#wake = wake;
      });
    }
  }
}
