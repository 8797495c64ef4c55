// Reads values of unknown form: every unexpected value counts as absent.

/** An object with members of unknown types. */
export type Members = Readonly<Record<string, unknown>>;

/**
 * Whether a value is an object and not a list.
 *
 * @example isObject(JSON.parse(answer)) // true of '{}', false of '[]' and 'null'
 */
export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The value at a path of names; undefined if the path does not exist.
 *
 * @example memberOf(secret, 'data', 'userData')
 */
export function memberOf(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((object, name) => (isObject(object) ? object[name] : undefined), value);
}

/**
 * The text at a path; empty if there is none.
 *
 * @example textOf(node, 'metadata', 'name')
 */
export function textOf(value: unknown, ...path: readonly string[]): string {
  const text = memberOf(value, ...path);
  return typeof text === 'string' ? text : '';
}

/**
 * The list at a path; empty if there is none.
 *
 * @example listOf(node, 'status', 'addresses')
 */
export function listOf(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const list = memberOf(value, ...path);
  return Array.isArray(list) ? list : [];
}
