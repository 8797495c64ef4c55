import type { Extent } from '@coreiso/diagnostics';
import type { Rule } from '../codes.ts';
import { below, type Place } from '../parse/place.ts';

/** One breach of a rule, before its place is looked up. */
export interface Breach {
  readonly rule: Rule;
  readonly place: Place;
  readonly detail: string | undefined;
  /** The reported extent, if it is not that of `place`. */
  readonly extent: Extent | undefined;
}

/** Some rules report every pair of items, so a hostile config could cause billions of breaches. */
const MAX_BREACHES = 250_000;

/** Collects breaches in the order in which they will be printed. */
export class Findings {
  readonly breaches: Breach[] = [];
  /** The minor number of the spec version whose rules apply. */
  readonly minor: number;

  constructor(minor: number) {
    this.minor = minor;
  }

  get full(): boolean {
    return this.breaches.length > MAX_BREACHES;
  }

  add(rule: Rule, at: Place, ...steps: readonly (string | number)[]): void {
    this.addWith(undefined, rule, at, ...steps);
  }

  addWith(detail: string | undefined, rule: Rule, at: Place, ...steps: readonly (string | number)[]): void {
    this.#push({ rule, place: below(at, ...steps), detail, extent: undefined });
  }

  addAt(extent: Extent, detail: string, rule: Rule, place: Place): void {
    this.#push({ rule, place, detail, extent });
  }

  #push(breach: Breach): void {
    if (this.full) return;
    const last = this.breaches.length === MAX_BREACHES;
    this.breaches.push(last ? { ...breach, rule: 'too-many-findings', detail: undefined } : breach);
  }
}

/** A check of one kind of object. It runs before the checks of the objects inside. */
export type Check<T> = (value: T, at: Place, findings: Findings) => void;
