// Object stores that tests can start, and a relay in front of them that counts requests and causes faults.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe } from 'vitest';
import { freePorts } from './engines.ts';
import { hasProgram } from './tools.ts';

const run = promisify(execFile);
const cache = process.env['COREISO_ENGINES'] ?? join(homedir(), '.cache', 'coreiso-engines');

export type StoreName = 'versitygw' | 'ceph';

const MISSING: Readonly<Record<StoreName, () => string[]>> = {
  versitygw: () => (existsSync(join(cache, 'versitygw')) ? [] : ['e2e/engines/versitygw.sh build']),
  ceph: () => ['ceph-mon', 'ceph-osd', 'radosgw', 'ceph', 'curl'].filter((program) => !hasProgram(program)),
};

/** A block of tests on a real store; skipped if it is missing, unless `COREISO_REQUIRE_ENGINES` requires it. */
export function describeWithStore(name: StoreName, title: string, body: () => void): void {
  const missing = MISSING[name]();
  const isRequired = process.env['COREISO_REQUIRE_ENGINES'] === '1';
  const suffix = missing.length === 0 ? '' : ` (needs ${missing.join(', ')})`;
  describe.skipIf(missing.length > 0 && !isRequired)(`${title}${suffix}`, body);
}

/** A store on loopback. */
export class StoreEngine {
  readonly directory: string;
  readonly endpoint: string;
  readonly region: string;
  readonly credentials = { accessKeyId: 'access', secretAccessKey: 'secretsecret' } as const;
  readonly #script: string;

  private constructor(script: string, directory: string, port: number, region: string) {
    this.#script = script;
    this.directory = directory;
    this.endpoint = `http://127.0.0.1:${port}`;
    this.region = region;
  }

  static async start(name: StoreName): Promise<StoreEngine> {
    const script = fileURLToPath(new URL(`../../e2e/engines/${name}.sh`, import.meta.url));
    const directory = mkdtempSync(join(tmpdir(), `coreiso-${name}-`));
    const port = await freePorts();
    await run(script, ['up', directory, String(port)]);
    const region = /AWS_REGION=(.*)/.exec(readFileSync(join(directory, 's3.env'), 'utf8'))?.[1] ?? '';
    return new StoreEngine(script, directory, port, region);
  }

  /** Ceph only: the most objects; 0 removes the limit. */
  async quota(objects: number): Promise<void> {
    await run(this.#script, ['quota', this.directory, String(objects)]);
  }

  async stop(): Promise<void> {
    await run(this.#script, ['down', this.directory]);
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** The delay of a late request, in milliseconds. */
const LATE = 100;

/** The fault that a relay causes instead of passing a request on. */
export type Fault =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly code?: string }
  /** No answer, or half an answer and then silence. */
  | 'stall'
  | 'stall-answer'
  /** The connection breaks, before the request is passed on, or after the store has handled it. */
  | 'cut'
  | 'cut-answer'
  /** The request arrives late, or twice. */
  | 'late'
  | 'twice'
  /** One bit of the body, or of the answer's body, is flipped. */
  | 'damage'
  | 'damage-answer';

/** Passes everything on, with the first bit flipped. */
function damager(): Transform {
  let isDamaged = false;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      const copy = Buffer.from(chunk);
      if (!isDamaged) copy.writeUInt8(copy.readUInt8(0) ^ 1, 0);
      isDamaged = true;
      done(null, copy);
    },
  });
}

/** A body that was sent completely. */
async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Passes requests on to a store, counts sent bytes by path, and fails as requested. */
export class Relay {
  readonly endpoint: string;
  /** Bytes of bodies by path. */
  readonly sent = new Map<string, number>();
  /** Called for each request; `undefined` passes it on. */
  fault: (request: IncomingMessage, path: string) => Fault | undefined = () => undefined;
  readonly #server: Server;
  /** Requests that the store has received and not answered. */
  readonly #underWay = new Set<Promise<unknown>>();

