// The values allowed at a place, from the JSON Schemas of the kinds: for repairs, hover and completion.
import { member, type Node, type Path } from '@coreiso/diagnostics';
import ignition from '@coreiso/ignition/schema/3.6.0' with { type: 'json' };
import { networkStateSchema } from '@coreiso/nmstate/schema';
import { schemaFor as documentSchema } from '@coreiso/nodes-config/schema';
import { KINDS, type LanguageKind } from './kinds.ts';

/** A JSON Schema (draft 7) as plain data. */
export interface Schema {
  readonly [keyword: string]: unknown;
}

const made = new Map<LanguageKind, Schema>();

/**
 * The JSON Schema of a kind of document, for editors that validate with schemas.
 *
 * @example await writeFile('network-state.schema.json', JSON.stringify(schemaOf('network-state')))
 */
export function schemaOf(kind: LanguageKind): Schema {
  if (!KINDS.includes(kind)) throw new RangeError(`kind must be one of ${KINDS.join(', ')}, not ${String(kind)}`);
  let schema = made.get(kind);
  if (schema === undefined) {
    schema = kind === 'ignition' ? ignition : kind === 'network-state' ? networkStateSchema() : documentSchema(kind);
    made.set(kind, schema);
  }
  return schema;
}

/** All schemas that apply to the value at a path of a document, with references and alternatives resolved. */
export function shapesAt(kind: LanguageKind, root: Node | undefined, path: Path): readonly Schema[] {
  const whole = schemaOf(kind);
  let shapes = expand(whole, root, whole);
  let node = root;
  for (const step of path) {
    const name = String(step);
    const child =
      node?.kind === 'mapping'
        ? member(node, name)?.value
        : node?.kind === 'sequence'
          ? node.items[Number(step)]
          : undefined;
    shapes = shapes.flatMap((shape) => {
      const inner =
        typeof step === 'number'
          ? schema(shape['items'])
          : (schema(schema(shape['properties'])?.[name]) ?? schema(shape['additionalProperties']));
      return inner === undefined ? [] : expand(inner, child, whole);
    });
    node = child;
  }
  return shapes;
}

/** The member names allowed at a place, each with its own schema. */
export function membersOf(shapes: readonly Schema[]): ReadonlyMap<string, Schema> {
  const members = new Map<string, Schema>();
  for (const shape of shapes) {
    for (const [name, inner] of Object.entries(schema(shape['properties']) ?? {})) {
      const known = members.get(name);
      if (known === undefined || Object.keys(known).length === 0) members.set(name, schema(inner) ?? {});
    }
  }
  return members;
}

/** The JSON types that a value may have. */
export function typesOf(shapes: readonly Schema[]): ReadonlySet<string> {
  return new Set(
    shapes.flatMap(({ type }) => (Array.isArray(type) ? (type as string[]) : typeof type === 'string' ? [type] : [])),
  );
}

/** The words allowed as a value. */
export function wordsOf(shapes: readonly Schema[]): readonly string[] {
  const words = shapes.flatMap(({ enum: list, const: only, examples }) => [
    ...(Array.isArray(list) ? list : []),
    ...(only === undefined ? [] : [only]),
    ...(Array.isArray(examples) ? examples : []),
  ]);
  return [...new Set(words.filter((word) => typeof word === 'string'))];
}

/** The description of a value. */
export function descriptionOf(shapes: readonly Schema[]): string | undefined {
  return shapes.map(({ description }) => description).find((text) => typeof text === 'string');
}

function schema(value: unknown): Schema | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : undefined;
}

function list(value: unknown): readonly Schema[] {
  return Array.isArray(value) ? value.flatMap((item): Schema[] => [schema(item) ?? {}]) : [];
}

/** The depth limit for references; schemas are part of coreiso, never a user's. */
const DEEPEST = 12;

function expand(one: Schema, node: Node | undefined, whole: Schema, depth = 0): readonly Schema[] {
  if (depth > DEEPEST) return [];
  const more = (inner: readonly Schema[]): readonly Schema[] =>
    inner.flatMap((each) => expand(each, node, whole, depth + 1));
  const { $ref: ref, if: condition } = one;
  const target =
    typeof ref === 'string' ? schema(schema(whole['definitions'])?.[ref.replace('#/definitions/', '')]) : undefined;
  const branch = schema(condition);
  const chosen = branch && schema(one[holds(branch, node) ? 'then' : 'else']);
  return [
    one,
    ...more(target === undefined ? [] : [target]),
    ...more(list(one['allOf'])),
    ...more(list(one['anyOf'])),
    ...more(list(one['oneOf'])),
    ...more(chosen === undefined ? [] : [chosen]),
  ];
}

/** Whether a condition of our schemas holds: they only compare words of members. */
function holds(condition: Schema, node: Node | undefined): boolean {
  const negated = schema(condition['not']);
  if (negated !== undefined) return !holds(negated, node);
  const properties = schema(condition['properties']) ?? {};
  const required = Array.isArray(condition['required']) ? (condition['required'] as string[]) : [];
  const textOf = (name: string): string | undefined => {
    const value = node?.kind === 'mapping' ? member(node, name)?.value : undefined;
    return value?.kind === 'scalar' ? value.text : undefined;
  };
  if (required.some((name) => textOf(name) === undefined)) return false;
  return Object.entries(properties).every(([name, inner]) => {
    const text = textOf(name);
    const words = wordsOf([schema(inner) ?? {}]);
    return text === undefined || words.includes(text);
  });
}
