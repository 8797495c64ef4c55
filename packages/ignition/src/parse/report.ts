import type { Diagnostic, Node, TextDocument } from '@coreiso/diagnostics';
import type { Config } from '../spec/generated/types.ts';
import type { Mark, MarkedText } from './marked-text.ts';

/** A finding with the place that ignition-validate prints for it. */
export interface ReportEntry extends Diagnostic {
  /** Absent for findings about no place, and about configs that are no text. */
  readonly mark?: Mark;
}

/** What validation returns: an outcome whose entries `formatReport` can print as ignition-validate does. */
export type Report =
  | { readonly ok: true; readonly value: Config; readonly diagnostics: readonly ReportEntry[] }
  | { readonly ok: false; readonly diagnostics: readonly ReportEntry[] };

/** Where a node is shown: at its first byte, but objects and lists just inside their bracket. */
export function placeOf(node: Node, document: TextDocument, input: MarkedText): Pick<ReportEntry, 'range' | 'mark'> {
  const inside = node.kind === 'scalar' ? 0 : 1;
  return { range: document.range(node), mark: input.mark(node.start + inside) };
}
