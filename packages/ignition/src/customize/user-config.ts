/**
 * Reads a user's Ignition config and writes it again as coreos-installer does: members in the order of its schema, absent
 * nullable scalars as `null`, unknown keys dropped. Only types are checked.
 */
import { formatPath, type Path, type Position, type Range } from '@coreiso/diagnostics';
import type { SpecVersion } from '../spec/version.ts';
import { type List, type MemberType, type Struct, type StructMember, structOf, VERSION_ONLY } from './config-struct.ts';
import { jsonFaultText } from './fault.ts';
import { JsonRefusal } from './json-cursor.ts';
import { Refusal } from './refusal.ts';
import { type StructVisitor, TypedJsonReader } from './typed-json.ts';

/** A key that its object does not have, as the warning spells it. */
interface UnusedKey {
  readonly path: Path;
  readonly range: Range;
}

export interface UserConfig {
  /** Compact JSON, or the original bytes if the spec is newer than known. */
  readonly json: Uint8Array;
  /** The same as a separate file, with a final newline unless it has the original bytes. */
  readonly file: Uint8Array;
  readonly version: string;
  /** Whether the spec is newer than known, so that nothing was checked or rewritten. */
  readonly newer: boolean;
  readonly unused: readonly UnusedKey[];
}

export interface UserConfigOptions {
  /** How to treat an unknown newer 3.x spec. */
  readonly newer: 'pass' | 'refuse';
}

const REWRITTEN: readonly SpecVersion[] = ['3.0.0', '3.1.0', '3.2.0', '3.3.0', '3.4.0', '3.5.0', '3.6.0'];
const VERSION_PATH = ['ignition', 'version'];

/** Reads a config named `name`, or throws a `Refusal`. */
export function readUserConfig(bytes: Uint8Array, name: string, options: UserConfigOptions): UserConfig {
  const context = `parsing Ignition config ${name}`;
  const path: (string | number)[] = [];
  try {
    const version = readVersion(bytes, context, path);
    const known = REWRITTEN.find((spec) => spec === version.text);
    if (known !== undefined) {
      const { json, unused } = read(new TypedJsonReader(bytes), structOf(known), path);
      const file = new TextEncoder().encode(`${json}\n`);
      return { json: file.subarray(0, -1), file, version: known, newer: false, unused: withPositions(unused, bytes) };
    }
    if (options.newer === 'pass' && version.major === 3n && version.minor >= BigInt(REWRITTEN.length)) {
      return { json: bytes, file: bytes, version: version.text, newer: true, unused: [] };
    }
    throw new Refusal('version-unsupported', [context, `unsupported config version: ${version.text}`], {
      path: VERSION_PATH,
    });
  } catch (error) {
    if (!(error instanceof JsonRefusal)) throw error;
    const { fault, offset: end = 0 } = error;
    const place = path.length === 0 ? '' : `${formatPath(path)}: `;
    const [from, to] = positionsOf(bytes, [Math.max(0, end - 1), end]) as [Position, Position];
    throw new Refusal('invalid-json', [context, `${place}${jsonFaultText(fault)}`], {
      path,
      range: { start: from, end: to },
      fault: { input: 'ignition', fault, end },
    });
  }
}

const NUMBER = '(0|[1-9][0-9]*)';
const PRE_RELEASE = '(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)';
/** Semantic Versioning 2.0.0, 2, 9 and 10. */
const SEMANTIC_VERSION = new RegExp(
  `^${NUMBER}\\.${NUMBER}\\.${NUMBER}(?:-${PRE_RELEASE}(?:\\.${PRE_RELEASE})*)?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$`,
);
const U64_MAX = 2n ** 64n - 1n;

function readVersion(bytes: Uint8Array, context: string, path: (string | number)[]) {
  const reader = new TypedJsonReader(bytes);
  const { json } = read(reader, VERSION_ONLY, path);
  reader.finish();
  const { version: text } = (JSON.parse(json) as { ignition: { version: string } }).ignition;
  const numbers = SEMANTIC_VERSION.exec(text)?.slice(1, 4) ?? [];
  // Checks the length first, because the conversion of a million digits takes quadratic time.
  if (numbers.length === 3 && numbers.every((number) => number.length <= 20 && BigInt(number) <= U64_MAX)) {
    const [major = 0n, minor = 0n] = numbers.map(BigInt);
    return { major, minor, text };
  }
  throw new Refusal('version-unsupported', [context, `${JSON.stringify(text)} is not a version such as 3.5.0`], {
    path: VERSION_PATH,
    fault: { input: 'ignition-version', version: text },
  });
}

/** An unused key and its range of bytes. */
interface UnusedKeyRange {
  readonly path: Path;
  readonly start: number;
  readonly end: number;
}

/** Reads a config. `path` is the current place, and after a refusal the place where it stopped. */
function read(
  reader: TypedJsonReader,
  root: Struct,
  path: (string | number)[],
): { json: string; unused: UnusedKeyRange[] } {
  const unused: UnusedKeyRange[] = [];

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
            if (found.has(member.name)) throw new JsonRefusal({ kind: 'repeated-member', member: member.name });
            reader.memberValue(() => take(member, member.name));
          }
        }
        const missing = members.find((member) => member.presence === 'required' && !found.has(member.name));
        if (missing !== undefined) throw new JsonRefusal({ kind: 'missing-member', member: missing.name });
      },
      elements(nextElement) {
        for (const [index, member] of members.entries()) {
          if (nextElement()) take(member, index);
          else if (member.presence !== 'nullable') {
            throw new JsonRefusal({ kind: 'short-list', length: index, object: name, members: members.length });
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

function withPositions(unused: readonly UnusedKeyRange[], bytes: Uint8Array): UnusedKey[] {
  const places = positionsOf(
    bytes,
    unused.flatMap(({ start, end }) => [start, end]),
  );
  return unused.map(({ path }, index) => {
    const [start, end] = places.slice(2 * index) as [Position, Position];
    return { path, range: { start, end } };
  });
}

const LF = 0x0a;
const CR = 0x0d;

/** The positions of ascending byte offsets in UTF-8 text, counted in one pass. */
function positionsOf(bytes: Uint8Array, offsets: readonly number[]): Position[] {
  let at = 0;
  let offset = 0;
  let line = 1;
  let column = 1;
  return offsets.map((wanted) => {
    for (; at < Math.min(wanted, bytes.length); at++) {
      const byte = bytes[at] ?? 0;
      if (byte === LF || (byte === CR && bytes[at + 1] !== LF)) {
        line += 1;
        column = 1;
        offset += 1;
      } else if ((byte & 0xc0) !== 0x80) {
        column += 1;
        offset += byte >= 0xf0 ? 2 : 1;
      }
    }
    return { offset, line, column };
  });
}
