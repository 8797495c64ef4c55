// Property paths in a state of plain data, with nmstate's messages about missing ones.
import type { Plain } from '@coreiso/diagnostics';
import { lengthOf } from './line.ts';
import { PolicyProblem, problemAt } from './problem.ts';

export type Members = { readonly [name: string]: Plain };

export function membersOf(value: Plain | undefined): Members | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : undefined;
}

/** The line and the position of a path, for messages. */
export interface Mention {
  readonly line: string;
  readonly at: number;
}

/** The result of a path to nothing. The message takes time, so it is made only when it is needed. */
class MissingPath {
  readonly at: number;
  readonly message: () => string;

  constructor(at: number, message: () => string) {
    this.at = at;
    this.message = message;
  }
}

export function valueAt(data: Members, steps: readonly string[], { line, at }: Mention): Plain {
  const value = lookUp(data, steps, at);
  if (value instanceof MissingPath) throw problemAt(line, value.at, value.message());
  return value;
}

/** The value at a path; undefined if there is none. */
export function valueIfThere(data: Members, steps: readonly string[]): Plain | undefined {
  const value = lookUp(data, steps, 0);
  return value instanceof MissingPath ? undefined : value;
}

function lookUp(data: Members, steps: readonly string[], at: number): Plain | MissingPath {
  const [name = '', second, ...rest] = steps;
  const value = Object.hasOwn(data, name) ? data[name] : undefined;
  if (value === undefined) {
    const names = (): string => Object.keys(data).join(',');
    return new MissingPath(at, () =>
      second === undefined
        ? `Failed to find property ${name}, exists properties are ${names()}`
        : `Failed to find leaf ${name} data, allowed keys are ${names()}`,
    );
  }
  if (second === undefined) return value;
  if (/^\+?[0-9]+$/.test(second)) return itemAt(value, Number(second), rest, name, at + lengthOf(`${name}.${second}.`));
  const inner = membersOf(value);
  if (inner !== undefined) return lookUp(inner, steps.slice(1), at + lengthOf(name));
  if (Array.isArray(value)) return valuesOf(value, steps.slice(1));
  return new MissingPath(at, () => `The ${name} leaf data is not a object`);
}

function itemAt(list: Plain, index: number, steps: readonly string[], name: string, at: number): Plain | MissingPath {
  const item: Plain | undefined = Array.isArray(list) ? list[index] : undefined;
  if (item === undefined) return new MissingPath(at, () => `Failed to find index ${index} from ${name}`);
  if (steps.length === 0) return item;
  const inner = membersOf(item);
  if (inner !== undefined) return lookUp(inner, steps, at + lengthOf(`${index}.`));
  return new MissingPath(at, () => `The ${name} index ${index} leaf data is not a object`);
}

/** The values of all items that have the property. */
function valuesOf(items: readonly Plain[], steps: readonly string[]): Plain[] {
  return items.flatMap((item) => {
    const inner = membersOf(item);
    const value = inner && valueIfThere(inner, steps);
    return value === undefined ? [] : [value];
  });
}

/** Whether a value is the text, or a list that contains it. */
export function matches(value: Plain, wanted: string): boolean {
  return Array.isArray(value) ? value.some((item) => matches(item, wanted)) : textOf(value) === wanted;
}

/** Text unchanged, other values as JSON. */
export function textOf(value: Plain): string {
  return typeof value === 'string' ? value : jsonText(value);
}

function jsonText(value: Plain): string {
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  const members = membersOf(value);
  if (members === undefined) return typeof value === 'string' ? JSON.stringify(value) : String(value);
  return `{${Object.entries(members)
    .map(([name, inner]) => `${JSON.stringify(name)}:${jsonText(inner)}`)
    .join(',')}}`;
}

/** Copies the data with another value at the path, and adds missing maps. */
export function withValue(data: Members, steps: readonly string[], value: string | null): Members {
  const [name, ...rest] = steps;
  if (name === undefined) throw new PolicyProblem('Bug', 'Got zero length prop_path');
  if (rest.length === 0) return { ...data, [name]: value };
  const old = Object.hasOwn(data, name) ? data[name] : {};
  const inner = membersOf(old);
  if (inner === undefined) {
    throw new PolicyProblem('InvalidArgument', `The ${name} leaf data ${debugText(old ?? null)} is not a object`);
  }
  return { ...data, [name]: withValue(inner, rest, value) };
}

/** Copies the data without everything that is not on the path. */
export function onlyAt(data: Members, steps: readonly string[]): Members {
  const [name, ...rest] = steps;
  if (name === undefined) return data;
  const value = Object.hasOwn(data, name) ? data[name] : undefined;
  if (value === undefined) return {};
  const inner = membersOf(value);
  return { [name]: inner === undefined ? value : onlyAt(inner, rest) };
}

/** Formats data like Rust's debug output, which nmstate's messages contain. */
function debugText(value: Plain): string {
  if (value === null) return 'Null';
  if (typeof value === 'boolean') return `Bool(${value})`;
  if (typeof value === 'string') return `String(${JSON.stringify(value)})`;
  if (Array.isArray(value)) return `Array [${value.map(debugText).join(', ')}]`;
  const members = membersOf(value);
  return members === undefined ? `Number(${value})` : `Object ${debugMembers(members)}`;
}

export function debugMembers(members: Members): string {
  return `{${Object.entries(members)
    .map(([name, value]) => `${JSON.stringify(name)}: ${debugText(value)}`)
    .join(', ')}}`;
}
