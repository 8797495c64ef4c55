import { type Diagnostic, type Fix, formatDiagnostics, type Path } from '@coreiso/diagnostics';
import { isSecretPath } from '@coreiso/peers/secret-names';
import type { Terminal } from './terminal.ts';

/** Shows findings about a text to people, with source line and caret, and counts them. */
export function showFindings(terminal: Terminal, diagnostics: readonly Diagnostic[], text: string, file: string): void {
  if (diagnostics.length === 0) return;
  terminal.sayColoured(formatDiagnostics(diagnostics, { text, file, colour: terminal.colour('stderr') }));
  const count = (severity: Diagnostic['severity']): number =>
    diagnostics.filter((one) => one.severity === severity).length;
  terminal.say(`${plural(count('error'), 'error')}, ${plural(count('warning'), 'warning')}`);
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

/** A diagnostic as plain data for `--json`. */
export function findingData({ severity, code, message, path, range, help, ...rest }: Diagnostic): object {
  const { start, end } = range ?? {};
  const place = { line: start?.line, column: start?.column, endLine: end?.line, endColumn: end?.column };
  const fixes = rest.fixes?.map((fix) => fixData(fix, path));
  return { severity, code, message, path, ...place, help, arguments: rest.arguments, fixes };
}

/** What would be written into a secret member is a secret. */
function fixData({ title, safe, edits }: Fix, path: Path): object {
  return isSecretPath(path) ? { title, safe } : { title, safe, edits };
}
