import { checkArgument } from '@coreiso/peers/arguments';
import type { Diagnostic } from '../diagnostic.ts';
import type { TextIndex } from '../text-index.ts';
import type { YamlProblem } from './problem.ts';

/** Lines and columns as libyaml counts them, from 0. */
export interface LibyamlMark {
  readonly line: number;
  readonly column: number;
}

/** A syntax error in the parts from which each program makes its own sentence. */
export interface LibyamlReport {
  readonly stage: 'reader' | 'scanner' | 'parser';
  readonly problem: string;
  readonly mark: LibyamlMark;
  /** In UTF-8; named where a character as such is refused. */
  readonly byteOffset: number;
  readonly context: string | undefined;
  readonly contextMark: LibyamlMark;
}

/** What `parseYaml` reports of a syntax error. */
export interface YamlDiagnostic extends Diagnostic {
  readonly libyaml: LibyamlReport;
}

const NOWHERE: LibyamlMark = { line: 0, column: 0 };

export function libyamlReport(index: TextIndex, problem: YamlProblem): LibyamlReport {
  const { stage, context, contextOffset } = problem;
  return {
    stage,
    problem: problem.problem,
    mark: markAt(index, problem.offset, problem.isAtEnd),
    byteOffset: index.byteOffset(problem.offset),
    context,
    contextMark: contextOffset === undefined ? NOWHERE : markAt(index, contextOffset, problem.isAtEnd),
  };
}

function markAt(index: TextIndex, offset: number, isAtEnd: boolean): LibyamlMark {
  const { line, column } = index.position(offset);
  const isOwnLine = isAtEnd && offset >= index.text.length && column > 1;
  return isOwnLine ? { line, column: 0 } : { line: line - 1, column: column - 1 };
}

/**
 * A finding of `parseYaml` or `readAsGo` as programs that read with go-yaml print it: `yaml: line 3: mapping values are not allowed in this context`.
 *
 * @example goYamlMessage(finding) // 'yaml: line 3: mapping values are not allowed in this context'
 */
export function goYamlMessage(diagnostic: Diagnostic): string {
  checkArgument('diagnostic', diagnostic, 'object');
  if (!isYamlDiagnostic(diagnostic)) return `yaml: ${diagnostic.message}`;
  const { stage, problem, mark, contextMark } = diagnostic.libyaml;
  if (stage === 'reader') return `yaml: ${problem}`;
  // go-yaml counts from 0 here, adds one to what its scanner finds, and says nothing of line 0.
  const line = mark.line === 0 ? contextMark.line : mark.line + (stage === 'scanner' ? 1 : 0);
  return line === 0 ? `yaml: ${problem}` : `yaml: line ${line}: ${problem}`;
}

function isYamlDiagnostic(diagnostic: Diagnostic): diagnostic is YamlDiagnostic {
  return 'libyaml' in diagnostic;
}
