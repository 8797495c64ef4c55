import { IsoError } from '../errors.ts';

/** How much work one look-up or one walk may cost before the image counts as hostile. */
export interface IsoLimits {
  /** Entries that a walk may meet. */
  readonly entries: number;
  /** Bytes of directories and continuation areas, each visit counted. */
  readonly bytes: number;
  /** Directories inside one another. */
  readonly depth: number;
}

/** Far above what masters of real images produce. */
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
