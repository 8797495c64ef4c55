import type { Extent, MappingEntry, Path } from '@coreiso/diagnostics';

/**
 * nmstate turns everything under `interfaces` into JSON before it looks at it (`json`): text must be quoted where it looks
 * like a number, and the last of two equal keys wins. Elsewhere (`yaml`) text is what was written, and equal keys are refused.
 */
export type Regime = 'json' | 'yaml';

/** Something that does not fit its table. */
export interface Misfit {
  readonly place: Extent;
  readonly path: Path;
  readonly code: string;
  readonly message: string;
  readonly cure: string | undefined;
  /** What nmstate's parser says about it, without path and position. */
  readonly upstream: string;
}

/** Something that nmstate takes without a word and without effect. */
export interface Note {
  readonly severity: 'error' | 'warning';
  readonly place: Extent;
  readonly path: Path;
  readonly code: string;
  readonly message: string;
  readonly cure: string | undefined;
}

/** Where a key was written by another spelling: its map, its canonical name, the entry. */
export type Spellings = Map<Extent, Map<string, MappingEntry>>;
