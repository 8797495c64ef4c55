import { formatInspection, inspect } from '@coreiso/iso';
import type { Action } from '../../frame/command.ts';
import { withImage } from '../../frame/source.ts';

/** `coreiso iso inspect`. */
export const inspectImage: Action = async (args, terminal) => {
  await withImage(terminal, args.required('ISO'), async (source) => {
    const inspection = await inspect(source, { signal: terminal.io.signal });
    if (args.has('json')) await terminal.printJson(inspection);
    else await terminal.showText(formatInspection(inspection));
  });
  return 0;
};
