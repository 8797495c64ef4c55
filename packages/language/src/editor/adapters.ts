// Findings in the formats of two editors. Neither editor is a dependency: the results are plain data.
import type { Diagnostic, Fix } from '@coreiso/diagnostics';
import { checkArgument } from '@coreiso/peers/arguments';
import { editorLines } from './lines.ts';

const MONACO = { error: 8, warning: 4, info: 2 } as const;
const SOURCE = 'coreiso';

/**
 * Findings as markers of Monaco (`IMarkerData`; 2, 4 and 8 are its severities).
 *
 * @example monaco.editor.setModelMarkers(model, 'coreiso', toMonacoMarkers(text, findings))
 */
export function toMonacoMarkers(
  text: string,
  findings: readonly Diagnostic[],
): {
  readonly severity: 2 | 4 | 8;
  readonly message: string;
  readonly code: string;
  readonly source: string;
  readonly startLineNumber: number;
  readonly startColumn: number;
  readonly endLineNumber: number;
  readonly endColumn: number;
}[] {
  checkArgument('text', text, 'text');
  checkArgument('findings', findings, 'array');
  const { positionAt } = editorLines(text);
  return findings.map((finding) => {
    const { from, to } = extentOf(text, finding);
    const [start, end] = [positionAt(from), positionAt(to)];
    return {
      severity: MONACO[finding.severity],
      message: messageOf(finding),
      code: finding.code,
      source: SOURCE,
      startLineNumber: start.line + 1,
      startColumn: start.character + 1,
      endLineNumber: end.line + 1,
      endColumn: end.character + 1,
    };
  });
}

/**
 * Findings as diagnostics of `@codemirror/lint`, with their fixes as actions.
 *
 * @example linter(async (view) => toCodeMirrorDiagnostics(view.state.doc.toString(), await service.findings(uri)))
 */
export function toCodeMirrorDiagnostics(
  text: string,
  findings: readonly Diagnostic[],
): {
  readonly from: number;
  readonly to: number;
  readonly severity: 'error' | 'warning' | 'info';
  readonly message: string;
  readonly source: string;
  readonly actions: {
    readonly name: string;
    /** Receives an `EditorView`. */
    readonly apply: (view: {
      dispatch(transaction: { changes: { from: number; to: number; insert: string }[] }): void;
    }) => void;
  }[];
}[] {
  checkArgument('text', text, 'text');
  checkArgument('findings', findings, 'array');
  // CodeMirror counts every line end as one character.
  const place = (offset: number): number => offset - (text.slice(0, offset).match(/\r\n/g)?.length ?? 0);
  const hasLongEnds = text.includes('\r\n');
  const at = (offset: number): number => (hasLongEnds ? place(offset) : offset);
  const action = ({ title, edits }: Fix): ReturnType<typeof toCodeMirrorDiagnostics>[number]['actions'][number] => ({
    name: title,
    apply: (view) =>
      view.dispatch({
        changes: edits.map(({ start, end, text: insert }) => ({ from: at(start), to: at(end), insert })),
      }),
  });
  return findings.map((finding) => {
    const { from, to } = extentOf(text, finding);
    const { severity, fixes = [] } = finding;
    const message = messageOf(finding);
    return { from: at(from), to: at(to), severity, message, source: SOURCE, actions: fixes.map(action) };
  });
}

/** A finding without a place is shown on the first line; an empty range gets one character, to be visible. */
function extentOf(text: string, { range }: Diagnostic): { from: number; to: number } {
  const from = Math.min(range?.start.offset ?? 0, text.length);
  const end = Math.min(range?.end.offset ?? 0, text.length);
  const lineEnd = from + text.slice(from, from + 1000).search(/[\r\n]|$/);
  // Of several lines only the first.
  const to = Math.min(end, lineEnd);
  return { from, to: Math.max(to, Math.min(from + 1, lineEnd)) };
}

/**
 * The message of a finding with its help, for places that show a single text.
 *
 * @example messageOf(finding) // "unknown key `stat`\nhelp: Did you mean `state`?"
 */
export function messageOf({ message, help }: Diagnostic): string {
  return help === undefined ? message : `${message}\nhelp: ${help}`;
}
