import { lstatSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CliResult } from '../support.ts';
import { contents, layOut } from './inputs.ts';
import type { Case, Step } from './recording.ts';
import { SERVER, withServer } from './server.ts';
import { KEYS } from './signed.ts';

export interface FoundFile {
  readonly kind: 'file' | 'directory' | 'other';
  readonly mode: string;
  readonly data: Buffer;
}

export interface StepResult extends CliResult {
  readonly directory: string;
  /** The files before the step. */
  readonly before: ReadonlyMap<string, FoundFile>;
  /** The files that the step created or changed. */
  readonly files: ReadonlyMap<string, FoundFile>;
  readonly removed: readonly string[];
}

/** The program to test or to record. */
export type Program = (
  argv: readonly string[],
  options: { readonly cwd: string; readonly input?: Uint8Array; readonly env?: Readonly<Record<string, string>> },
) => CliResult | Promise<CliResult>;

/** Runs the steps of a case in order in an empty directory, with a server if the case has one. */
export async function runCase<S extends Step>(
  program: Program,
  test: Case<S>,
  folder: string,
  after: (step: S, result: StepResult, index: number) => void,
  fixtures?: string,
): Promise<void> {
  const directory = realpathSync(folder);
  await layOut(directory, test.inputs, fixtures);
  const run = async (address: string): Promise<void> => {
    for (const [index, step] of test.steps.entries()) {
      await layOut(directory, step.inputs, fixtures);
      for (const name of step.remove ?? []) rmSync(join(directory, name), { recursive: true });
      const before = snapshot(directory);
      const input = await stdinOf(step, directory, fixtures);
      const argv = step.argv.map((argument) => argument.replace(SERVER, address));
      const result = await program(argv, {
        cwd: directory,
        ...(input === undefined ? {} : { input }),
        ...(test.served === undefined ? {} : { env: { COREISO_SIGNING_KEYS: join(directory, KEYS_FILE), TZ: 'UTC' } }),
      });
      const now = snapshot(directory);
      const files = new Map([...now].filter(([name, file]) => !isSame(file, before.get(name))));
      const removed = [...before.keys()].filter((name) => !now.has(name));
      after(step, { ...unnamed(result, address), directory, before, files, removed }, index);
    }
  };
  if (test.served === undefined) return await run(SERVER);
  writeFileSync(join(directory, KEYS_FILE), KEYS, { mode: 0o644 });
  await withServer(test.served, run);
}

const KEYS_FILE = 'keys.asc';

function unnamed({ status, stdout, stderr }: CliResult, address: string): CliResult {
  if (address === SERVER) return { status, stdout, stderr };
  const steady = (text: string): string => text.replaceAll(address, SERVER);
  return { status, stdout: Buffer.from(steady(stdout.toString())), stderr: steady(stderr) };
}

async function stdinOf({ stdin }: Step, directory: string, fixtures?: string): Promise<Buffer | undefined> {
  if (stdin === undefined) return undefined;
  return stdin.file === undefined ? contents(stdin, fixtures) : readFileSync(join(directory, stdin.file));
}

function isSame(one: FoundFile, other: FoundFile | undefined): boolean {
  return one.kind === other?.kind && one.mode === other.mode && one.data.equals(other.data);
}

function snapshot(directory: string): Map<string, FoundFile> {
  const found = new Map<string, FoundFile>();
  for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort()) {
    const path = join(directory, name);
    const stats = lstatSync(path);
    const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'directory' : 'other';
    const mode = (stats.mode & 0o7777).toString(8).padStart(4, '0');
    found.set(name, { kind, mode, data: kind === 'file' ? readFileSync(path) : Buffer.alloc(0) });
  }
  return found;
}

/**
 * Removes variable parts of a text: the directory, names of temporary files, repeated progress lines, and messages of gpg
 * about its own files.
 */
export function steady(text: string, directory: string): string {
  return text
    .replaceAll(directory, '$CWD')
    .replace(/\.coreos-installer-temp-[A-Za-z0-9]+/g, '.coreos-installer-temp-RANDOM')
    .replace(/^Read .*\(\d\d?%\)\n/gm, '')
    .replace(/^(Read .*\n)\1+/gm, '$1')
    .replace(/^gpg: (?:checking the trustdb|marginals needed: .*|depth: .*|next trustdb check .*)\n/gm, '');
}
