// All findings about a text, one line each: severity, origin of the rule, path of the value, and place.
import { type Diagnostic, formatPath, type Outcome } from '@coreiso/diagnostics';
import { isUpstream } from '@coreiso/nodes-config';

const LONGEST_EXCERPT = 40;

/** Outcomes of both modes for the same text have the same findings, some with another severity. */
export function findingLines(strict: Outcome<unknown>, compatible: Outcome<unknown>, text: string): string[] {
  const lines = strict.diagnostics.map((one) => [severities(one, compatible), describe(one), excerpt(one, text)]);
  return lines.map((parts) => parts.filter((part) => part !== '').join(' '));
}

function severities(one: Diagnostic, { diagnostics }: Outcome<unknown>): string {
  const twin = diagnostics.find((other) => describe(other) === describe(one) && other.message === one.message);
  return twin?.severity === one.severity ? one.severity : `${one.severity}|${twin?.severity ?? 'missing'}`;
}

function describe(one: Diagnostic): string {
  const owner = isUpstream(one) ? 'upstream' : 'own';
  return `${owner} ${one.code} ${one.path.length === 0 ? '-' : formatPath(one.path)}`;
}

function excerpt({ range }: Diagnostic, text: string): string {
  if (range === undefined) return '';
  const { start, end } = range;
  const [line = ''] = text.slice(start.offset, end.offset).split('\n');
  return `${start.line}:${start.column} ${line.slice(0, LONGEST_EXCERPT)}`.trimEnd();
}
