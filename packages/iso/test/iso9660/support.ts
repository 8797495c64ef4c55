import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../../../test/support/tools.ts';

/** The rejection of a promise that must reject. */
export async function describeError(promise: Promise<unknown>): Promise<Error> {
  const outcome = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(outcome instanceof Error)) throw new Error('expected a rejection with an Error');
  return outcome;
}

/** The messages of an error and its causes, outermost first. */
export function errorChain(error: unknown): string[] {
  return error instanceof Error ? [error.message, ...errorChain(error.cause)] : [];
}

/** A copy of `bytes` with some of them replaced. */
export function patched(bytes: Uint8Array, offset: number, change: string | readonly number[]): Uint8Array {
  const copy = bytes.slice();
  copy.set(typeof change === 'string' ? new TextEncoder().encode(change) : change, offset);
  return copy;
}

/** The paths of all entries in order. */
export async function paths(entries: AsyncIterable<{ readonly path: string }>): Promise<string[]> {
  const found: string[] = [];
  for await (const { path } of entries) found.push(path);
  return found;
}

/** The output of `coreos-installer dev show iso` for an image. */
export type ShownIso = { readonly records: readonly string[] } | { readonly errors: readonly string[] } | 'crash';

/** Runs the real tool; a crash or an endless loop is a `crash`. */
export function showIso(image: Uint8Array): ShownIso {
  const directory = mkdtempSync(join(tmpdir(), 'coreiso-iso9660-'));
  try {
    const path = join(directory, 'image.iso');
    writeFileSync(path, image);
    const { status, stdout, stderr } = run('timeout', ['5', 'coreos-installer', 'dev', 'show', 'iso', path], {
      env: { RUST_BACKTRACE: '0' },
    });
    if (status === 0) return { records: JSON.parse(stdout.toString()).records };
    if (status !== 1) return 'crash';
    const errors = stderr
      .replace(/^Error: /, '')
      .split('\n')
      .filter((line) => line !== '' && line !== 'Caused by:')
      .map((line) => line.replace(/^ +(\d+: )?/, ''));
    return { errors: errors.filter((line) => line !== 'while walking ISO filesystem') };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
