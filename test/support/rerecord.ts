// Runs recorded calls of a real tool with another version of it, and reports the differences.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatGcListing } from '@coreiso/nmstate';
import { differences } from '../../packages/cli/test/recorded/compare.ts';
import type { Recording } from '../../packages/cli/test/recorded/recording.ts';
import { type Program, runCase } from '../../packages/cli/test/recorded/run-case.ts';
import { Goldens } from './goldens.ts';

/** A recorded call with a different result. */
export interface Change {
  readonly name: string;
  readonly details: readonly string[];
}

export interface Rerun {
  readonly calls: number;
  readonly changes: readonly Change[];
}

const ENV = { ...process.env, LC_ALL: 'C', NO_COLOR: '1', RUST_BACKTRACE: '0' };

function runner(program: string): Program {
  return (argv, { cwd, input, env }) => {
    const { status, stdout, stderr, error } = spawnSync(program, argv, {
      ...{ cwd, env: { ...ENV, ...env }, maxBuffer: 1 << 30 },
      ...(input === undefined ? { stdio: ['ignore', 'pipe', 'pipe'] as const } : { input }),
    });
    if (error) throw error;
    return { status: status ?? 101, stdout, stderr: stderr.toString() };
  };
}

/** Needs the folder of trimmed images with which the calls were recorded. */
export async function rerunInstaller(program: string, fixtures: string): Promise<Rerun> {
  const goldens = new Goldens(new URL('../goldens/coreos-installer.json', import.meta.url));
  const [changes, run]: [Change[], Program] = [[], runner(program)];
  let calls = 0;
  for (const path of goldens.paths()) {
    for (const recorded of goldens.json<Recording>(path).cases) {
      const folder = mkdtempSync(join(tmpdir(), 'coreiso-rerun-'));
      try {
        await runCase(
          run,
          recorded,
          folder,
          ({ expect }, result, index) => {
            calls++;
            const details = differences(expect, result, 'bytes');
            if (details.length > 0) changes.push({ name: `${path}: ${recorded.id}, step ${index}`, details });
          },
          fixtures,
        );
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    }
  }
  return { calls, changes };
}

/** nmstate walks through maps in a different order each time; the recording has one of them. */
const TRIES = 20;

interface Generated {
  readonly exit?: number;
  /** Whether lines may come in any order. */
  readonly unordered?: boolean;
  readonly error?: { readonly message: string };
  readonly files?: readonly { readonly name: string; readonly content: string }[];
}

/** `only` chooses among the recorded states. */
export function rerunNmstate(program: string, only: RegExp = /(?:)/): Rerun {
  const goldens = new Goldens(new URL('../../packages/nmstate/test/goldens/nmstate.json', import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), 'coreiso-rerun-'));
  const changes: Change[] = [];
  const states = goldens.paths(/\.yml$/).filter((path) => only.test(path));
  try {
    for (const path of states) {
      const file = join(folder, 'state.yml');
      writeFileSync(file, goldens.bytes(path));
      const recorded = goldens.json<Generated>(path.replace(/yml$/, 'json'));
      const run = (): string[] => {
        const { status, stdout, stderr } = spawnSync(program, ['gc', '-q', file], { env: ENV, maxBuffer: 1 << 28 });
        return nmstateDifferences(recorded, status, stdout.toString(), stderr.toString());
      };
      let details = run();
      for (let tries = 1; details.length > 0 && tries < TRIES; tries++) details = run();
      if (details.length > 0) changes.push({ name: path, details });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { calls: states.length, changes };
}

function nmstateDifferences(
  { files, error, unordered, exit = 0 }: Generated,
  status: number | null,
  out: string,
  said: string,
): string[] {
  if (status !== exit) return [`exit ${status} instead of ${exit}`];
  if (error !== undefined) return said.includes(error.message) ? [] : [`${said.trim()} instead of ${error.message}`];
  const expected = formatGcListing(files ?? []);
  // Rules without an order get numbers and priorities at random.
  const lines = (text: string): string =>
    text
      .replaceAll(/routing-rule\d+=priority \d+/g, 'routing-rule')
      .split('\n')
      .sort()
      .join('\n');
  if (out === expected || (unordered === true && lines(out) === lines(expected))) return [];
  return [`${JSON.stringify(out)} instead of ${JSON.stringify(expected)}`];
}
