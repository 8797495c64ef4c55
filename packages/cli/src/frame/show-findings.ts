import {
  applyEdits,
  type Diagnostic,
  type Fix,
  formatDiagnostics,
  type Path,
  withoutSecrets,
} from '@coreiso/diagnostics';
import { isSecretPath } from '@coreiso/peers/secret-names';
import { inputName } from './input.ts';
import type { Terminal } from './terminal.ts';

/** More than anyone reads: a file of the wrong kind has a finding in each line. */
const MOST_SHOWN = 50;

/** Shows people the findings about a text, with source line and caret, and counts them. */
export function showFindings(terminal: Terminal, diagnostics: readonly Diagnostic[], text: string, file: string): void {
  if (diagnostics.length === 0) return;
  const told = groupRepeated(diagnostics);
  const name = inputName(file);
  const colour = terminal.colour('stderr');
  terminal.sayColoured(formatDiagnostics(told.slice(0, MOST_SHOWN), { text, file: name, colour }));
  if (told.length > MOST_SHOWN) terminal.say(`${told.length - MOST_SHOWN} more in ${name}; see all with --json`);
  const count = (severity: Diagnostic['severity']): number =>
    diagnostics.filter((one) => one.severity === severity).length;
  terminal.say(`${plural(count('error'), 'error')}, ${plural(count('warning'), 'warning')}`);
}

/** The most line numbers that a repeated finding lists. */
const MOST_LINES = 8;

/**
 * Merges findings that repeat for every host into one, with a count and the other lines. They have the same rule, the same
 * kind of place and the same words, except for numbers such as addresses.
 */
export function groupRepeated<One extends Diagnostic>(
  diagnostics: readonly One[],
  alike: (one: One) => unknown = () => undefined,
): One[] {
  const groups = new Map<string, [One, ...One[]]>();
  for (const [index, one] of diagnostics.entries()) {
    const key = JSON.stringify([groupingKey(one) ?? index, alike(one)]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return [...groups.values()].map(([first, ...others]) => {
    if (others.length === 0) return first;
    const lines = [...new Set(others.flatMap(({ range }) => range?.start.line ?? []))];
    const help = [first.help, alsoIn(lines)].filter((part) => part !== undefined).join('\n');
    const message = `${first.message} (${others.length + 1} times)`;
    return { ...first, message, ...(help === '' ? {} : { help }) };
  });
}

function alsoIn(lines: readonly number[]): string | undefined {
  if (lines.length === 0) return undefined;
  const more = lines.length > MOST_LINES ? ` and ${lines.length - MOST_LINES} more` : '';
  return `Also in ${lines.length === 1 ? 'line' : 'lines'} ${lines.slice(0, MOST_LINES).join(', ')}${more}.`;
}

/** Findings outside of lists are never merged. */
function groupingKey({ severity, code, path, message, help = '' }: Diagnostic): unknown {
  if (!path.some((step) => typeof step === 'number')) return undefined;
  const words = (text: string): string => text.replace(/\b[0-9a-f]{2}(?:[:-][0-9a-f]{2})+\b|\d+/gi, '#');
  const place = path.map((step) => (typeof step === 'number' ? '#' : step));
  return [severity, code, place, words(message), words(help)];
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

/** Returns a finding about this text as plain data for `--json`, with only the fixes that write no secret. */
export function mendedData<One extends Diagnostic>(finding: One, text: string, data: (finding: One) => object): object {
  const fixes = finding.fixes?.map((fix) => (showsSecret(fix, text) ? withoutEdits(fix) : fixData(fix, finding.path)));
  return { ...data(finding), ...(fixes && { fixes }) };
}

/** Whether an edit writes text that redaction of the result would hide. */
function showsSecret({ edits }: Fix, text: string): boolean {
  const shown = String(withoutSecrets(applyEdits(text, edits)));
  return edits.some((edit) => edit.text.split('\n').some((line) => !shown.includes(line.trim())));
}

function withoutEdits({ title, safe }: Fix): object {
  return { title, safe };
}

/** Returns a diagnostic as plain data for `--json`. */
export function findingData({ severity, code, message, path, range, help, ...rest }: Diagnostic): object {
  const { start, end } = range ?? {};
  const place = { line: start?.line, column: start?.column, endLine: end?.line, endColumn: end?.column };
  const fixes = rest.fixes?.map((fix) => fixData(fix, path));
  return { severity, code, message, path, ...place, help, arguments: rest.arguments, fixes };
}

/** Returns a fix without its edits if it is for a secret member. */
function fixData(fix: Fix, path: Path): object {
  return isSecretPath(path) ? withoutEdits(fix) : { title: fix.title, safe: fix.safe, edits: fix.edits };
}
