// Generates the TypeScript types and one JSON Schema per spec version from the table of fields.
import { type Member, SHAPES, type Shape, type ShapeName, within } from '../src/spec/fields.ts';
import { minorOf, SPEC_VERSIONS, type SpecVersion } from '../src/spec/version.ts';

const ABOUT: Record<ShapeName, string> = {
  Config: 'A whole config, in the newest spec this package knows; older specs have fewer members.',
  Ignition: 'What Ignition itself needs to know before it reads the rest.',
  ConfigReferences: 'Configs that are fetched and merged into this one, or that replace it.',
  MergeReference: 'A config that is merged into this one as its child.',
  ReplaceReference: 'A config that takes the place of this one.',
  HttpHeader: 'Sent with requests for one resource; without a value it removes its namesake in a merge.',
  Verification: 'What the fetched, decompressed bytes must hash to.',
  ProxySettings: 'Proxies used while fetching.',
  Security: 'Whom to trust while fetching.',
  Tls: 'Trust for HTTPS.',
  CertificateAuthority: 'A PEM bundle that is trusted beside those of the system.',
  Timeouts: 'Seconds to wait while fetching.',
  KernelArguments: 'Arguments that the installed system must or must not boot with.',
  Passwd: 'Accounts of the installed system.',
  Group: 'A group to create, change or delete.',
  User: 'A user to create, change or delete.',
  Storage: 'Disks, filesystems and what is put on them.',
  Owner: 'By number or by name, never both.',
  Directory: 'A directory to create.',
  Disk: 'A disk whose partition table is changed.',
  Partition: 'Found by number, or by label where the number is zero.',
  File: 'A file to create, or to append to.',
  Resource: 'Bytes from a URL.',
  Filesystem: 'A filesystem to create or reuse.',
  Link: 'A symbolic or hard link to create.',
  Luks: 'An encrypted volume to create or reuse.',
  Cex: 'Keys held by an IBM Crypto Express card.',
  Clevis: 'How an encrypted volume unlocks itself.',
  CustomPin: 'A clevis pin configured by hand.',
  Tang: 'A server that helps to unlock while it can be reached.',
  Raid: 'A software RAID array to create.',
  Systemd: 'Units of the installed system.',
  Unit: 'A systemd unit to write, enable, disable or mask.',
  Dropin: 'A file that changes a few settings of a unit.',
};

/** Maps the path of every generated file inside the package to its text. */
export function generate(): Map<string, string> {
  const files = new Map([['src/spec/generated/types.ts', types()]]);
  for (const version of SPEC_VERSIONS) {
    files.set(`src/spec/generated/${version}.json`, `${JSON.stringify(schema(version), undefined, 1)}\n`);
  }
  return files;
}

/** Shapes whose types have names that users import; all others are written inline. */
const NAMED: ReadonlySet<string> = new Set<ShapeName>([
  ...(['Config', 'Directory', 'Disk', 'File', 'Filesystem', 'Group', 'Link'] as const),
  ...(['Luks', 'Raid', 'Resource', 'Unit', 'User'] as const),
]);

const ALL = Object.entries(SHAPES) as [ShapeName, Shape][];

function types(): string {
  const named = ALL.filter(([shape]) => NAMED.has(shape));
  const interfaces = named.map(
    ([shape]) => `/** ${ABOUT[shape]} */\nexport interface ${shape} ${membersOf(shape, '')}\n`,
  );
  const others = ALL.filter(([shape]) => !NAMED.has(shape));
  const aliases = others.map(([shape]) => `/** ${ABOUT[shape]} */\nexport type ${shape} = ${placeOf(shape)};\n`);
  return `// Generated from ../fields.ts by scripts/generate.ts; do not edit.

${interfaces.join('\n')}
// Names for what is written in place above.

/** A whole number; a bigint only where a number would lose digits. */
export type Integer = number | bigint;

${aliases.join('\n')}
/** The types above by the name of their row in the table. */
export interface ShapeTypes {
${ALL.map(([shape]) => `  ${shape}: ${shape};`).join('\n')}
}
`;
}

