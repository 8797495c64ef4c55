import { formatGcListing, generateKeyfiles } from '@coreiso/nmstate';
import type { Action } from '../../frame/command.ts';
import { readStateText, stateRefusal } from './input.ts';
import { filledPolicy } from './policy.ts';

/** `nmstatectl gc`: prints the keyfiles in a YAML wrapper on stdout, or the refusal on stderr with status 1. */
export const generate: Action = async (args, terminal) => {
  const text = await readStateText(terminal, args.required('STATE_FILE'));
  if (text === undefined) return 1;
  const state = filledPolicy(text);
  const outcome = state.ok ? generateKeyfiles(state.value, { mode: 'compatible' }) : state;
  if (!outcome.ok) {
    terminal.sayText(stateRefusal(outcome.diagnostics));
    return 1;
  }
  await terminal.print(formatGcListing(outcome.value));
  return 0;
};
