import type { TextIndex } from '@coreiso/peers/text-index';
import type { Diagnostic } from '../diagnostic.ts';
import type { YamlProblem } from './problem.ts';

/** A syntax error of `parseYaml`. */
export interface YamlDiagnostic extends Diagnostic {
  /** The parts of libyaml's report, for programs that word the message themselves; lines and columns count from 0. */
  readonly libyaml: {
    readonly stage: 'reader' | 'scanner' | 'parser';
    readonly problem: string;
    readonly mark: { readonly line: number; readonly column: number };
    /** In UTF-8; named if the character itself is refused. */
    readonly byteOffset: number;
    readonly context: string | undefined;
    readonly contextMark: { readonly line: number; readonly column: number };
  };
}

type LibyamlReport = YamlDiagnostic['libyaml'];
type LibyamlMark = LibyamlReport['mark'];

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
