import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { rm } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Measure } from './frame.ts';

/** The launcher of the command line. */
export const coreiso: string = fileURLToPath(new URL('../../packages/cli/bin/coreiso.cjs', import.meta.url));

/** Whether a program is on PATH. */
export function isOnPath(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Milliseconds that `work` takes. */
export async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/**
 * Measures work that makes the file `target`, which must not exist. Runs it once before, unmeasured: otherwise this
 * candidate would pay for the memory and disk queues of the other one.
 */
export function freshly(target: string, work: Measure): Measure {
  const afresh: Measure = async () => {
    await rm(target, { force: true });
    await output('sync', ['-f', dirname(target)]);
    return await work();
  };
  return async () => {
    await afresh();
    return await afresh();
  };
}

/** Times a command line of the shell. `$1` and so on are `args`. */
export function shell(command: string, ...args: string[]): Measure {
  return () => time(() => output('sh', ['-c', command, 'sh', ...args]));
}

/** The report of a job of coreiso about itself. */
export interface JobReport {
  /** Since the beginning of its work: the start of Node is measured elsewhere. */
  readonly ms: number;
  readonly maxRssMB: number;
}

/** Runs a job of `jobs/` in its own process, followed by the commands of `pipeline`. */
export async function runJob(job: string, args: readonly string[], pipeline: string): Promise<JobReport> {
  const path = fileURLToPath(new URL(`./jobs/${job}.js`, import.meta.url));
  return JSON.parse(await output('sh', ['-c', `"$@" ${pipeline}`, 'sh', process.execPath, path, ...args]));
}

/** Without certificates: otherwise each start of Node reads all of them, which takes longer than the start. */
const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;

/** Runs a program that must succeed; returns its standard error. */
export function output(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.on('data', (text) => {
      said += text;
    });
    child.on('error', reject);
    child.on('close', (status) => {
      if (status === 0) resolve(said);
      else reject(new Error(`${program} ${args.join(' ')}: exit ${status}\n${said}`));
    });
  });
}
