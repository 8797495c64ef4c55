import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe } from 'vitest';

/** Debian programs: `COREISO_REQUIRE_TOOLS=1` turns a missing one into a failure. The Rust and Go tools are never required. */
const OPTIONAL = new Set(['coreos-installer', 'nmstatectl', 'ignition-validate', 'go']);

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

/** Whether a library can be preloaded, by its file name. */
function hasLibrary(library: string): boolean {
  const { status, stderr } = spawnSync('true', [], { env: { ...process.env, LD_PRELOAD: library } });
  return status === 0 && stderr.length === 0;
}

/**
 * A block of tests that compare with programs and libraries (`*.so`) of others. If one is missing, the block is skipped
 * with the reason in its title, unless `COREISO_REQUIRE_TOOLS` requires all of them.
 */
export function describeWith(programs: readonly string[], title: string, body: () => void): void {
  const missing = programs.filter((one) => !(one.endsWith('.so') ? hasLibrary(one) : hasProgram(one)));
  const isRequired = missing.some((program) => !OPTIONAL.has(program));
  describeUnless(missing.length === 0 ? '' : `no ${missing.join(', ')}`, isRequired, title, body);
}

/** Debian's own Python: others on PATH do not see the bindings that packages install. */
export const DEBIAN_PYTHON = '/usr/bin/python3';

/**
 * The same for tests that compare with a library through its Python bindings, such as `NM` `1.0` of `gir1.2-nm-1.0`.
 */
export function describeWithBindings(namespace: string, version: string, title: string, body: () => void): void {
  const load = `import gi; gi.require_version("${namespace}", "${version}"); from gi.repository import ${namespace}`;
  const { status } = spawnSync(DEBIAN_PYTHON, ['-c', load]);
  describeUnless(status === 0 ? '' : `no Python bindings of ${namespace}`, true, title, body);
}

/** The same for tests that compare with Python modules from Debian packages. */
export function describeWithPython(modules: readonly string[], title: string, body: () => void): void {
  const { status } = spawnSync(DEBIAN_PYTHON, ['-c', modules.map((name) => `import ${name}\n`).join('')]);
  describeUnless(status === 0 ? '' : `no Python modules ${modules.join(', ')}`, true, title, body);
}

function describeUnless(problem: string, isRequired: boolean, title: string, body: () => void): void {
  const isSkipped = problem !== '' && !(isRequired && process.env['COREISO_REQUIRE_TOOLS'] === '1');
  describe.skipIf(isSkipped)(isSkipped ? `${title} (skipped: ${problem})` : title, body);
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

/** Runs a program that must succeed and returns its standard output. */
export function output(program: string, args: readonly string[], options: Parameters<typeof run>[2] = {}): Buffer {
  const { status, stdout, stderr } = run(program, args, options);
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: exit ${status}\n${stderr}`);
  return stdout;
}
