import type { Diagnostic, TextEdit } from '@coreiso/diagnostics';

/** The fixes to apply: only unambiguous ones, or the first of each finding. */
export type FixChoice = 'safe' | 'all';

/**
 * The edits of the findings' fixes: one fix of each finding, without overlapping or repeated edits.
 *
 * @example applyEdits(text, editsOfFixes(findings, 'safe'))
 */
export function editsOfFixes(findings: readonly Diagnostic[], choice: FixChoice): readonly TextEdit[] {
  const taken: TextEdit[] = [];
  for (const { fixes = [] } of findings) {
    const fix = choice === 'all' ? (fixes.find(({ safe }) => safe) ?? fixes[0]) : fixes.find(({ safe }) => safe);
    if (fix === undefined) continue;
    const isKnown = fix.edits.every((edit) => taken.some((one) => isEqual(one, edit)));
    if (!isKnown && fix.edits.every((edit) => !taken.some((one) => overlaps(one, edit)))) taken.push(...fix.edits);
  }
  return taken;
}

function isEqual(a: TextEdit, b: TextEdit): boolean {
  return a.start === b.start && a.end === b.end && a.text === b.text;
}

/** Touching counts as overlapping: two insertions at one place would insert the same text twice. */
function overlaps(a: TextEdit, b: TextEdit): boolean {
  return a.start <= b.end && b.start <= a.end;
}
