// A machine with the scripts of the service in a temporary directory, and a fake service that they call.
import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { output } from '../../../../test/support/tools.ts';
import { SERVICE_SCRIPTS, type ServiceScriptName } from '../../src/join/service/generated/scripts.ts';

/** The fake's answer: a body with status 200, another status, a closed connection, or silence until the client gives up. */
export type Answer = object | { readonly status: number; readonly body?: string } | 'hang-up' | 'silence';

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly authorization: string;
  readonly body: string;
}

/** Gives prepared answers by method and path, and repeats the last one. */
export class StandInService {
  readonly calls: Call[] = [];
  readonly #answers: Readonly<Record<string, readonly Answer[]>>;
  readonly #given = new Map<string, number>();
  readonly #server: Server;

  private constructor(answers: Readonly<Record<string, readonly Answer[]>>) {
    this.#answers = answers;
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  static async start(answers: Readonly<Record<string, readonly Answer[]>>): Promise<StandInService> {
    const service = new StandInService(answers);
    await new Promise<void>((done) => service.#server.listen(0, '127.0.0.1', done));
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  get trace(): string[] {
    return this.calls.map(({ method, path }) => `${method} ${path}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url: path = '' } = request;
    const { authorization = '' } = request.headers;
    this.calls.push({ method, path, authorization, body: Buffer.concat(chunks).toString() });
    const name = `${method} ${path.replace('/api/assisted-install/v2', '')}`;
    const answers = this.#answers[name] ?? [{ status: 404 }];
    const count = this.#given.get(name) ?? 0;
    this.#given.set(name, count + 1);
    const answer = answers[Math.min(count, answers.length - 1)] ?? 'hang-up';
    if (answer === 'silence') return;
    if (answer === 'hang-up') request.socket.destroy();
    else if ('status' in answer && typeof answer.status === 'number') {
      const { status, body = '' } = answer as { status: number; body?: string };
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    } else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }
}

export interface Ended {
  readonly status: number | null;
  readonly output: string;
}

/** The real one, with a shorter timeout than the scripts request. */
const CURL = `for word; do
    case $word in 30) word=0.5 ;; esac
    set -- "$@" "$word"
    shift
done
exec "${output('sh', ['-c', 'command -v curl || echo curl']).toString().trim()}" "$@"`;

const XZ = `exec "${output('sh', ['-c', 'command -v xz || echo xz']).toString().trim()}" "$@"`;

/** A root with the scripts; its programs are fakes that record their calls. */
export class ServiceMachine implements Disposable {
  readonly path: string = mkdtempSync(join(tmpdir(), 'coreiso-service-'));

  constructor() {
    for (const [name, text] of Object.entries(SERVICE_SCRIPTS)) this.write(`usr/local/bin/${name}`, text, 0o555);
    this.stub('agetty', ':');
    // A short timeout for a silent service.
    this.stub('curl', CURL);
    // Busybox has an applet that only unpacks.
    this.stub('xz', XZ);
    // Tests never sleep; the console is saved at each sleep.
    this.stub('sleep', 'cat "$ROOT"/etc/issue.d/*.issue >>"$ROOT/console" 2>/dev/null; :');
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }

  write(path: string, contents: string, mode = 0o600): void {
    const whole = join(this.path, path);
    mkdirSync(dirname(whole), { recursive: true });
    writeFileSync(whole, contents, { mode });
  }

  read(path: string): string | undefined {
    const whole = join(this.path, path);
    return existsSync(whole) ? readFileSync(whole, 'utf8') : undefined;
  }

  /** A program that records its arguments, one line per call, then runs `body`, which is shell. */
  stub(name: string, body: string): void {
    this.write(`stubs/${name}`, `#!/bin/sh\nprintf '%s\\n' "${name} $*" >>"$ROOT/calls"\n${body}\n`);
    chmodSync(join(this.path, 'stubs', name), 0o755);
  }

  /** Calls of the fakes, without sleeps. */
  get calls(): string[] {
    const lines = (this.read('calls') ?? '').split('\n');
    return lines
      .filter((line) => line !== '' && !/^(?:sleep|agetty|curl|xz) /.test(line))
      .map((line) => line.replaceAll(this.path, ''));
  }

  /** The current text on the console. */
  get console(): string {
    const folder = join(this.path, 'etc/issue.d');
    if (!existsSync(folder)) return '';
    return readdirSync(folder)
      .filter((name) => name.endsWith('.issue'))
      .sort()
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('');
  }

  /** The text on the console at each sleep of a script. */
  get shown(): string {
    return this.read('console') ?? '';
  }

  run(
    name: ServiceScriptName,
    [shell = 'sh', ...flags]: readonly string[],
    env: Readonly<Record<string, string>> = {},
    ...args: readonly string[]
  ): Promise<Ended> {
    const script = join(this.path, 'usr/local/bin', name);
    // Busybox prefers its own applets to programs on PATH, but shell functions to both. A fake sleep that fails ends the script.
    const names = readdirSync(join(this.path, 'stubs')).filter((stub) => /^[a-z]+$/.test(stub));
    const functions = names.map((stub) =>
      stub === 'sleep'
        ? 'sleep() { "$ROOT/stubs/sleep" "$@" || exit 0; }\n'
        : `${stub}() { "$ROOT/stubs/${stub}" "$@"; }\n`,
    );
    const child = spawn(shell, [...flags, '-c', `${functions.join('')}. "$0"`, script, ...args], {
      env: { PATH: `${join(this.path, 'stubs')}:${process.env['PATH']}`, ROOT: this.path, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 60_000,
    });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
    return new Promise((done, fail) => {
      child.on('error', fail);
      child.on('close', (status) => done({ status, output: Buffer.concat(chunks).toString() }));
    });
  }
}
