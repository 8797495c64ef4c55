import { checkArgument } from '@coreiso/peers/arguments';
import { showControls, showLine } from '@coreiso/peers/controls';
import { hideUsers } from '@coreiso/peers/hidden';
import type { Diagnostic, Path } from './diagnostic.ts';
import { excerpt } from './excerpt.ts';
import type { Extent } from './node.ts';
import type { Range } from './position.ts';
import { secretExtents } from './secrets.ts';

const COLOURS: Readonly<Record<Diagnostic['severity'], string>> = { error: '31', warning: '33', info: '36' };

/**
 * One block per diagnostic, in the given order: `file:line:column: severity: message`, the source line with a caret, the help, the fixes.
 * Values of secret members are never shown, control characters are made visible, and further lines of a message are indented.
 *
 * @example console.error(formatDiagnostics(outcome.diagnostics, { text, file: 'nodes-config.yaml' }))
 */
export function formatDiagnostics(
  diagnostics: readonly Diagnostic[],
  options: {
    /** The text that the diagnostics are about; without it no source lines are shown. */
    readonly text?: string | undefined;
    /** The name of the text. */
    readonly file?: string | undefined;
    /** ANSI colours (default: off). */
    readonly colour?: boolean | undefined;
  } = {},
): string {
  checkArgument('diagnostics', diagnostics, 'array');
  for (const [index, one] of diagnostics.entries()) checkArgument(`diagnostics[${index}].path`, one?.path, 'array');
  checkArgument('options', options, 'object');
  const { text } = options;
  const isQuoted = text !== undefined && diagnostics.some(({ range }) => range !== undefined);
  const secrets = isQuoted ? secretExtents(text) : [];
  return diagnostics.map((diagnostic) => formatDiagnostic(diagnostic, options, secrets)).join('\n');
}

function formatDiagnostic(
  diagnostic: Diagnostic,
  { text, file, colour = false }: NonNullable<Parameters<typeof formatDiagnostics>[1]>,
  secrets: readonly Extent[],
): string {
  const { severity, message, range, path, help, fixes = [] } = diagnostic;
  const paint = (codes: string, plain: string): string => (colour ? `\u001b[${codes}m${plain}\u001b[0m` : plain);
  const label = paint(`1;${COLOURS[severity]}`, `${severity}:`);
  const place = paint('1', placeOf(file, range));
  const where = range === undefined && path.length > 0 ? ` (at ${showLine(formatPath(path))})` : '';
  const lines = [`${place}${place === '' ? '' : ' '}${label} ${indented(message)}${where}`];
  if (text !== undefined && range !== undefined) {
    const { source, caret } = excerpt(text, range, secrets);
    const number = String(range.start.line);
    lines.push(`  ${number} | ${source}`.trimEnd());
    lines.push(`  ${' '.repeat(number.length)} | ${paint(`1;${COLOURS[severity]}`, caret)}`);
  }
  if (help !== undefined) lines.push(`  ${paint('1', 'help:')} ${indented(help)}`);
  for (const { title } of fixes) lines.push(`  ${paint('1', 'fix:')} ${indented(title)}`);
  return lines.join('\n');
}

/** Messages quote values from elsewhere: none of their lines may look like a line of coreiso. */
function indented(text: string): string {
  return hideUsers(showControls(text)).replace(/\n(?=.)/g, '\n    ');
}

function placeOf(file: string | undefined, range: Range | undefined): string {
  const parts: (string | number)[] = file === undefined ? [] : [showLine(file)];
  if (range !== undefined) parts.push(range.start.line, range.start.column);
  return parts.length === 0 ? '' : `${parts.join(':')}:`;
}

/**
 * `hosts[0].interfaces[1].name`, the way Kubernetes writes it.
 *
 * @example formatPath(['hosts', 0, 'hostname']) // 'hosts[0].hostname'
 */
export function formatPath(path: Path): string {
  checkArgument('path', path, 'array');
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else text += text === '' ? step : `.${step}`;
  }
  return text;
}
