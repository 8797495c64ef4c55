import { isCoreisoError } from '@coreiso/diagnostics';

type Seeds = Iterable<Uint8Array | string>;

/** One thing that is fuzzed: code that reads an input, and what has to hold for every input. */
export interface Target {
  /** `GROUP/NAME`, where the group is the file in `targets/`. */
  readonly name: string;
  /** Inputs to begin with, small ones first where there is a choice. */
  readonly seeds: () => Seeds | Promise<Seeds>;
  /** How inputs are changed besides their bytes: as lines and words, or as trees of YAML or JSON too. */
  readonly shape: 'bytes' | 'text' | 'tree';
  /** Words besides those that are in the code. */
  readonly words?: readonly string[];
  /** Bytes of an input at most. */
  readonly longest?: number;
  /** Functions entered and turns of loops that one input may cost, and more for each of its bytes. */
  readonly steps?: { readonly base: number; readonly perByte: number };
  /** Bytes that the code may allocate for one input, over all buffers; no peak can be higher. */
  readonly memory?: number;
  /** Programs that have to be on PATH; without them the target is left out. */
  readonly needs?: readonly string[];
  /** Reads an input; throws where a property does not hold. */
  readonly run: (input: Uint8Array) => unknown;
}

/** A property that does not hold. */
export class PropertyViolation extends Error {
  override readonly name = 'Broken';
}

/** Says that something has to hold; `what` is the property. */
export function assertHolds(condition: boolean, what: string | (() => string)): asserts condition {
  if (!condition) throw new PropertyViolation(typeof what === 'string' ? what : what());
}

/** Runs something that may refuse its input by one of the packages' own errors; undefined where it does. */
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

// The mark at the beginning is a part of the text.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export function textOf(input: Uint8Array): string {
  return decoder.decode(input);
}

/** Texts of an input that has several: NUL is between them. */
export function textsOf(input: Uint8Array): string[] {
  return textOf(input).split('\0');
}

/** The seeds of a target as bytes. */
export async function seedsOf(target: Target): Promise<Uint8Array[]> {
  const encoder = new TextEncoder();
  return [...(await target.seeds())].map((seed) => (typeof seed === 'string' ? encoder.encode(seed) : seed));
}

/** JSON that an input is; undefined where it is none. */
export function jsonOf(input: Uint8Array): unknown {
  try {
    return JSON.parse(textOf(input));
  } catch {
    return undefined;
  }
}

/** The arguments of a function are a program's: a TypeError or RangeError that names one is not a crash. */
export async function allowMisuse<T>(action: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await allowed(action);
  } catch (error) {
    const isMisuse = (error instanceof TypeError || error instanceof RangeError) && / must /.test(error.message);
    if (!isMisuse) throw error;
    return undefined;
  }
}
