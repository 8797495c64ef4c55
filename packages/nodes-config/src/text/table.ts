// The shape of a document, as data: the decoder, the suggestions for unknown keys and the JSON Schemas read the same
// tables.
import type { Node, Path, TextDocument } from '@coreiso/diagnostics';
import type { Cidr } from '@coreiso/peers/ip';

/** How a value is decoded into Go's type of that name. */
export type FieldType =
  /** Numbers and booleans become text, except with `exact`. */
  | { readonly kind: 'text'; readonly exact?: boolean; readonly values?: readonly string[]; readonly pattern?: string }
  /** `optional` is a pointer in Go; `goType` is given if it is not `int`. */
  | { readonly kind: 'integer'; readonly optional?: boolean; readonly goType?: string }
  /** `optional` is a pointer in Go, so that false differs from absent. */
  | { readonly kind: 'boolean'; readonly optional?: boolean }
  /** With `pointers`, Go keeps an empty item as nil, and upstream crashes on it. */
  | { readonly kind: 'list'; readonly of: FieldType; readonly pointers?: boolean }
  /** `optional` is a pointer in Go, so that an empty section differs from an absent one. */
  | { readonly kind: 'section'; readonly section: () => Section<object>; readonly optional?: boolean }
  /** A network as `address/length`, with its host bits. */
  | { readonly kind: 'cidr' }
  /** Members with any name and text values. */
  | { readonly kind: 'labels' }
  /** A network state, kept for nmstate. */
  | { readonly kind: 'network' }
  /** Any value, kept unchanged. */
  | { readonly kind: 'raw' }
  /** Any value, ignored. */
  | { readonly kind: 'any' };

/** The phantom member ties a field to the type of its value. */
export interface Field<T> {
  readonly type: FieldType;
  /** For editors; one sentence. */
  readonly doc: string;
  /** Whether upstream's rules require it. */
  readonly required?: boolean;
  /** Whether Go writes it even if it is empty. */
  readonly kept?: boolean;
  readonly value?: T;
}

/** A map of a document: its fields by name. */
export interface Section<T extends object> {
  /** Go's name of the type, as its decoder prints it. */
  readonly goType: string;
  readonly doc: string;
  readonly fields: { readonly [K in keyof T]-?: Field<T[K]> };
}

/** The types of a table's values. */
type ValuesOf<Fields> = { [K in keyof Fields]: Fields[K] extends Field<infer Value> ? Value : never };

/**
 * A table whose type follows from its fields.
 *
 * @example section('types.Proxy', 'The proxy.', { httpProxy: text('Proxy for http.') })
 */
export function section<Fields extends Record<string, Field<unknown>>>(
  goType: string,
  doc: string,
  fields: Fields,
): Section<ValuesOf<Fields>> {
  // Each field is under its own name, with its own type; the compiler does not follow that through the mapping.
  return { goType, doc, fields } as unknown as Section<ValuesOf<Fields>>;
}

/**
 * The same field, but written by Go even if it is empty.
 *
 * @example kept(text('Name.'))
 */
export function kept<T>(field: Field<T>): Field<T> {
  return { ...field, kept: true };
}

/**
 * A text; numbers and words of YAML become the text that Go writes.
 *
 * @example { hostname: text('The name of the node.') }
 */
export function text(doc: string, options: { values?: readonly string[]; pattern?: string } = {}): Field<string> {
  return { type: { kind: 'text', ...options }, doc };
}

/**
 * Text that must be written as text: `apiVersion: 1` is an error.
 *
 * @example { apiVersion: exactText('Always v1.', { values: ['v1'] }) }
 */
export function exactText(doc: string, options: { values?: readonly string[] } = {}): Field<string> {
  return { type: { kind: 'text', exact: true, ...options }, doc };
}

/**
 * A whole number.
 *
 * @example { replicas: integer('How many machines.') }
 */
export function integer(doc: string): Field<number> {
  return { type: { kind: 'integer' }, doc };
}

/**
 * A number that can also be left out.
 *
 * @example optionalInteger('How many.', 'int64')
 */