  private constructor(server: Server) {
    this.#server = server;
    this.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(target: string): Promise<Relay> {
    const { hostname, port } = new URL(target);
    let relay: Relay | undefined;
    const pass = (incoming: IncomingMessage, outgoing: ServerResponse): void =>
      relay?.pass(incoming, outgoing, hostname, port);
    // The store decides whether it needs a body: a full one answers and closes the connection without reading it.
    const server = createServer(pass).on('checkContinue', pass);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    relay = new Relay(server);
    return relay;
  }

  pass(incoming: IncomingMessage, outgoing: ServerResponse, hostname: string, port: string): void {
    const path = decodeURIComponent(new URL(incoming.url ?? '/', 'http://relay').pathname);
    const fault = this.fault(incoming, path);
    if (fault === 'late') return void setTimeout(() => this.#pass(incoming, outgoing, hostname, port, path), LATE);
    this.#pass(incoming, outgoing, hostname, port, path, fault);
  }

  #pass(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    hostname: string,
    port: string,
    path: string,
    fault?: Fault,
  ): void {
    if (fault === 'stall') return void incoming.resume();
    if (fault === 'cut') return void incoming.socket.destroy();
    const isAskedFirst = incoming.headers.expect !== undefined;
    if (typeof fault === 'object') {
      if (isAskedFirst) outgoing.writeContinue();
      incoming.resume().on('end', () => {
        outgoing.writeHead(fault.status, { 'content-type': 'application/xml', ...fault.headers });
        outgoing.end(fault.code === undefined ? '' : `<Error><Code>${fault.code}</Code></Error>`);
      });
      return;
    }
    const { method, headers, url } = incoming;
    if (fault === 'twice') {
      if (isAskedFirst) outgoing.writeContinue();
      void this.#passTwice(incoming, outgoing, { hostname, port, method, path: url, headers });
      return;
    }
    const onward = request({ hostname, port, method, path: url, headers }, (answer) => {
      if (fault === 'cut-answer') return void answer.resume().on('end', () => incoming.socket.destroy());
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      if (fault === 'stall-answer') {
        answer.once('data', (chunk: Buffer) => outgoing.write(chunk.subarray(0, chunk.length / 2)));
      } else if (fault === 'damage-answer') answer.pipe(damager()).pipe(outgoing);
      else {
        answer.pipe(outgoing);
        outgoing.on('close', () => answer.resume());
        if (outgoing.destroyed) answer.resume();
      }
    });
    onward.on('error', () => outgoing.destroy());
    const closed = once(onward, 'close').catch(() => undefined);
    this.#underWay.add(closed);
    void closed.then(() => this.#underWay.delete(closed));
    // A store finishes what it has received whole, even if the client is gone.
    outgoing.on('close', () => {
      if (fault !== undefined || !incoming.complete) onward.destroy();
    });
    incoming.on('data', (chunk: Buffer) => this.sent.set(path, (this.sent.get(path) ?? 0) + chunk.length));
    const passOn = (): unknown => (fault === 'damage' ? incoming.pipe(damager()) : incoming).pipe(onward);
    if (!isAskedFirst) return void passOn();
    onward.flushHeaders();
    onward.once('continue', () => {
      outgoing.writeContinue();
      passOn();
    });
  }

  /** The store's answer to the second request counts. */
  async #passTwice(incoming: IncomingMessage, outgoing: ServerResponse, options: RequestOptions): Promise<void> {
    try {
      const body = await bodyOf(incoming);
      const { expect: _, ...headers } = options.headers as IncomingHttpHeaders;
      const ask = (): Promise<IncomingMessage> =>
        new Promise((resolve, reject) =>
          request({ ...options, headers }, resolve)
            .on('error', reject)
            .end(body),
        );
      (await ask()).resume();
      const answer = await ask();
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    } catch {
      outgoing.destroy();
    }
  }

  /** Resolves when the store has nothing left to do. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }
}
