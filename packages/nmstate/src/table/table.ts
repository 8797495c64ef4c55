// The language of the tables. A table describes a map of the input. The reader, the TypeScript types and the JSON Schema are
// derived from it, and also the keyfile lines of properties that are written unchanged.
import type { Extent, MappingEntry, MappingNode, Node, ScalarValue } from '@coreiso/diagnostics';
import { memoize } from '../memoize.ts';
import type { Rule } from './codes.ts';
import type { Regime } from './state-findings.ts';

/** Only `true` and `false`; the lenient form also accepts 0, 1 and the words yes, no, on, off, y, n in any case. */
export interface BooleanType {
  readonly kind: 'boolean';
  readonly lenient: boolean;
}

/** A whole number; the lenient form also accepts text, in which `0x` means hexadecimal if the number is unsigned. */
export interface IntegerType {
  readonly kind: 'integer';
  readonly bits: 8 | 16 | 32 | 64;
  readonly signed: boolean;
  readonly lenient: boolean;
}

interface TextType {
  readonly kind: 'text';
}

/** An IP address, kept in canonical text. */
export interface AddressType {
  readonly kind: 'address';
  readonly version?: 6;
}

/** One of a few words. */
export interface ChoiceType {
  readonly kind: 'choice';
  readonly values: readonly string[];
  /** Other spellings and their values. */
  readonly spellings?: Readonly<Record<string, string>>;
  /** The number of leading values that can also be given by their position. */
  readonly numbered?: number;
}

/** Text in which some words have a special meaning, in lower or upper case. */
export interface OpenChoiceType {
  readonly kind: 'open-choice';
  readonly values: readonly string[];
  /** Its name in nmstate's messages. */
  readonly rust: string;
}

interface ListType {
  readonly kind: 'list';
  readonly of: Type;
}

interface SectionType {
  readonly kind: 'section';
  readonly section: Section;
}

/** A value that nmstate accepts and ignores. */
interface IgnoredType {
  readonly kind: 'ignored';
}

/** The functions of the reader for readers of single values. */
export interface ValueReader {
  readonly regime: Regime;
  /** The value of a scalar; undefined for maps and lists. */
  scalar(node: Node): ScalarValue | undefined;
  isNull(node: Node): boolean;
  text(node: Node): string | undefined;
  section(section: Section, node: Node): Readonly<Record<string, unknown>> | undefined;
  /** The entries of a map. Where the last of equal keys wins, they contain only that one. */
  entries(node: MappingNode): readonly MappingEntry[];
  /** Reads one level deeper. */
  within<T>(step: string | number, read: () => T): T;
  /** Records a mismatch of the current value. */
  refuse(place: Extent, rule: Rule, message: string, upstream: string, help?: string): undefined;
  /** Records a value of the wrong type. */
  wrongType(node: Node, wanted: string, upstreamWanted: string, help?: string): undefined;
  /** Records a key or value without effect. */
  note(severity: 'error' | 'warning', place: Extent, rule: Rule, message: string, help?: string): void;
}

/** A value with its own reader. */
export interface SpecialType {
  readonly kind: 'special';
  readonly typescript: string;
  readonly schema: Readonly<Record<string, unknown>>;
  /** Returns undefined after a mismatch. */
  read(node: Node, reader: ValueReader): unknown;
}

export type Type =
  | BooleanType
  | IntegerType
  | TextType
  | AddressType
  | ChoiceType
  | OpenChoiceType
  | ListType
  | SectionType
  | IgnoredType
  | SpecialType;

/**
 * A key of a map. Its meaning is in the comment above it, from which types and schema are generated, so that programs that read
 * states need not contain it.
 */
