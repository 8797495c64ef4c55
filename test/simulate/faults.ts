import type { Random } from '../support/random.ts';

/** A fault that may happen at a call. */
export type Fault =
  | { readonly kind: 'kill' | 'power cut'; readonly when: 'before' | 'halfway' | 'after' }
  /** The call fails; with `after`, it has done its work and still fails. */
  | { readonly kind: 'error'; readonly code: string; readonly when: 'before' | 'halfway' | 'after' }
  /** Fewer bytes than requested. */
  | { readonly kind: 'short' }
  /** The disk refuses writes for a while. */
  | { readonly kind: 'read-only'; readonly calls: number }
  /** The clock is set. */
  | { readonly kind: 'clock'; readonly milliseconds: number }
  /** The directory of the scenario is removed. */
  | { readonly kind: 'vanish' };

export type FaultKind = Fault['kind'];

/** Possible failures of a call, by its name. */
const CODES: Readonly<Record<string, readonly string[]>> = {
  write: ['EIO', 'ENOSPC', 'EDQUOT', 'EINTR'],
  create: ['EIO', 'ENOSPC', 'EDQUOT', 'EACCES', 'EMFILE', 'EINTR'],
  open: ['EIO', 'EMFILE', 'EINTR'],
  mkdir: ['EIO', 'ENOSPC', 'EDQUOT', 'EACCES'],
  link: ['EIO', 'ENOSPC', 'EPERM', 'EMLINK'],
  rename: ['EIO', 'ENOSPC', 'EACCES'],
  clone: ['EIO', 'ENOSPC', 'EXDEV'],
  truncate: ['EIO', 'EINTR'],
  sync: ['EIO', 'ENOSPC', 'EDQUOT'],
};
const ANY = ['EIO'];
/** A file that was not opened has no descriptor, and a descriptor is gone even if closing it fails. */
const WHEN: Readonly<Record<string, 'before' | 'after'>> = { open: 'before', create: 'before', close: 'after' };

/** Decides when a call fails. */
export class FaultPlan {
  readonly #random: Random;
  readonly #kinds: readonly FaultKind[];
  readonly #rate: number;
  /** A run without a fault proves little: one comes at this call at the latest. */
  readonly #first: number;
  #calls = 0;
  happened = 0;

  constructor(random: Random, kinds: readonly FaultKind[]) {
    this.#random = random;
    this.#kinds = kinds;
    this.#rate = random.pick([1 / 15, 1 / 40, 1 / 100, 1 / 300]);
    this.#first = random.between(1, 60);
  }

  at(call: string): Fault | undefined {
    this.#calls++;
    if (this.#kinds.length === 0) return undefined;
    const isDue = this.happened === 0 && this.#calls >= this.#first;
    if (!isDue && !this.#random.chance(this.#rate)) return undefined;
    const fault = this.#draw(call);
    if (fault !== undefined) this.happened++;
    return fault;
  }

  #draw(call: string): Fault | undefined {
    const random = this.#random;
    const kind = random.pick(this.#kinds);
    switch (kind) {
      case 'kill':
      case 'power cut':
        return { kind, when: random.pick(['before', 'halfway', 'after']) };
      case 'error': {
        const code = random.pick(CODES[call] ?? ANY);
        const when = WHEN[call] ?? random.pick(['before', 'before', 'halfway', 'after'] as const);
        return { kind, code, when };
      }
      case 'short':
        return call === 'read' || call === 'write' ? { kind } : undefined;
      case 'read-only':
        return { kind, calls: random.between(1, 20) };
      case 'clock':
        return { kind, milliseconds: random.pick([-3_600_000, -1000, 1, 5000, 86_400_000]) };
      case 'vanish':
        return { kind };
    }
  }
}
