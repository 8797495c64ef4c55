/**
 * A user's Ignition config taken in and written out again as coreos-installer does: members in the order of its schema,
 * absent nullable scalars as `null`, unknown keys dropped. Nothing is validated beyond the types.
 */
import type { Path, Position, Range } from '@coreiso/diagnostics';
import { SHAPES, type ShapeName, within } from '../spec/fields.ts';
import { type Field, modelOf, type ObjectModel } from '../spec/model.ts';
import { minorOf, type SpecVersion } from '../spec/version.ts';
import { bytePlace, positionsOf } from './byte-positions.ts';
import { parseConfigVersion } from './config-version.ts';
import { TypedJsonError } from './json-cursor.ts';
import { Refusal } from './refusal.ts';
import { type StructVisitor, TypedJsonReader } from './typed-json.ts';

/** A key that no member of its object has, in the spelling of the warning. */
interface UnusedKey {
  readonly path: Path;
  readonly range: Range;
}

export interface UserConfig {
  /** Compact JSON; the given bytes where the spec is newer than known. */
  readonly json: Uint8Array;
  /** The same as a file of its own: what was written out again ends in a newline. */
  readonly file: Uint8Array;
  readonly version: string;
  /** Whether the spec is newer than known, so that nothing was checked or rewritten. */
  readonly newer: boolean;
  readonly unused: readonly UnusedKey[];
}

export interface UserConfigOptions {
  /** What to do with a 3.x spec newer than known. */
  readonly newer: 'pass' | 'refuse';
}

const REWRITTEN: readonly SpecVersion[] = ['3.0.0', '3.1.0', '3.2.0', '3.3.0', '3.4.0', '3.5.0', '3.6.0'];

/** Just enough of a config to learn its version. */
const VERSION_ONLY: Struct = {
  name: 'MinimalConfig',
  members: [
    {
      name: 'ignition',
      presence: 'required',
      type: { name: 'MinimalIgnition', members: [{ name: 'version', presence: 'required', type: 'string' }] },
    },
  ],
};

/** Reads a config named `name`; throws a `Refusal` worded as upstream's. */
export function readUserConfig(bytes: Uint8Array, name: string, options: UserConfigOptions): UserConfig {
  const context = `parsing Ignition config ${name}`;
  try {
    const version = readVersion(bytes, context);
    const known = REWRITTEN.find((spec) => spec === version.text);
    if (known !== undefined) {
      const { json, unused } = read(new TypedJsonReader(bytes), structOf(known));
      const file = new TextEncoder().encode(`${json}\n`);
      return { json: file.subarray(0, -1), file, version: known, newer: false, unused: located(unused, bytes) };
    }
    if (options.newer === 'pass' && version.major === 3n && version.minor >= BigInt(REWRITTEN.length)) {
      return { json: bytes, file: bytes, version: version.text, newer: true, unused: [] };
    }
    throw new Refusal('unsupported-version', [context, `unsupported config version: ${version.text}`], {
      path: ['ignition', 'version'],
    });
  } catch (error) {
    if (!(error instanceof TypedJsonError)) throw error;
    const { message, offset = 0 } = error;
    const { line, column } = bytePlace(bytes, offset);
    const cause = `${message} at line ${line} column ${column}`;
    // The offset lies past the byte complained about.
    const [start, end] = positionsOf(bytes, [Math.max(0, offset - 1), offset]) as [Position, Position];
    throw new Refusal('invalid-json', [context, `serialization error: ${cause}`, cause], {
      range: { start, end },
    });
  }
}

function readVersion(bytes: Uint8Array, context: string) {
  const reader = new TypedJsonReader(bytes);
  const { json } = read(reader, VERSION_ONLY);
  reader.finish();
  const version = parseConfigVersion((JSON.parse(json) as { ignition: { version: string } }).ignition.version);
  if (typeof version !== 'string') return version;
  throw new Refusal('unsupported-version', [context, `couldn't parse config version: ${version}`, version], {
    path: ['ignition', 'version'],
  });
}

/** `nullable`: absent and null are the same and written `null`; `optional`: the same, and left out. */
type Presence = 'required' | 'nullable' | 'optional';

interface StructMember {
  readonly name: string;
  readonly presence: Presence;
  readonly type: MemberType;
}

type MemberType = 'string' | 'integer' | 'boolean' | Struct | List;

interface List {
  readonly items: MemberType;
  readonly nullItems: boolean;
}

