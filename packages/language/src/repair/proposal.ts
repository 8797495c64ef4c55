import type { Path, TextEdit } from '@coreiso/diagnostics';

/** A way to repair a text, before it is known whether it does. */
export interface Proposal {
  readonly title: string;
  readonly edits: readonly TextEdit[];
  /** Whether it is the only reading that makes sense where it repairs anything. */
  readonly certain: boolean;
  /** Whether it is a guess about lines, which counts only where nothing else is wrong after it. */
  readonly isRough?: boolean;
  /** What is read for the first time after it: mistakes in there are no argument against it. */
  readonly reveals?: Path;
}
