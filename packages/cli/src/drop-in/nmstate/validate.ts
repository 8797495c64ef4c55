import type { Diagnostic } from '@coreiso/diagnostics';
import { generateKeyfiles, refusalKind } from '@coreiso/nmstate';
import type { Action } from '../../frame/command.ts';
import { readStateText, stateRefusal } from './input.ts';

/** `nmstatectl validate` without a current state: refuses the states that `gc` refuses, and malformed policies. */
export const validate: Action = async (args, terminal) => {
  if (args.has('current')) throw new Error('--current is not supported: states are checked without a machine');
  const text = await readStateText(terminal, args.optional('STATE_FILE') ?? '-');
  if (text === undefined) return 1;
  const outcome = generateKeyfiles(text, { mode: 'compatible' });
  if (!outcome.ok && !isInPolicy(outcome.diagnostics)) {
    terminal.sayText(stateRefusal(outcome.diagnostics));
    return 1;
  }
  await terminal.print(text.endsWith('\n') ? `${text}\n` : `${text}\n\n`);
  return 0;
};

const POLICY = ['capture', 'desired', 'desiredState'];

/** Whether the error is in a policy, whose desired state can be checked only with a current state. */
function isInPolicy(diagnostics: readonly Diagnostic[]): boolean {
  const first = diagnostics.find(({ severity }) => severity === 'error');
  if (first?.code === 'nmstate/capture') return true;
  return first !== undefined && refusalKind(first) !== undefined && POLICY.includes(String(first.path[0]));
}
