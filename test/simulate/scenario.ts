import { createHash } from 'node:crypto';
import type { Random } from '../support/random.ts';
import type { Manners } from './disk.ts';
import { type Ending, InvariantViolation, type Machine } from './machine.ts';
import type { Product } from './sandbox.ts';

/** The input of a run. */
export interface Run {
  readonly seed: number;
  readonly trace?: ((line: string) => void) | undefined;
  /** Faults that are left out, by their number in the run. */
  readonly without?: ReadonlySet<number> | undefined;
}

/** The totals of a run whose invariants held. */
export interface Tally {
  readonly calls: number;
  readonly faults: number;
}

export interface Scenario {
  readonly name: string;
  run(run: Run): Promise<Tally>;
}

/** A run is at least this long. */
const FEWEST_CALLS = 50;

/** Whether a run may end. */
export function isEnough({ calls, faults }: Tally): boolean {
  return calls >= FEWEST_CALLS && faults > 0;
}

export function mannersOf(random: Random): Manners {
  return random.pick(['posix', 'posix', 'windows', 'macos']);
}

export function requireThat(holds: boolean, what: string): asserts holds {
  if (!holds) throw new InvariantViolation(what);
}

/** A name for contents: equal names, equal bytes. */
export function nameOf(bytes: Uint8Array): string {
  return `${createHash('sha1').update(bytes).digest('hex').slice(0, 12)}/${bytes.length}`;
}

export function codeOf(error: unknown): string {
  // The first failure counts, even if closing the file fails, too.
  if (error instanceof Error && 'suppressed' in error) return codeOf(error.suppressed);
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** A process may fail only with a coded error: all other errors are bugs. */
export function checkEndings(machine: Machine, endings: readonly (Ending | undefined)[], codes: RegExp): void {
  for (const ending of endings) {
    if (ending?.kind !== 'failed') continue;
    const { error } = ending;
    if (error instanceof InvariantViolation) throw error;
    machine.note(`error: ${error instanceof Error ? error.stack : error}`);
    requireThat(codes.test(codeOf(error)), `an error without a code of ours: ${error}`);
  }
}

export type { Product };
