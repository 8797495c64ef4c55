import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const COREISO = fileURLToPath(new URL('../../packages/cli/bin/coreiso.cjs', import.meta.url));

/** The resources that a process uses. */
export interface Sample {
  readonly seconds: number;
  readonly mebibytes: number;
  readonly descriptors: number;
}

/** `coreiso serve` in a process of its own. */
export class LoadedServer {
  readonly #child: ChildProcess;
  readonly port: number;

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.port = port;
  }

  static async start(path: string, idleSeconds: number): Promise<LoadedServer> {
    const options = ['--listen', '127.0.0.1:0', '--idle-timeout', String(idleSeconds)];
    const child = spawn(process.execPath, [COREISO, 'serve', path, ...options], { stdio: ['ignore', 'pipe', 'pipe'] });
    const lines = createInterface({ input: child.stdout });
    child.stderr.resume();
    for await (const line of lines) {
      const port = /127\.0\.0\.1:(\d+)/.exec(line)?.[1];
      if (port === undefined) continue;
      child.stdout.resume();
      return new LoadedServer(child, Number(port));
    }
    throw new Error('coreiso serve did not tell its address; is it built?');
  }

  sample(seconds: number): Sample {
    const { pid } = this.#child;
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const mebibytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
    return { seconds, mebibytes, descriptors: readdirSync(`/proc/${pid}/fd`).length };
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** The exit status, or the signal that ended it. */
  async stop(): Promise<number | string | null> {
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await ended;
    return this.#child.signalCode ?? this.#child.exitCode;
  }
}
