import { IsoError } from '../errors.ts';

/** The work that one look-up or walk may take before the image counts as hostile. */
export interface IsoLimits {
  /** Maximum number of entries in a walk. */
  readonly entries: number;
  /** Maximum bytes of directories and continuation areas; each visit counts. */
  readonly bytes: number;
  /** Maximum depth of directories. */
  readonly depth: number;
}

/** Far above the needs of real images. */
export const DEFAULT_LIMITS: IsoLimits = { entries: 1 << 22, bytes: 1 << 28, depth: 512 };

/** The remaining limits of one operation. */
export class Budget {
  readonly #limits: IsoLimits;
  #entries = 0;
  #bytes = 0;

  constructor(limits: IsoLimits) {
    this.#limits = limits;
  }

  spendEntry(offset: number): void {
    if (++this.#entries > this.#limits.entries) {
      throw new IsoError('ISO_LIMIT', `more than ${this.#limits.entries} entries`, { offset });
    }
  }

  spendBytes(length: number, offset: number): void {
    this.#bytes += length;
    if (this.#bytes > this.#limits.bytes) {
      throw new IsoError('ISO_LIMIT', `directories take more than ${this.#limits.bytes} bytes`, { offset });
    }
  }

  checkDepth(depth: number, offset: number): void {
    if (depth > this.#limits.depth) {
      throw new IsoError('ISO_LIMIT', `directories are nested more than ${this.#limits.depth} deep`, { offset });
    }
  }
}
