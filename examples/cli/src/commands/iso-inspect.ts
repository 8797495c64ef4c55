import { formatInspection, inspect } from '@coreiso/iso';
import type { Action } from '../frame/command.ts';
import { openFile } from '../frame/source.ts';

/** `coreiso iso inspect`. */
export const inspectImage: Action = async (args, terminal) => {
  const source = await openFile(terminal, args.required('ISO'));
  try {
    const inspection = await inspect(source, { signal: terminal.io.signal });
    if (args.has('json')) await terminal.printJson(inspection);
    else await terminal.print(formatInspection(inspection));
  } finally {
    await source.close();
  }
  return 0;
};
