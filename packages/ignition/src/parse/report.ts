import type { Diagnostic, Node, TextDocument } from '@coreiso/diagnostics';
import type { MarkedText } from './marked-text.ts';

/** A finding with the line and column that ignition-validate prints. */
export interface ReportEntry extends Diagnostic {
  /** Lines end at LF only and columns count bytes, both from 1. Absent if the finding has no place, or the config is not text. */
  readonly mark?: { readonly line: number; readonly column: number };
}

/** Where a node is shown: at its first byte, but objects and lists just inside their bracket. */
export function placeOf(node: Node, document: TextDocument, input: MarkedText): Pick<ReportEntry, 'range' | 'mark'> {
  const inside = node.kind === 'scalar' ? 0 : 1;
  return { range: document.range(node), mark: input.mark(node.start + inside) };
}
