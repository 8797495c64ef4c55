import type { Diagnostic } from './diagnostic.ts';
import { diagnostic, type Finding } from './outcome.ts';
import type { Range } from './position.ts';

/** Every code of this package's own findings, behind `diagnostics/`, and what it means; the README has the same list. */
export const CODES = {
  'invalid-encoding': 'The bytes are not UTF-8, or not the UTF-16 that their byte order mark announces.',
  'yaml-syntax': 'The text is not YAML.',
  'json-syntax': 'The text is not JSON.',
  'undefined-alias': 'An alias comes before its anchor, or has no anchor.',
  'recursive-alias': 'An alias is inside the node that its anchor names.',
  'too-long': 'The text is too long.',
  'too-deep': 'Collections are nested too deeply.',
  'too-many-nodes': 'There are too many nodes.',
  'no-data': 'A value in memory cannot be written as text.',
  'merge-not-mapping': 'A merge key does not name a mapping.',
  'tag-mismatch': 'A text does not fit its tag.',
  'key-not-scalar': 'A key is a list or a mapping.',
  'unsupported-key': 'A key cannot be the name of a member.',
  'not-editable': 'An edit is not possible in the text as it is written.',
} as const;

/** A finding of this package itself. */
export interface OwnFinding extends Finding {
  readonly code: `diagnostics/${keyof typeof CODES}`;
}

/** `diagnostic` for findings of this package itself. */
export function ownDiagnostic(finding: OwnFinding, range?: Range): Diagnostic {
  return diagnostic(finding, range);
}
