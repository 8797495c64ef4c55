// The walker: reads a JSON tree with the model of a version, as Ignition's decoder does. `validate` reports unknown members.
import type { MappingNode, Node, ScalarNode } from '@coreiso/diagnostics';
import type { Integer } from '../spec/generated/types.ts';
import { type Field, foldName, type ObjectModel } from '../spec/model.ts';
import { objectAt, type Value, type Values } from '../spec/values.ts';
import { below, type Place } from './place.ts';

/** A value of the wrong type, with the expected type. */
export interface Mismatch {
  readonly place: Place;
  readonly node: Node;
  readonly expected: string;
}

export interface Decoded {
  readonly values: Values;
  /** In the order of the text. If there are any, `values` must not be used. */
  readonly mismatches: readonly Mismatch[];
}

/** Reads the root of a config. A root of null counts as an empty config. */
export function decode(root: Node, model: ObjectModel): Decoded {
  return new Decoder().decode(root, model);
}

/** The most mismatches to record: more than a person fixes before the next run. */
const MOST_MISMATCHES = 1000;

class Decoder {
  readonly #mismatches: Mismatch[] = [];
  /** A repeated list overwrites the longest one before it, of which the current list may show only a part. */
  readonly #longest = new WeakMap<readonly Value[], Value[]>();

  decode(root: Node, model: ObjectModel): Decoded {
    const values: Values = {};
    if (root.kind === 'mapping') this.#readObject(root, model, values, undefined);
    else if (!isNull(root)) this.#refuse(undefined, root, 'an object');
    return { values, mismatches: this.#mismatches };
  }

  #refuse(place: Place, node: Node, expected: string): void {
    if (this.#mismatches.length < MOST_MISMATCHES) this.#mismatches.push({ place, node, expected });
  }

  /** A repeated member is read again, on top of the first one. */
  #readObject(node: MappingNode, model: ObjectModel, into: Values, at: Place): void {
    for (const { key, value } of node.entries) {
      const name = (key as ScalarNode).text;
      const field = model.byName.get(name) ?? model.byFoldedName.get(foldName(name));
      if (field === undefined) continue;
      const read = this.#readMember(value, field, into[field.name], at);
      if (read === undefined) delete into[field.name];
      else into[field.name] = read;
    }
  }

  #readMember(node: Node, field: Field, before: Value | undefined, at: Place): Value | undefined {
    if (field.list !== undefined) return this.#readList(node, field, before as Value[] | undefined, at);
    if (isNull(node)) return field.nullable ? undefined : before;
    return this.#readValue(node, field, before, at, field.name);
  }

  #readList(node: Node, field: Field, before: Value[] | undefined, at: Place): Value[] | undefined {
    if (isNull(node)) return undefined;
    if (node.kind !== 'sequence') {
      this.#refuse(below(at, field.name), node, 'a list');
      return before;
    }
    if (node.items.length === 0) return [];
    const items = (before && this.#longest.get(before)) ?? before ?? [];
    const list = below(at, field.name);
    for (const [index, item] of node.items.entries()) {
      const old = items[index];
      const read = isNull(item) ? old : this.#readValue(item, field, old, list, index);
      items[index] = read ?? (field.model === undefined ? '' : {});
    }
    if (items.length === node.items.length) return items;
    const shown = items.slice(0, node.items.length);
    this.#longest.set(shown, items);
    return shown;
  }

  #readValue(node: Node, field: Field, before: Value | undefined, at: Place, step: string | number): Value | undefined {
    const { model } = field;
    if (model !== undefined) {
      if (node.kind === 'mapping') {
        const object = objectAt(before);
        this.#readObject(node, model, object, below(at, step));
        return object;
      }
      this.#refuse(below(at, step), node, 'an object');
      return before;
    }
    const value = node.kind === 'scalar' ? readScalar(node, field.type) : undefined;
    if (value === undefined) this.#refuse(below(at, step), node, EXPECTED[field.type] ?? '');
    return value ?? before;
  }
}

const EXPECTED: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number of at most 64 bits, written without point or exponent',
  boolean: 'true or false',
};

function isNull(node: Node): boolean {
  return node.kind === 'scalar' && node.style === 'plain' && node.text === 'null';
}

function readScalar(node: ScalarNode, type: Field['type']): Value | undefined {
  if (type === 'string') return node.style === 'double' ? node.text : undefined;
  if (node.style !== 'plain') return undefined;
  if (type === 'integer') return readInteger(node.text);
  return node.text === 'true' ? true : node.text === 'false' ? false : undefined;
}

/** 19 digits and a sign. Longer texts do not fit 64 bits, because JSON has no leading zeros. */
const MAX_LENGTH = 20;

function readInteger(text: string): Integer | undefined {
  if (text.length > MAX_LENGTH || !/^-?[0-9]+$/.test(text)) return undefined;
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value + 0;
  const exact = BigInt(text);
  return BigInt.asIntN(64, exact) === exact ? exact : undefined;
}
