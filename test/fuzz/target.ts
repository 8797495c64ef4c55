import { isCoreisoError } from '@coreiso/diagnostics';

type Seeds = Iterable<Uint8Array | string>;

/** A fuzz target: code that reads an input, and the properties that must hold for every input. */
export interface Target {
  /** `GROUP/NAME`, where the group is the file in `targets/`. */
  readonly name: string;
  /** Seed inputs, small ones first if there is a choice. */
  readonly seeds: () => Seeds | Promise<Seeds>;
  /** How inputs are mutated besides their bytes: as lines and words, or also as trees of YAML or JSON. */
  readonly shape: 'bytes' | 'text' | 'tree';
  /** Words besides those in the code. */
  readonly words?: readonly string[];
  /** The most bytes of an input. */
  readonly longest?: number;
  /** The most calls and loop turns for one input, and the additional ones for each of its bytes. */
  readonly steps?: { readonly base: number; readonly perByte: number };
  /** The most bytes that the code may allocate for one input, over all buffers; the peak cannot be higher. */
  readonly memory?: number;
  /** Programs that must be on PATH; without them the target is skipped. */
  readonly needs?: readonly string[];
  /** Reads an input; throws if a property does not hold. */
  readonly run: (input: Uint8Array) => unknown;
}

/** A property that does not hold. */
export class PropertyViolation extends Error {
  override readonly name = 'Broken';
}

/** Checks a property; `what` names it. */
export function assertHolds(condition: boolean, what: string | (() => string)): asserts condition {
  if (!condition) throw new PropertyViolation(typeof what === 'string' ? what : what());
}

/** Runs code that may refuse its input with an error of our packages; undefined if it does. */
export function allowed<T>(action: () => T): T | undefined {
  try {
    const result = action();
    return result instanceof Promise ? (result.catch(refused) as T) : result;
  } catch (error) {
    return refused(error);
  }
}

function refused(error: unknown): undefined {
  if (!isCoreisoError(error)) throw error;
  return undefined;
}

// The byte order mark is part of the text.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export function textOf(input: Uint8Array): string {
  return decoder.decode(input);
}

/** The texts of an input, separated by NUL. */
export function textsOf(input: Uint8Array): string[] {
  return textOf(input).split('\0');
}

/** The seeds of a target as bytes. */
export async function seedsOf(target: Target): Promise<Uint8Array[]> {
  const encoder = new TextEncoder();
  return [...(await target.seeds())].map((seed) => (typeof seed === 'string' ? encoder.encode(seed) : seed));
}

/** The JSON value of an input; undefined if it is not JSON. */
export function jsonOf(input: Uint8Array): unknown {
  try {
    return JSON.parse(textOf(input));
  } catch {
    return undefined;
  }
}

/** Arguments come from a program: a TypeError or RangeError that names one is not a crash. */
export async function allowMisuse<T>(action: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await allowed(action);
  } catch (error) {
    const isMisuse = (error instanceof TypeError || error instanceof RangeError) && / must /.test(error.message);
    if (!isMisuse) throw error;
    return undefined;
  }
}
