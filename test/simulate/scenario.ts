import { createHash } from 'node:crypto';
import type { Random } from '../support/random.ts';
import type { Manners } from './disk.ts';
import { type Ending, InvariantViolation, type Machine } from './machine.ts';
import type { Product } from './sandbox.ts';

/** What a run is given. */
export interface Run {
  readonly seed: number;
  readonly trace?: ((line: string) => void) | undefined;
  /** Faults that do not happen, by their number in the story. */
  readonly without?: ReadonlySet<number> | undefined;
}

/** What a run came to, when all its invariants held. */
export interface Tally {
  readonly calls: number;
  readonly faults: number;
}

export interface Scenario {
  readonly name: string;
  run(run: Run): Promise<Tally>;
}

/** A run is not a shorter. */
const FEWEST_CALLS = 50;

/** Whether a story may end. */
export function isEnough({ calls, faults }: Tally): boolean {
  return calls >= FEWEST_CALLS && faults > 0;
}

export function mannersOf(random: Random): Manners {
  return random.pick(['posix', 'posix', 'windows', 'macos']);
}

export function requireThat(holds: boolean, what: string): asserts holds {
  if (!holds) throw new InvariantViolation(what);
}

/** The name of contents: equal names, equal bytes. */
export function nameOf(bytes: Uint8Array): string {
  return `${createHash('sha1').update(bytes).digest('hex').slice(0, 12)}/${bytes.length}`;
}

export function codeOf(error: unknown): string {
  // The first failure counts, whatever closing the file made of it.
  if (error instanceof Error && 'suppressed' in error) return codeOf(error.suppressed);
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** A process may fail with a coded error alone: everything else is a mistake in the program. */
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
