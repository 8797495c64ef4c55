import { type LanguageKind, schemaOf } from '@coreiso/language';
import type { Action } from '../../frame/command.ts';
import { UsageError } from '../../frame/usage.ts';
import { SCHEMA_KINDS } from './schema-kinds.ts';

/** `coreiso schema KIND`. */
export const printSchema: Action = async (args, terminal) => {
  const kind = args.required('KIND');
  if (!SCHEMA_KINDS.some((one) => one === kind))
    throw new UsageError(`unknown kind '${kind}': expected one of ${SCHEMA_KINDS.join(', ')}`);
  await terminal.printWhole(schemaOf(kind as LanguageKind));
  return 0;
};
