import { checkArgument, checkWord } from '@coreiso/peers/arguments';
import { IgnitionError } from '../errors.ts';
import { declaredVersionOrThrow, readConfigOrThrow } from '../parse/in-memory.ts';
import { canonical } from '../spec/canonical.ts';
import type { Config } from '../spec/generated/types.ts';
import { type Field, modelOf, type ObjectModel } from '../spec/model.ts';
import { asConfig, keyOf, listAt, objectAt, type Value, type Values } from '../spec/values.ts';
import { minorOf, SPEC_VERSIONS, type SpecVersion } from '../spec/version.ts';
import { translateUp } from '../translate/up.ts';
import {
  type CopiedPlace,
  copiedPlaceBelow,
  isEmptyScalar,
  type Side,
  Transcript,
  type TranscriptEntry,
} from './transcript.ts';

/**
 * Merges two configs as Ignition does with `ignition.config.merge`: the child wins, and list items are matched by their key. Both
 * configs must be valid; the result may not be, so check it with `validateConfig`.
 *
 * @example const { config, transcript } = merge(base, worker)
 */
export function merge(
  parent: Config,
  child: Config,
  options: {
    /** Reads both sides in this version, whatever they declare. By default the older side is translated first. */
    readonly version?: SpecVersion | undefined;
  } = {},
): {
  readonly config: Config;
  /** Where each value of the result came from. */
  readonly transcript: readonly TranscriptEntry[];
} {
  checkArgument('parent', parent, 'object');
  checkArgument('child', child, 'object');
  checkArgument('options', options, 'object');
  const { version = newerVersion(parent, child) } = options;
  checkWord('version', version, SPEC_VERSIONS);
  const read = (config: Config): Values => {
    const from = options.version ?? declaredVersionOrThrow(config) ?? version;
    const { values } = readConfigOrThrow(config, from);
    return from === version ? values : translateUp(values, from, version);
  };
  const model = modelOf(version);
  const transcript = new Transcript();
  const top = { from: undefined, to: undefined };
  const sides = { parent: read(parent), child: read(child) };
  const merged = new Merger(transcript).mergeObject(sides, model, { parent: top, child: top });
  // A child with members of `ignition` but without a version would erase the parent's version.
  if (options.version === undefined) merged['ignition'] = { ...objectAt(merged['ignition']), version };
  return { config: asConfig(canonical(merged, model)), transcript: transcript.entries };
}

function newerVersion(parent: Config, child: Config): SpecVersion {
  const declared = [declaredVersionOrThrow(parent), declaredVersionOrThrow(child)].filter(
    (version) => version !== undefined,
  );
  const [newer] = declared.sort((a, b) => minorOf(b) - minorOf(a));
  if (newer !== undefined) return newer;
  throw new IgnitionError('IGNITION_UNKNOWN_VERSION', 'neither config has ignition.version');
}

type Sides<T> = Readonly<Record<Side, T>>;
type CopiedPlaces = Sides<CopiedPlace>;

/** An item of the child and its place. */
interface ChildItem {
  readonly list: string;
  readonly index: number;
  readonly value: Value;
}

class Merger {
  readonly #transcript: Transcript;

  constructor(transcript: Transcript) {
    this.#transcript = transcript;
  }

  mergeObject(sides: Sides<Values>, model: ObjectModel, at: CopiedPlaces): Values {
    const result: Values = {};
    const lookup = childItems(sides.child, model);
    const parts = partsOf(model);
    for (const part of parts) {
      const whole = parts.length > 1 ? wholeSide(sides, part) : undefined;
      for (const field of part) {
        const { name } = field;
        const places = { parent: copiedPlaceBelow(at.parent, name), child: copiedPlaceBelow(at.child, name) };
        const values = { parent: sides.parent[name], child: sides.child[name] };
        const merged =
          whole === undefined
            ? this.#mergeMember(values, field, places, lookup)
            : this.#take(whole, values[whole], field, places[whole]);
        if (merged !== undefined) result[name] = merged;
      }
    }
    return result;
  }

