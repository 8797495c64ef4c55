import type { Path, TextEdit } from '@coreiso/diagnostics';

/** A possible repair of a text, not tried yet. */
export interface Proposal {
  readonly title: string;
  readonly edits: readonly TextEdit[];
  /** Whether it is the only sensible reading, if it repairs anything. */
  readonly certain: boolean;
  /** Whether it is a guess about lines, which counts only if no mistakes remain after it. */
  readonly isRough?: boolean;
  /** The path of a part that becomes readable with the repair: mistakes in it do not count against the repair. */
  readonly reveals?: Path;
}
