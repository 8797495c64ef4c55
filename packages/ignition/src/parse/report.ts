import type { Diagnostic, Node, TextDocument } from '@coreiso/diagnostics';
import type { MarkedText } from './marked-text.ts';

/** A finding with the line and column that ignition-validate prints. */
export interface ReportEntry extends Diagnostic {
  /** Lines end only at LF, columns count bytes, and both start at 1. Absent if the finding has no place or the config is not text. */
  readonly mark?: { readonly line: number; readonly column: number };
}

/** The place of a node in reports: its first byte, or the byte after the bracket of an object or list. */
export function placeOf(node: Node, document: TextDocument, input: MarkedText): Pick<ReportEntry, 'range' | 'mark'> {
  const inside = node.kind === 'scalar' ? 0 : 1;
  return { range: document.range(node), mark: input.mark(node.start + inside) };
}
