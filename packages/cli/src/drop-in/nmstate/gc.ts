import { formatGcListing, generateKeyfiles } from '@coreiso/nmstate';
import type { Action } from '../../frame/command.ts';
import { readStateText, stateRefusal } from './input.ts';

/** `nmstatectl gc`: the keyfiles in a YAML wrapper on stdout, or the refusal on stderr and status 1. */
export const generate: Action = async (args, terminal) => {
  const text = await readStateText(terminal, args.required('STATE_FILE'));
  if (text === undefined) return 1;
  const outcome = generateKeyfiles(text, { mode: 'compatible' });
  if (!outcome.ok) {
    terminal.sayText(stateRefusal(outcome.diagnostics));
    return 1;
  }
  await terminal.print(formatGcListing(outcome.value));
  return 0;
};
