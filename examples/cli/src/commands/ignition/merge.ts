import { merge, stringifyConfig } from '@coreiso/ignition';
import type { Action } from '../../frame/command.ts';
import { readConfig } from './config.ts';

/** `coreiso ignition merge`. */
export const mergeFiles: Action = async (args, terminal) => {
  const parent = await readConfig(terminal, args.required('PARENT'));
  const child = await readConfig(terminal, args.required('CHILD'));
  if (parent === undefined || child === undefined) return 1;
  const { config, transcript } = merge(parent, child);
  if (args.has('transcript')) await terminal.printJson(transcript);
  else await terminal.print(`${stringifyConfig(config, { indent: 2 })}\n`);
  return 0;
};
