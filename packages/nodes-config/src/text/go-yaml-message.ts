import type { Diagnostic, YamlDiagnostic } from '@coreiso/diagnostics';

/**
 * The message of a finding of `parseYaml` or `readAsGo` as programs with go-yaml print it: `yaml: line 3: mapping
 * values are not allowed in this context`.
 */
export function goYamlMessage(diagnostic: Diagnostic): string {
  if (!isYamlDiagnostic(diagnostic)) return `yaml: ${diagnostic.message}`;
  const { stage, problem, mark, contextMark } = diagnostic.libyaml;
  if (stage === 'reader') return `yaml: ${problem}`;
  // go-yaml counts lines from 0 here, adds 1 to lines of its scanner, and does not print line 0.
  const line = mark.line === 0 ? contextMark.line : mark.line + (stage === 'scanner' ? 1 : 0);
  return line === 0 ? `yaml: ${problem}` : `yaml: line ${line}: ${problem}`;
}

function isYamlDiagnostic(diagnostic: Diagnostic): diagnostic is YamlDiagnostic {
  return 'libyaml' in diagnostic;
}
