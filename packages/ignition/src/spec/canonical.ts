import type { Field, ObjectModel } from './model.ts';
import { isZero, listAt, objectAt, type Value, type Values } from './values.ts';

/**
 * The canonical form of a config in a version: members in Ignition's order, and none empty except list items and the texts that
 * this version always writes.
 */
export function canonical(values: Values, model: ObjectModel): Values {
  const result: Values = {};
  for (const field of model.fields) {
    const value = canonicalMember(values[field.name], field);
    if (value !== undefined) result[field.name] = value;
  }
  return result;
}

function canonicalMember(value: Value | undefined, field: Field): Value | undefined {
  const { model } = field;
  if (field.list !== undefined) {
    const items = listAt(value).map((item) => (model === undefined ? item : canonical(objectAt(item), model)));
    return items.length > 0 ? items : undefined;
  }
  if (model !== undefined) {
    if (value === undefined && field.nullable) return undefined;
    const object = canonical(objectAt(value), model);
    return Object.keys(object).length > 0 ? object : undefined;
  }
  if (field.nullable) return value;
  if (field.written) return value ?? '';
  return value === '' || isZero(value) ? undefined : value;
}
