import { remembered } from '../remembered.ts';
import type { Field, Fields } from './table.ts';

/** Whether null stands for nothing; where nmstate is lenient about the type it is strict about that. */
export function isNullable({ type, required, nullable }: Field): boolean {
  if (required || nullable === false || type.kind === 'ignored') return false;
  if (type.kind === 'boolean' || type.kind === 'integer') return !type.lenient;
  return type.kind !== 'choice' || type.numbered === undefined;
}

interface TableFacts {
  /** Every accepted spelling of the table's keys, and the key. */
  readonly spellings: ReadonlyMap<string, { readonly name: string; readonly field: Field }>;
  readonly required: readonly (readonly [name: string, field: Field])[];
}

/** Worked out once per table. */
export const factsOf: (fields: Fields) => TableFacts = remembered((fields) => {
  const spellings = new Map<string, { name: string; field: Field }>();
  for (const [name, field] of Object.entries(fields)) {
    for (const spelling of [name, ...(field.aliases ?? [])]) spellings.set(spelling, { name, field });
  }
  return { spellings, required: Object.entries(fields).filter(([, { required }]) => required) };
});
