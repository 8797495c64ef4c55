import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, vi } from 'vitest';

const PROGRAM = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const config = (disk: string): string =>
  `hosts:\n- hostname: worker-0\n  rootDeviceHints: { deviceName: ${disk} }\n  interfaces: [{ name: eth0, macAddress: "52:54:00:ab:00:00" }]\n`;

/** A plan of one host, like a mounted Secret. */
export function planFolder(parent: string, name: string, disk: string): string {
  const folder = join(parent, name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'nodes-config.yaml'), config(disk));
  writeFileSync(join(folder, 'valid-until'), '2030-01-31T12:00:00Z\n');
  return folder;
}

export async function freePort(): Promise<number> {
  return await new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => done(port));
    });
  });
}

/** A replica of the service as a process. */
export class Replica {
  readonly port: number;
  /** The exit status, once it has one. */
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcess;

  constructor(port: number, env: Record<string, string>) {
    if (!existsSync(PROGRAM)) throw new Error('npm run build comes first: replicas are processes');
    this.port = port;
    const all = { ...process.env, COREISO_PREVIOUS_PLAN: '/nowhere', HOST: '127.0.0.1', PORT: String(port), ...env };
    this.#child = spawn(process.execPath, [PROGRAM], { env: all, stdio: 'ignore' });
    this.ended = new Promise((done) => this.#child.once('exit', done));
  }

  async ready(): Promise<this> {
    await vi.waitFor(async () => expect((await fetch(`http://127.0.0.1:${this.port}/readyz`)).status).toBe(200), {
      timeout: 60_000,
      interval: 50,
    });
    return this;
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.#child.kill(signal)) await this.ended;
  }
}
