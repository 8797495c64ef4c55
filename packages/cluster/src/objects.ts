// Objects of the API, read without trust: values of an unexpected form count as absent.
import { isObject, listOf, memberOf, textOf } from '@coreiso/peers/members';

export { isObject, listOf, memberOf, textOf };

/** A part of an object: members by name, values of any kind. */
export type KubeObject = Readonly<Record<string, unknown>>;

export function objectsOf(value: unknown, ...path: readonly string[]): readonly KubeObject[] {
  return listOf(value, ...path).filter(isObject);
}

export function nameOf(object: unknown): string {
  return textOf(object, 'metadata', 'name');
}