/** The members of a shape, as written between braces. */
function membersOf(shape: ShapeName, indent: string): string {
  const lines = Object.entries(SHAPES[shape].members).flatMap(([name, member]) => {
    const must = within(member.required, SPEC_VERSIONS.length - 1);
    const about = member.type in ABOUT && !NAMED.has(member.type) ? [`/** ${ABOUT[member.type as ShapeName]} */`] : [];
    const type = typeOf(member, `${indent}  `);
    return [...about, `readonly ${name}${must ? '' : '?'}: ${type}${must ? '' : ' | undefined'};`];
  });
  return `{\n${lines.map((line) => `${indent}  ${line}\n`).join('')}${indent}}`;
}

function typeOf({ type, list }: Member, indent: string): string {
  const item = itemOf(type, indent);
  if (list === undefined) return item;
  return item.includes('|') && !item.startsWith('{') ? `readonly (${item})[]` : `readonly ${item}[]`;
}

function itemOf(type: Member['type'], indent: string): string {
  if (type === 'integer') return 'number | bigint';
  return type === 'string' || type === 'boolean' || NAMED.has(type) ? type : membersOf(type, indent);
}

/** The path to the inline type of a shape without a name. */
function placeOf(shape: ShapeName): string {
  for (const [parent, { members }] of ALL) {
    const found = Object.entries(members).find(([, { type }]) => type === shape);
    if (found === undefined) continue;
    const member = `NonNullable<${parent}['${found[0]}']>`;
    return found[1].list === undefined ? member : `${member}[number]`;
  }
  throw new Error(`nothing holds ${shape}`);
}

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

function schema(version: SpecVersion): Json {
  const minor = minorOf(version);
  const definitions: Record<string, Json> = {};
  function define(shape: ShapeName): Json {
    if (!(shape in definitions)) {
      definitions[shape] = {};
      definitions[shape] = object(shape);
    }
    return { $ref: `#/definitions/${shape}` };
  }
  function object(shape: ShapeName): Record<string, Json> {
    const members = Object.entries(SHAPES[shape].members).filter(([, member]) => (member.since ?? 0) <= minor);
    const required = members.filter(([, member]) => within(member.required, minor)).map(([name]) => name);
    return {
      description: ABOUT[shape],
      type: 'object',
      properties: Object.fromEntries(
        members.map(([name, member]) => [name, property(member, shape === 'Ignition' && name === 'version')]),
      ),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    };
  }
  function property(member: Member, isVersion: boolean): Json {
    if (isVersion) return { type: 'string', const: version };
    const { type, list } = member;
    if (type !== 'string' && type !== 'integer' && type !== 'boolean') {
      const ref = define(type);
      if (list !== undefined) return { type: 'array', items: ref };
      return within(member.nullable, minor) ? { anyOf: [ref, { type: 'null' }] } : ref;
    }
    if (list === undefined) {
      const nullable = member.nullable === undefined || within(member.nullable, minor);
      return scalar(type, member, nullable, within(member.nonEmpty, minor));
    }
    return {
      type: 'array',
      items: scalar(type, member, within(member.nullItems, minor), false),
      ...(list === 'keyed' && { uniqueItems: true }),
      ...(member.minItems !== undefined && { minItems: member.minItems }),
    };
  }
  function scalar(type: string, member: Member, nullable: boolean, nonEmpty: boolean): Json {
    const known = (spans: Member['values']) =>
      Object.entries(spans ?? {}).flatMap(([value, span]) => (within(span, minor) ? [value] : []));
    const values = member.valuesIn === undefined || within(member.valuesIn, minor) ? known(member.values) : [];
    const schemes = known(member.schemes);
    const patterns = known(member.patterns);
    if (schemes.length > 0) patterns.push(`^(?:${schemes.join('|')}):`, ...(nonEmpty ? [] : ['^$']));
    return {
      type: nullable ? [type, 'null'] : type,
      ...(values.length > 0 && { enum: nullable ? [...values, null] : values }),
      ...(patterns.length > 0 && { pattern: patterns.join('|') }),
      ...(nonEmpty && { minLength: 1 }),
      ...(member.maxLength !== undefined && { maxLength: member.maxLength }),
      ...(member.range !== undefined && { minimum: member.range[0], maximum: member.range[1] }),
    };
  }
  const root = object('Config');
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: `Ignition config ${version}`,
    ...root,
    definitions,
  };
}
