import type { MappingEntry, Node, ScalarNode, ScalarStyle } from '@coreiso/diagnostics';

const DEEPEST = 64;

/** What cannot be part of a state. */
export class UnreadableValue {
  readonly path: readonly (string | number)[];
  readonly message: string;

  constructor(path: readonly (string | number)[], message: string) {
    this.path = path;
    this.message = message;
  }
}

/** The nodes that a text of the same content would have, without places. */
export function nodesOf(value: unknown, path: readonly (string | number)[] = []): Node | UnreadableValue {
  if (path.length > DEEPEST) return new UnreadableValue(path, `the state is nested more than ${DEEPEST} deep`);
  switch (typeof value) {
    case 'string':
      return scalar(value, 'double');
    case 'number':
    case 'bigint':
    case 'boolean':
      return scalar(numberText(value), 'plain');
    case 'object':
      if (value === null) return scalar('null', 'plain');
      return Array.isArray(value) ? sequenceOf(value, path) : mappingOf(value, path);
    default:
      return new UnreadableValue(path, `a ${typeof value} cannot be part of a state`);
  }
}

function sequenceOf(values: readonly unknown[], path: readonly (string | number)[]): Node | UnreadableValue {
  const items: Node[] = [];
  for (const [index, value] of values.entries()) {
    const item = nodesOf(value ?? null, [...path, index]);
    if (item instanceof UnreadableValue) return item;
    items.push(item);
  }
  return { kind: 'sequence', items, tag: undefined, start: 0, end: 0 };
}

/** A member that is undefined is not there. */
function mappingOf(values: object, path: readonly (string | number)[]): Node | UnreadableValue {
  const entries: MappingEntry[] = [];
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    const node = nodesOf(value, [...path, name]);
    if (node instanceof UnreadableValue) return node;
    entries.push({ key: scalar(name, 'double'), value: node });
  }
  return { kind: 'mapping', entries, tag: undefined, start: 0, end: 0 };
}

function scalar(text: string, style: ScalarStyle): ScalarNode {
  return { kind: 'scalar', text, style, tag: undefined, start: 0, end: 0 };
}

function numberText(value: number | bigint | boolean): string {
  if (typeof value !== 'number' || Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? '.nan' : value > 0 ? '.inf' : '-.inf';
}
