import type { Field, Section } from '../table/table.ts';
import type { OpenSection } from './open-profile.ts';

/** Writes every property that has a keyfile key in its table, unchanged. */
export function writeFields(target: OpenSection, { fields }: Section, values: object): void {
  for (const [name, value] of Object.entries(values)) {
    const field = fields[name];
    if (field?.key !== undefined && value !== undefined) target.set(field.key, keyfileText(field, value));
  }
}

function keyfileText({ type, as }: Field, value: unknown): string {
  switch (as) {
    case 'digit':
      return value === true ? '1' : '0';
    case 'word':
      return value === true ? 'yes' : 'no';
    case 'index':
      return type.kind === 'choice' ? String(type.values.indexOf(String(value))) : String(value);
    default:
      return String(value);
  }
}