  #take(side: Side, value: Value | undefined, field: Field, passage: CopiedPlace): Value | undefined {
    this.#transcript.addMember(side, value, field, passage);
    return value;
  }

  #addBoth({ parent, child }: CopiedPlaces): void {
    this.#transcript.add('parent', parent);
    this.#transcript.add('child', child);
  }

  #mergeMember(
    values: Sides<Value | undefined>,
    field: Field,
    at: CopiedPlaces,
    lookup: ReadonlyMap<string, ReadonlyMap<string, ChildItem>>,
  ): Value | undefined {
    if (field.list === 'appended') return this.#append(values, field, at);
    if (field.list === 'keyed') return this.#mergeList(values, field, at, lookup.get(field.group ?? field.name));
    const { model } = field;
    if (model === undefined) {
      const side = field.nullable && values.child === undefined ? 'parent' : 'child';
      return this.#take(side, values[side], field, at[side]);
    }
    const whole = field.nullable ? absentSide(values) : wholeSide(objects(values), model.fields);
    if (whole !== undefined) return this.#take(whole, values[whole], field, at[whole]);
    const merged = this.mergeObject(objects(values), model, at);
    this.#addBoth(at);
    return merged;
  }

  #append(values: Sides<Value | undefined>, field: Field, at: CopiedPlaces): Value[] {
    const parent = listAt(values.parent);
    const child = listAt(values.child);
    for (const [index, item] of parent.entries()) {
      this.#transcript.addItem('parent', item, field, copiedPlaceBelow(at.parent, index));
    }
    for (const [index, item] of child.entries()) {
      const to = copiedPlaceBelow(at.child, parent.length + index).to;
      this.#transcript.addItem('child', item, field, { from: copiedPlaceBelow(at.child, index).from, to });
    }
    if (parent.length > 0) this.#transcript.add('parent', at.parent);
    if (child.length > 0) this.#transcript.add('child', at.child);
    return [...parent, ...child];
  }

  #mergeList(
    values: Sides<Value | undefined>,
    field: Field,
    at: CopiedPlaces,
    lookup: ReadonlyMap<string, ChildItem> | undefined,
  ): Value[] {
    const result: Value[] = [];
    const contributed = { parent: false, child: false };
    const passage = (side: Side, index: number): CopiedPlace => ({
      from: copiedPlaceBelow(at[side], index).from,
      to: copiedPlaceBelow(at[side], result.length).to,
    });
    const parentKeys = new Set<string>();
    for (const [index, item] of listAt(values.parent).entries()) {
      const key = keyOf(item, field.model);
      parentKeys.add(key);
      const match = lookup?.get(key);
      if (match === undefined) {
        this.#transcript.addItem('parent', item, field, passage('parent', index));
        result.push(item);
        contributed.parent = true;
      } else if (match.list === field.name) {
        contributed.parent = true;
        contributed.child = true;
        const places = { parent: passage('parent', index), child: passage('child', match.index) };
        const merged = this.#mergeItem({ parent: item, child: match.value }, field, places);
        if (merged !== undefined) result.push(merged);
      }
    }
    for (const [index, item] of listAt(values.child).entries()) {
      if (parentKeys.has(keyOf(item, field.model))) continue;
      this.#transcript.addItem('child', item, field, passage('child', index));
      result.push(item);
      contributed.child = true;
    }
    if (contributed.parent) this.#transcript.add('parent', at.parent);
    if (contributed.child) this.#transcript.add('child', at.child);
    return result;
  }

  #mergeItem(items: Sides<Value>, field: Field, at: CopiedPlaces): Value | undefined {
    if (field.model === undefined) {
      this.#transcript.addItem('child', items.child, field, at.child);
      return items.child;
    }
    // A header without a value removes the parent's header of that name.
    if (field.model.shape === 'HttpHeader' && objectAt(items.child)['value'] === undefined) return undefined;
    const merged = this.mergeObject(objects(items), field.model, at);
    this.#addBoth(at);
    return merged;
  }
}

function objects(values: Sides<Value | undefined>): Sides<Values> {
  return { parent: objectAt(values.parent), child: objectAt(values.child) };
}

/** The child's keyed items by group and key; the last one of equal keys. */
function childItems(child: Values, model: ObjectModel): Map<string, Map<string, ChildItem>> {
  const groups = new Map<string, Map<string, ChildItem>>();
  for (const { name, group = name, model: itemModel } of model.keyed) {
    const items = groups.get(group) ?? new Map();
    groups.set(group, items);
    for (const [index, value] of listAt(child[name]).entries()) {
      items.set(keyOf(value, itemModel), { list: name, index, value });
    }
  }
  return groups;
}

const NODE_MEMBERS = ['group', 'overwrite', 'path', 'user'];

/**
 * The groups of members that are merged separately. Files, directories and links have two; a group is copied whole if the other
 * side has none of its members.
 */
function partsOf({ shape, fields }: ObjectModel): readonly (readonly Field[])[] {
  if (shape !== 'File' && shape !== 'Directory' && shape !== 'Link') return [fields];
  const shared = fields.filter(({ name }) => NODE_MEMBERS.includes(name));
  return [shared, fields.filter(({ name }) => !NODE_MEMBERS.includes(name))];
}

/** The side to copy whole because the other has none of these members; undefined if both have some. */
function wholeSide(sides: Sides<Values>, fields: readonly Field[]): Side | undefined {
  if (fields.every((field) => isEmptyMember(sides.child[field.name], field))) return 'parent';
  if (fields.every((field) => isEmptyMember(sides.parent[field.name], field))) return 'child';
  return undefined;
}

function absentSide(values: Sides<Value | undefined>): Side | undefined {
  if (values.child === undefined) return 'parent';
  return values.parent === undefined ? 'child' : undefined;
}

/** Whether a member counts as absent: an empty object does, an empty list does not. */
function isEmptyMember(value: Value | undefined, field: Field): boolean {
  if (value === undefined || field.list !== undefined || field.nullable) return value === undefined;
  if (field.model === undefined) return isEmptyScalar(value);
  const members = objectAt(value);
  return field.model.fields.every((inner) => isEmptyMember(members[inner.name], inner));
}
