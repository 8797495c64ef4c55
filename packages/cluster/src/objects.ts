// Objects of the API, read without trust: whatever is not of the expected form reads as absent.
import { bytesOfBase64 } from '@coreiso/diagnostics/go';

/** A part of an object: members by name, values of any kind. */
export type KubeObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is KubeObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function memberOf(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((object, name) => (isObject(object) ? object[name] : undefined), value);
}

export function textOf(value: unknown, ...path: readonly string[]): string {
  const text = memberOf(value, ...path);
  return typeof text === 'string' ? text : '';
}

export function listOf(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const list = memberOf(value, ...path);
  return Array.isArray(list) ? list : [];
}

export function objectsOf(value: unknown, ...path: readonly string[]): readonly KubeObject[] {
  return listOf(value, ...path).filter(isObject);
}

export function nameOf(object: unknown): string {
  return textOf(object, 'metadata', 'name');
}

/** The data of a Secret, decoded; undefined where the key is absent or not base64. */
export function secretText(secret: unknown, key: string): string | undefined {
  const encoded = memberOf(secret, 'data', key);
  if (typeof encoded !== 'string') return undefined;
  const bytes = bytesOfBase64(encoded);
  return bytes && new TextDecoder().decode(bytes);
}
