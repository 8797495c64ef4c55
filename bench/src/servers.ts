import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { output } from './programs.ts';

/** A server in its own process. */
export interface Served {
  readonly url: string;
  /** Its peak memory, in megabytes. */
  memory(): number;
  stop(): Promise<void>;
}

/** Our server, with an edited image. */
export async function serveOurs(image: string): Promise<Served> {
  const job = fileURLToPath(new URL('./jobs/serve.js', import.meta.url));
  const child = spawn(process.execPath, [job, image], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return served(child, Number((await lines.next()).value), 'live.iso');
}

/** nginx from Debian, with one worker: a file, sent by the kernel. */
export async function serveNginx(image: string): Promise<Served> {
  const folder = dirname(image);
  const port = await freePort();
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/t;`,
  );
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; pid ${folder}/pid; error_log stderr crit;
     events { worker_connections 4096; }
     http { access_log off; sendfile on; keepalive_requests 1000000; ${temporary.join(' ')}
            server { listen 127.0.0.1:${port} backlog=4096; root ${folder}; } }`,
  );
  const args = ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf')];
  const child = spawn('nginx', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  for (let tries = 0; tries < 100; tries++) {
    const isUp = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
    if (isUp) return served(child, port, basename(image));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('nginx does not answer');
}

/** A process that serves on `port`. */
export function served(child: ChildProcess, port: number, name: string): Served {
  return {
    url: `http://127.0.0.1:${port}/${name}`,
    memory() {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? Number.NaN) / 1000;
    },
    async stop() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** The results of many clients that request random ranges of 64 KiB. */
export interface Load {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** Seconds: a slow server gets up to twice this time to answer each client once. */
const SHORTEST = 1;
const LONGEST = 8;

/** The report of wrk. */
interface Summary {
  readonly requests: number;
  readonly bytes: number;
  readonly us: number;
  readonly p50: number;
  readonly p99: number;
  readonly errors: number;
}

/** Runs wrk; an answer that is not a range, or none at all, is a failure. */
export async function load({ url }: Served, clients: number, size: number, folder: string): Promise<Load> {
  const script = join(folder, 'ranges.lua');
  writeFileSync(
    script,
    `request = function()
       local start = math.random(0, ${size - 65536})
       return wrk.format("GET", nil, { ["Range"] = string.format("bytes=%d-%d", start, start + 65535) })
     end
     done = function(summary, latency)
       local e = summary.errors
       io.stderr:write(string.format('{"requests":%d,"bytes":%d,"us":%d,"p50":%f,"p99":%f,"errors":%d}\\n', summary.requests,
         summary.bytes, summary.duration, latency:percentile(50), latency:percentile(99),
         e.connect + e.read + e.write + e.status + e.timeout))
     end`,
  );
  const ask = async (seconds: number): Promise<Summary> =>
    JSON.parse(await output('wrk', ['-t1', `-c${clients}`, `-d${seconds}s`, '--timeout', '30s', '-s', script, url]));
  let seconds = SHORTEST;
  let summary = await ask(seconds);
  while (summary.requests < clients && seconds < LONGEST) {
    seconds *= 2;
    summary = await ask(seconds);
  }
  const { requests, bytes, us, p50, p99, errors } = summary;
  if (requests === 0) throw new Error(`none of ${clients} clients got an answer in ${seconds} s`);
  if (errors > 0) throw new Error(`${errors} of ${requests} requests of ${clients} clients failed`);
  // Checking each answer would take wrk longer than requesting it; the whole image instead of a range shows in the total.
  const each = bytes / requests;
  if (each < 65536 || each > 65536 + 1024) throw new Error(`an answer had ${each} bytes instead of 65536 and a head`);
  return { perSecond: (requests / us) * 1e6, p50: p50 / 1000, p99: p99 / 1000 };
}
