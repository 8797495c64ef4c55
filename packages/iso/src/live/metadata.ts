import { IsoError } from '../errors.ts';

/** A JSON object from an image. Each member is read with its expected type. */
export class JsonObject {
  readonly #members: ReadonlyMap<string, unknown>;

  constructor(value: unknown) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw metadataError('expected an object');
    this.#members = new Map(Object.entries(value));
  }

  string(name: string): string {
    return this.#required(name, isString, 'a string');
  }

  /** A string of one character. */
  optionalCharacter(name: string): string | undefined {
    return this.#optional(name, isCharacter, 'a character');
  }

  size(name: string): number {
    return this.#required(name, isSize, 'a size');
  }

  optionalSize(name: string): number | undefined {
    return this.#optional(name, isSize, 'a size');
  }

  flag(name: string): boolean {
    return this.#checked(name, isBoolean, 'a boolean') ?? false;
  }

  objects(name: string): JsonObject[] {
    return this.#required(name, Array.isArray, 'a list').map((value) => new JsonObject(value));
  }

  /** The booleans in an object; empty if there is no object. */
  flags(name: string): Record<string, boolean> {
    const value = this.#members.get(name);
    if (value === undefined) return {};
    return Object.fromEntries(
      [...new JsonObject(value).#members].filter((member): member is [string, boolean] => isBoolean(member[1])),
    );
  }

  #required<T>(name: string, is: (value: unknown) => value is T, expected: string): T {
    if (!this.#members.has(name)) throw metadataError(`missing field \`${name}\``);
    return this.#checked(name, is, expected) as T;
  }

  /** `null` counts as absent. */
  #optional<T>(name: string, is: (value: unknown) => value is T, expected: string): T | undefined {
    return this.#members.get(name) === null ? undefined : this.#checked(name, is, expected);
  }

  #checked<T>(name: string, is: (value: unknown) => value is T, expected: string): T | undefined {
    const value = this.#members.get(name);
    if (value === undefined || is(value)) return value;
    throw metadataError(`invalid value of \`${name}\`, expected ${expected}`);
  }
}

/** The object in a JSON file. */
export function parseMetadata(bytes: Uint8Array): JsonObject {
  try {
    return new JsonObject(JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)));
  } catch (cause) {
    if (cause instanceof IsoError) throw cause;
    // Each runtime has its own messages, some with several lines.
    throw metadataError(cause instanceof SyntaxError ? 'invalid JSON' : 'invalid UTF-8');
  }
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

function isCharacter(value: unknown): value is string {
  return isString(value) && [...value].length === 1;
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

function isSize(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function metadataError(message: string): IsoError {
  return new IsoError('ISO_BAD_METADATA', message);
}
