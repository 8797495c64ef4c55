// Converts our answers to the types of the language server protocol.
import type { Diagnostic, TextEdit } from '@coreiso/diagnostics';
import { type Completion, type EditorLines, messageOf, type OutlineItem, type QuickFix } from '@coreiso/language';
import type * as lsp from 'vscode-languageserver/node';

const SEVERITIES = { error: 1, warning: 2, info: 3 } as const;
const SYMBOLS = { object: 19, list: 18, value: 15 } as const;
const COMPLETIONS = { key: 10, value: 12 } as const;

export function rangeOf(
  lines: EditorLines,
  { start, end }: { readonly start: number; readonly end: number },
): lsp.Range {
  return { start: lines.positionAt(start), end: lines.positionAt(end) };
}

export function diagnosticOf(lines: EditorLines, finding: Diagnostic): lsp.Diagnostic {
  const { range, severity, code } = finding;
  const place = { start: range?.start.offset ?? 0, end: range?.end.offset ?? 0 };
  const shown = rangeOf(lines, place);
  // Underline only the first line of a long range: a whole underlined host tells nothing.
  const lastOfLine = lines.offsetAt({ line: shown.start.line, character: Number.MAX_SAFE_INTEGER });
  const end = lines.positionAt(Math.min(place.end, lastOfLine));
  return {
    range: { start: shown.start, end },
    severity: SEVERITIES[severity],
    code,
    source: 'coreiso',
    message: messageOf(finding),
  };
}

export function editOf(lines: EditorLines, { start, end, text }: TextEdit): lsp.TextEdit {
  return { range: rangeOf(lines, { start, end }), newText: text };
}

export function actionOf(uri: string, lines: EditorLines, { finding, fix }: QuickFix): lsp.CodeAction {
  return {
    title: fix.title,
    kind: 'quickfix',
    diagnostics: [diagnosticOf(lines, finding)],
    isPreferred: fix.safe,
    edit: { changes: { [uri]: fix.edits.map((edit) => editOf(lines, edit)) } },
  };
}

export function completionOf(lines: EditorLines, { label, kind, markdown, edit }: Completion): lsp.CompletionItem {
  return {
    label,
    kind: COMPLETIONS[kind],
    filterText: edit.text,
    textEdit: editOf(lines, edit),
    ...(markdown === undefined ? {} : { documentation: { kind: 'markdown', value: markdown } }),
  };
}

export function symbolOf(lines: EditorLines, item: OutlineItem): lsp.DocumentSymbol {
  const { name, detail, kind, label, children } = item;
  return {
    name: name === '' ? '(no name)' : name,
    ...(detail === undefined ? {} : { detail }),
    kind: SYMBOLS[kind],
    range: rangeOf(lines, item),
    selectionRange: rangeOf(lines, label),
    children: children.map((child) => symbolOf(lines, child)),
  };
}
