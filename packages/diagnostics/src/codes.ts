import type { Diagnostic } from './diagnostic.ts';
import { diagnostic, type Finding } from './outcome.ts';
import type { Range } from './position.ts';

/** Every code of this package's own findings, behind `diagnostics/`, and what it means; the README has the same list. */
export const CODES = {
  'invalid-encoding': 'The bytes are not UTF-8, or not the UTF-16 their mark announces.',
  'yaml-syntax': 'The text is not YAML.',
  'json-syntax': 'The text is not JSON.',
  'undefined-alias': 'An alias stands before its anchor, or has none.',
  'recursive-alias': 'An alias stands inside the node that its anchor names.',
  'too-long': 'The text is longer than it may be.',
  'too-deep': 'Collections are nested deeper than they may be.',
  'too-many-nodes': 'There are more nodes than there may be.',
  'no-data': 'A value in memory is nothing that a text can say.',
  'merge-not-mapping': 'A merge key names something that is no mapping.',
  'tag-mismatch': 'A text does not fit its tag.',
  'key-not-scalar': 'A key is a list or a mapping.',
  'unsupported-key': 'A key cannot be the name of a member.',
  'not-editable': 'A change cannot be made in the text as it is written.',
} as const;

/** A finding of this package itself. */
export interface OwnFinding extends Finding {
  readonly code: `diagnostics/${keyof typeof CODES}`;
}

/** `diagnostic` for findings of this package itself. */
export function ownDiagnostic(finding: OwnFinding, range?: Range): Diagnostic {
  return diagnostic(finding, range);
}
