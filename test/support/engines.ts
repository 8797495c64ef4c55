// Real servers that tests can start. e2e/engines/*.sh build them once into a cache outside the project.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe } from 'vitest';
import { hasProgram } from './tools.ts';

const run = promisify(execFile);
const cache = process.env['COREISO_ENGINES'] ?? join(homedir(), '.cache', 'coreiso-engines');
const KUBE = fileURLToPath(new URL('../../e2e/engines/kube.sh', import.meta.url));

/** A block of tests on a real API server; skipped if it is not built, unless `COREISO_REQUIRE_ENGINES` requires it. */
export function describeWithKube(title: string, body: () => void): void {
  const missing = [
    ...['kube-apiserver', 'kube-controller-manager'].filter((program) => !existsSync(join(cache, program))),
    ...['etcd', 'openssl', 'curl'].filter((program) => !hasProgram(program)),
  ];
  const isRequired = process.env['COREISO_REQUIRE_ENGINES'] === '1';
  const suffix = missing.length === 0 ? '' : ` (needs ${missing.join(', ')}: e2e/engines/kube.sh build)`;
  describe.skipIf(missing.length > 0 && !isRequired)(`${title}${suffix}`, body);
}

/** An API server with etcd on loopback, with its own certificates. */
export class KubeEngine {
  readonly directory: string;
  readonly port: number;

  private constructor(directory: string, port: number) {
    this.directory = directory;
    this.port = port;
  }

  static async start(): Promise<KubeEngine> {
    const directory = mkdtempSync(join(tmpdir(), 'coreiso-kube-'));
    const engine = new KubeEngine(directory, await freePorts());
    await run(KUBE, ['up', directory, String(engine.port)]);
    return engine;
  }

  get kubeconfig(): string {
    return join(this.directory, 'kubeconfig');
  }

  get server(): string {
    return `https://127.0.0.1:${this.port}`;
  }

  file(name: string): string {
    return join(this.directory, name);
  }

  base64(name: string): string {
    return readFileSync(this.file(name)).toString('base64');
  }

  /** A call of the administrator, by an independent client. */
  request(
    method: string,
    path: string,
    body?: string,
    type = 'application/json',
  ): Promise<{ readonly status: number; readonly body: string }> {
    const [ca, cert, key] = ['ca.crt', 'admin.crt', 'admin.key'].map((name) => readFileSync(this.file(name)));
    const options = { method, ca, cert, key, headers: { 'content-type': type } };
    return new Promise((done, fail) => {
      const sent = request(`${this.server}${path}`, options, async (response) => {
        let text = '';
        for await (const chunk of response) text += chunk;
        done({ status: response.statusCode ?? 0, body: text });
      });
      sent.on('error', fail);
      sent.end(body);
    });
  }

  async signer(): Promise<void> {
    await run(KUBE, ['signer', this.directory]);
  }

  async restart(): Promise<void> {
    await run(KUBE, ['restart', this.directory]);
  }

  async stop(): Promise<void> {
    await run(KUBE, ['down', this.directory]);
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** The first of three free ports in a row. */
export async function freePorts(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    if ((await Promise.all([port, port + 1, port + 2].map(isFree))).every((free) => free)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