export function optionalInteger(doc: string, goType: string): Field<number | undefined> {
  return { type: { kind: 'integer', optional: true, goType }, doc };
}

/**
 * A boolean; false by default.
 *
 * @example { fips: boolean('Whether to use FIPS cryptography.') }
 */
export function boolean(doc: string): Field<boolean> {
  return { type: { kind: 'boolean' }, doc };
}

/**
 * A boolean that can also be left out.
 *
 * @example { rotational: optionalBoolean('Whether the disk rotates.') }
 */
export function optionalBoolean(doc: string): Field<boolean | undefined> {
  return { type: { kind: 'boolean', optional: true }, doc };
}

/**
 * A list of texts.
 *
 * @example { additionalNTPSources: textList('Time servers.') }
 */
export function textList(doc: string): Field<readonly string[]> {
  return { type: { kind: 'list', of: { kind: 'text' } }, doc };
}

/**
 * Texts by name.
 *
 * @example { labels: labels('Names and values.') }
 */
export function labels(doc: string): Field<Readonly<Record<string, string>>> {
  return { type: { kind: 'labels' }, doc };
}

/**
 * Any value; it is ignored.
 *
 * @example { status: anything('Not read.') }
 */
export function anything(doc: string): Field<undefined> {
  return { type: { kind: 'any' }, doc };
}

/**
 * Any value, kept to be written again.
 *
 * @example { pki: rawValue('Certificates.') }
 */
export function rawValue(doc: string): Field<Node | undefined> {
  return { type: { kind: 'raw' }, doc };
}

/**
 * A map with its own table.
 *
 * @example { metadata: nested('Name and namespace.', () => METADATA) }
 */
export function nested<T extends object>(doc: string, section: () => Section<T>): Field<T> {
  return { type: { kind: 'section', section }, doc };
}

/**
 * A map that can also be left out.
 *
 * @example optionalNested('The proxy.', () => PROXY)
 */
export function optionalNested<T extends object>(doc: string, section: () => Section<T>): Field<T | undefined> {
  return { type: { kind: 'section', section, optional: true }, doc };
}

/**
 * A network as `address/length`.
 *
 * @example cidr('The machine network.')
 */
export function cidr(doc: string): Field<Cidr | undefined> {
  return { type: { kind: 'cidr' }, doc };
}

/**
 * A list of networks.
 *
 * @example cidrList('Networks of services.')
 */
export function cidrList(doc: string): Field<readonly Cidr[]> {
  return { type: { kind: 'list', of: { kind: 'cidr' } }, doc };
}

/**
 * A list of sections; with `pointers` an empty item is kept, like nil in Go.
 *
 * @example listOf('The hosts.', () => HOST, { pointers: true })
 */
export function listOf<T extends object>(
  doc: string,
  section: () => Section<T>,
  options: { pointers?: boolean; required?: boolean } = {},
): Field<readonly T[]> {
  const { pointers = false, required = false } = options;
  return { type: { kind: 'list', of: { kind: 'section', section }, pointers }, doc, ...(required ? { required } : {}) };
}

/** A network state in its two forms. */
export interface NetworkText {
  readonly path: Path;
  readonly node: Node;
  /** The document that the node belongs to. */
  readonly document: Pick<TextDocument, 'range'>;
  /** Block style, keys sorted. */
  readonly text: string;
}

/**
 * A network state, kept as nodes and as the text that a Go program writes for them.
 *
 * @example { networkConfig: networkState('The network of the host, for nmstate.') }
 */
export function networkState(doc: string): Field<NetworkText | undefined> {
  return { type: { kind: 'network' }, doc };
}

/** The name of a type in messages of Go's decoder. */
export function goTypeName(type: FieldType): string {
  switch (type.kind) {
    case 'text':
      return 'string';
    case 'integer':
      return type.goType ?? 'int';
    case 'boolean':
      return 'bool';
    case 'list':
      return `[]${type.pointers ? '*' : ''}${goTypeName(type.of)}`;
    case 'section':
      return type.section().goType;
    case 'cidr':
      return 'string';
    case 'labels':
      return 'map[string]string';
    case 'network':
    case 'raw':
    case 'any':
      return 'interface {}';
  }
}
