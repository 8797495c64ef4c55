// The objects of an Ignition config and their members, as in coreos-installer's types.
import { SHAPES, type ShapeName, within } from '../spec/fields.ts';
import { type Field, modelOf, type ObjectModel } from '../spec/model.ts';
import { minorOf, type SpecVersion } from '../spec/version.ts';
import type { ObjectName } from './fault.ts';

/** Absent and null are the same: `nullable` members are written as `null` then, `optional` ones are omitted. */
type Presence = 'required' | 'nullable' | 'optional';

export interface StructMember {
  readonly name: string;
  readonly presence: Presence;
  readonly type: MemberType;
}

export type MemberType = 'string' | 'integer' | 'boolean' | Struct | List;

export interface List {
  readonly items: MemberType;
  readonly nullItems: boolean;
}

export interface Struct {
  readonly name: ObjectName;
  /** In the order in which they are written, which is also their order in a list that replaces the object. */
  readonly members: readonly StructMember[];
}

/** The members that lead to the version of a config. */
export const VERSION_ONLY: Struct = {
  name: { shape: 'Config', holder: 'config', minor: undefined },
  members: [
    {
      name: 'ignition',
      presence: 'required',
      type: {
        name: { shape: 'Ignition', holder: 'ignition', minor: undefined },
        members: [{ name: 'version', presence: 'required', type: 'string' }],
      },
    },
  ],
};

const structs = new Map<SpecVersion, Struct>();

export function structOf(version: SpecVersion): Struct {
  let struct = structs.get(version);
  if (struct === undefined) {
    struct = compile(modelOf(version), minorOf(version), 'config');
    structs.set(version, struct);
  }
  return struct;
}

function compile(model: ObjectModel, minor: number, holder: string): Struct {
  const members = model.fields
    .map((field) => ({
      name: field.name,
      presence: presenceOf(field, model.shape, minor),
      type: typeOf(field, model.shape, minor),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return { name: { shape: model.shape, holder, minor }, members };
}

function presenceOf(field: Field, shape: ShapeName, minor: number): Presence {
  if (field.list !== undefined)
    return shape === 'Raid' && field.name === 'devices' && minor < 3 ? 'required' : 'optional';
  if (field.nullable) return 'nullable';
  return field.written || (shape === 'Config' && field.name === 'ignition') ? 'required' : 'optional';
}

function typeOf(field: Field, shape: ShapeName, minor: number): MemberType {
  const item = field.model === undefined ? (field.type as 'string') : compile(field.model, minor, field.name);
  if (field.list === undefined) return item;
  return { items: item, nullItems: within(SHAPES[shape].members[field.name]?.nullItems, minor) };
}
