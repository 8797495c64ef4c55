// Values of unknown form, read without trust: whatever is not as expected reads as absent.

/** An object of which nothing is known but that it has members. */
export type Members = Readonly<Record<string, unknown>>;

/**
 * Whether a value is an object, and no list.
 *
 * @example isObject(JSON.parse(answer)) // true of '{}', false of '[]' and 'null'
 */
export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * What a path of names leads to, undefined where it ends early.
 *
 * @example memberOf(secret, 'data', 'userData')
 */
export function memberOf(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((object, name) => (isObject(object) ? object[name] : undefined), value);
}

/**
 * The text that a path leads to, empty where there is none.
 *
 * @example textOf(node, 'metadata', 'name')
 */
export function textOf(value: unknown, ...path: readonly string[]): string {
  const text = memberOf(value, ...path);
  return typeof text === 'string' ? text : '';
}

/**
 * The list that a path leads to, empty where there is none.
 *
 * @example listOf(node, 'status', 'addresses')
 */
export function listOf(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const list = memberOf(value, ...path);
  return Array.isArray(list) ? list : [];
}