export interface Field {
  readonly type: Type;
  /** Replaces the comment if a message contains the meaning: for a missing or refused key. */
  readonly doc?: string;
  readonly required?: true;
  readonly aliases?: readonly string[];
  /** Set if messages must never show the value. */
  readonly secret?: true;
  /** nmstate's message if the key is present. */
  readonly refused?: string;
  /** Set if null is refused although the key is optional and its type strict. */
  readonly nullable?: false;
  /** The keyfile key under which the value is written unchanged; absent if code writes it. */
  readonly key?: string;
  /** The spelling of a boolean (`digit`: 1/0, `word`: yes/no) or a choice (`index`) in the keyfile, if it differs. */
  readonly as?: 'digit' | 'word' | 'index';
  /** Set if nmstate reads the key but does not write it to keyfiles; strict mode reports that. */
  readonly unused?: true;
  /** Set if the text is the name of another interface; `members` belong to the interface of their entry. */
  readonly names?: 'port' | 'base' | 'peer' | 'members';
}

export type Fields = Readonly<Record<string, Field>>;

export interface Section {
  /** The name of the TypeScript type. */
  readonly name: string;
  /** The name in nmstate's messages, if it differs. */
  readonly upstreamName?: string;
  readonly doc: string;
  /** How nmstate treats a key that is not in the table. */
  readonly unknownKeys: 'refused' | 'ignored';
  readonly fields: Fields;
}

export const bool: Type = { kind: 'boolean', lenient: true };
export const strictBool: Type = { kind: 'boolean', lenient: false };
export const text: Type = { kind: 'text' };
export const address: Type = { kind: 'address' };
export const ipv6Address: Type = { kind: 'address', version: 6 };
export const ignored: Type = { kind: 'ignored' };
export const u8: Type = { kind: 'integer', bits: 8, signed: false, lenient: true };
export const u16: Type = { kind: 'integer', bits: 16, signed: false, lenient: true };
export const u32: Type = { kind: 'integer', bits: 32, signed: false, lenient: true };
export const u64: Type = { kind: 'integer', bits: 64, signed: false, lenient: true };
export const i32: Type = { kind: 'integer', bits: 32, signed: true, lenient: true };
export const i64: Type = { kind: 'integer', bits: 64, signed: true, lenient: true };
export const strictU8: Type = { kind: 'integer', bits: 8, signed: false, lenient: false };
export const strictU16: Type = { kind: 'integer', bits: 16, signed: false, lenient: false };
export const strictU32: Type = { kind: 'integer', bits: 32, signed: false, lenient: false };
export const strictU64: Type = { kind: 'integer', bits: 64, signed: false, lenient: false };

export function oneOf(...values: string[]): ChoiceType {
  return { kind: 'choice', values };
}

/** A choice in which every value can also be given by its position. */
export function numbered(...values: string[]): ChoiceType {
  return { kind: 'choice', values, numbered: values.length };
}

export function listOf(of: Type): ListType {
  return { kind: 'list', of };
}

export function inside(section: Section): SectionType {
  return { kind: 'section', section };
}

/** Whether null counts as absent; nmstate refuses null for lenient types. */
export function isNullable({ type, required, nullable }: Field): boolean {
  if (required || nullable === false || type.kind === 'ignored') return false;
  if (type.kind === 'boolean' || type.kind === 'integer') return !type.lenient;
  return type.kind !== 'choice' || type.numbered === undefined;
}

interface TableFacts {
  /** Every accepted spelling of the table's keys, with the key. */
  readonly spellings: ReadonlyMap<string, { readonly name: string; readonly field: Field }>;
  readonly required: readonly (readonly [name: string, field: Field])[];
}

/** The facts about a table, computed once. */
export const factsOf: (fields: Fields) => TableFacts = memoize((fields) => {
  const spellings = new Map<string, { name: string; field: Field }>();
  for (const [name, field] of Object.entries(fields)) {
    for (const spelling of [name, ...(field.aliases ?? [])]) spellings.set(spelling, { name, field });
  }
  return { spellings, required: Object.entries(fields).filter(([, { required }]) => required) };
});
