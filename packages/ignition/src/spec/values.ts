import type { Config, Integer } from './generated/types.ts';
import type { ObjectModel } from './model.ts';

/** A value of a config as the table describes it, without the generated types. */
export type Value = string | boolean | Integer | Values | readonly Value[];

/** An object of a config. Absent members are missing or undefined, never null. */
export interface Values {
  [name: string]: Value | undefined;
}

/** The walker's view of a config. Every generated type consists of these values. */
export function asValues(config: Config): Values {
  return config as unknown as Values;
}

/** The typed view of the walker's result. The types are correct because the walker read it with a model of the table. */
export function asConfig(values: Values): Config {
  return values as unknown as Config;
}

/** The object at a place where the table has an object; an absent one counts as empty. */
export function objectAt(value: Value | undefined): Values {
  return (value ?? {}) as Values;
}

/** The list at a place where the table has a list; an absent one counts as empty. */
export function listAt(value: Value | undefined): readonly Value[] {
  return (value ?? []) as readonly Value[];
}

/** Whether a value is zero. Integers are numbers or bigints, and `0 === 0n` is false. */
export function isZero(value: Value | undefined): boolean {
  return value === 0 || value === 0n;
}

/** The key of an item of a keyed list. The model is that of the items; undefined for texts. */
export function keyOf(item: Value, model: ObjectModel | undefined): string {
  if (model?.key === undefined) return String(item);
  const members = objectAt(item);
  if (model.key !== 'number|label') return String(members[model.key] ?? '');
  const { number = 0, label } = members;
  if (!isZero(number)) return `number:${String(number)}`;
  return label === undefined ? '' : `label:${String(label)}`;
}
