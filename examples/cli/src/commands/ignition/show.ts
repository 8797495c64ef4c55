import { findExpiries, formatSummary, redact, stringifyConfig, summarizeConfig } from '@coreiso/ignition';
import type { Action } from '../../frame/command.ts';
import { readConfig } from './config.ts';

/** `coreiso ignition show`. */
export const show: Action = async (args, terminal) => {
  const config = await readConfig(terminal, args.required('FILE'));
  if (config === undefined) return 1;
  if (args.has('json')) {
    const redacted: unknown = JSON.parse(stringifyConfig(redact(config)));
    await terminal.printJson({ config: redacted, expiries: findExpiries(config) });
  } else await terminal.print(formatSummary(summarizeConfig(config)));
  return 0;
};