interface Struct {
  /** As in the texts of refusals. */
  readonly name: string;
  /** By name: the order in which they are written, and in which a list may stand for the object. */
  readonly members: readonly StructMember[];
}

const structs = new Map<SpecVersion, Struct>();

function structOf(version: SpecVersion): Struct {
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
  return { name: structName(model.shape, minor, holder), members };
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

/** What upstream calls a struct where it differs from the table's name for the shape. */
function structName(shape: ShapeName, minor: number, holder: string): string {
  switch (shape) {
    case 'ConfigReferences':
      return 'IgnitionConfig';
    case 'MergeReference':
    case 'ReplaceReference':
      return minor === 0 ? 'ConfigReference' : 'Resource';
    case 'CertificateAuthority':
      return minor === 0 ? 'CaReference' : 'Resource';
    case 'Resource':
      return minor === 0 ? 'FileContents' : 'Resource';
    case 'HttpHeader':
      return 'HttpHeadersItem';
    case 'ProxySettings':
      return 'Proxy';
    case 'Tls':
      return 'SecurityTls';
    case 'Owner':
      return holder === 'user' ? 'NodeUser' : 'NodeGroup';
    case 'Clevis':
      return minor === 2 ? 'LuksClevis' : 'Clevis';
    case 'CustomPin':
      return minor === 2 ? 'LuksClevisCustom' : 'ClevisCustom';
    default:
      return shape;
  }
}

/** An unused key by the bytes it takes. */
interface Unused {
  readonly path: Path;
  readonly start: number;
  readonly end: number;
}

function read(reader: TypedJsonReader, root: Struct): { json: string; unused: Unused[] } {
  const unused: Unused[] = [];
  const path: (string | number)[] = [];

  function value(type: MemberType): string {
    if (type === 'string') return JSON.stringify(reader.string());
    if (type === 'integer') return reader.integer();
    if (type === 'boolean') return String(reader.boolean());
    return 'items' in type ? list(type) : struct(type);
  }

  function list({ items, nullItems }: List): string {
    const parts: string[] = [];
    reader.list((index) => {
      path.push(index);
      parts.push(nullItems && reader.takeNull() ? 'null' : value(items));
      path.pop();
    });
    return `[${parts.join(',')}]`;
  }

  function struct({ name, members }: Struct): string {
    const found = new Map<string, string | undefined>();
    const take = (member: StructMember, key: string | number) => {
      path.push(key);
      found.set(member.name, member.presence !== 'required' && reader.takeNull() ? undefined : value(member.type));
      path.pop();
    };
    const visitor: StructVisitor<void> = {
      members(nextKey) {
        for (let key = nextKey(); key !== undefined; key = nextKey()) {
          const member = members.find((each) => each.name === key);
          if (member === undefined) {
            unused.push({ path: [...path, key], start: reader.keyOffset, end: reader.offset });
            reader.memberValue(() => reader.skip());
          } else {
            if (found.has(member.name)) throw new TypedJsonError(`duplicate field \`${member.name}\``);
            reader.memberValue(() => take(member, member.name));
          }
        }
        const missing = members.find((member) => member.presence === 'required' && !found.has(member.name));
        if (missing !== undefined) throw new TypedJsonError(`missing field \`${missing.name}\``);
      },
      elements(nextElement) {
        for (const [index, member] of members.entries()) {
          if (nextElement()) take(member, index);
          else if (member.presence !== 'nullable') {
            const wanted = `struct ${name} with ${members.length} element${members.length === 1 ? '' : 's'}`;
            throw new TypedJsonError(`invalid length ${index}, expected ${wanted}`);
          }
        }
      },
    };
    reader.struct(name, visitor);
    const parts = members.flatMap((member) => {
      const json = found.get(member.name) ?? (member.presence === 'nullable' ? 'null' : undefined);
      return json === undefined ? [] : [`${JSON.stringify(member.name)}:${json}`];
    });
    return `{${parts.join(',')}}`;
  }

  return { json: struct(root), unused };
}

function located(unused: readonly Unused[], bytes: Uint8Array): UnusedKey[] {
  const places = positionsOf(
    bytes,
    unused.flatMap(({ start, end }) => [start, end]),
  );
  return unused.map(({ path }, index) => {
    const [start, end] = places.slice(2 * index) as [Position, Position];
    return { path, range: { start, end } };
  });
}
