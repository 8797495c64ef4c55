// All findings about a text of one kind: those of its reader, and those about texts that the reader accepts silently.
import { type Diagnostic, nodeAt, type TextDocument } from '@coreiso/diagnostics';
import { withArguments } from './arguments.ts';
import { judge, read, type Source } from './judge.ts';
import { duplicateKeyFindings, lint } from './lint.ts';

export function judged(source: Source): readonly Diagnostic[] {
  const findings = judge(source);
  const [document] = read(source.kind, source.text).documents;
  if (document === undefined) return findings;
  const lines = new Set(findings.map(({ range }) => range?.start.line));
  const more = [...lint(source.kind, document), ...duplicateKeyFindings(document, findings)].filter(
    ({ range }) => !lines.has(range?.start.line),
  );
  return [...findings.map((finding) => placed(finding, document)), ...more].map((one) => withArguments(one, document));
}

/** A finding about a missing member is at the place where the member belongs. */
function placed(finding: Diagnostic, document: TextDocument): Diagnostic {
  if (finding.range !== undefined || document.root === undefined || !finding.code.startsWith('ignition/version'))
    return finding;
  const path = ['ignition', 'version'];
  const node = nodeAt(document.root, path);
  const strange = node.kind === 'mapping' ? node.entries[0]?.key : undefined;
  return { ...finding, path, range: document.range(strange ?? node) };
}
