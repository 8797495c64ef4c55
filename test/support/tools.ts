import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe } from 'vitest';

/** Debian programs: `COREISO_REQUIRE_TOOLS=1` turns a missing one into a failure. The Rust and Go tools never are required. */
const OPTIONAL = new Set(['coreos-installer', 'nmstatectl', 'ignition-validate']);

/** Whether a program is on PATH. */
export function hasProgram(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((directory) => {
    try {
      accessSync(join(directory, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/**
 * A block of tests judged by other people's programs. Where one is missing the block is skipped and its title says why,
 * unless `COREISO_REQUIRE_TOOLS` asks for all of them.
 */
export function describeWith(programs: readonly string[], title: string, body: () => void): void {
  const missing = programs.filter((program) => !hasProgram(program));
  const required = process.env['COREISO_REQUIRE_TOOLS'] === '1' && missing.some((program) => !OPTIONAL.has(program));
  const note = missing.length > 0 && !required ? ` (skipped: no ${missing.join(', ')} on PATH)` : '';
  describe.skipIf(note !== '')(title + note, body);
}

export interface ProgramResult {
  readonly status: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Runs a program to its end; never throws for a non-zero exit. */
export function run(
  program: string,
  args: readonly string[],
  options: { cwd?: string; input?: Uint8Array; env?: NodeJS.ProcessEnv } = {},
): ProgramResult {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    ...options,
    env: { ...process.env, LC_ALL: 'C', ...options.env },
    maxBuffer: 1 << 30,
  });
  if (error) throw error;
  return { status, stdout, stderr: stderr.toString() };
}

/** Runs a program that must succeed and returns what it printed. */
export function output(program: string, args: readonly string[], options: Parameters<typeof run>[2] = {}): Buffer {
  const { status, stdout, stderr } = run(program, args, options);
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: exit ${status}\n${stderr}`);
  return stdout;
}
