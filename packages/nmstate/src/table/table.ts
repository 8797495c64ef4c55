// The language of the tables in `tables/`. One table describes one map of the input; the reader, the TypeScript types and
// the JSON Schema are all derived from it, and so is the keyfile line of a property that is written as it stands.
import type { Extent, MappingEntry, MappingNode, Node, ScalarValue } from '@coreiso/diagnostics';
import { memoize } from '../memoize.ts';
import type { Rule } from './codes.ts';
import type { Regime } from './state-findings.ts';

/** Only `true` and `false`; the lenient form also takes 0, 1 and the words yes, no, on, off, y, n in any case. */
export interface BooleanType {
  readonly kind: 'boolean';
  readonly lenient: boolean;
}

/** A whole number; the lenient form also takes text, where `0x` marks hexadecimal if the number is unsigned. */
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
  /** Other spellings and the value they stand for. */
  readonly spellings?: Readonly<Record<string, string>>;
  /** How many of the values, from the first on, can also be given by their position. */
  readonly numbered?: number;
}

/** Text in which some words have a meaning of their own, in either case. */
export interface OpenChoiceType {
  readonly kind: 'open-choice';
  readonly values: readonly string[];
  /** What nmstate calls it in its messages. */
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

/** Read for nothing: nmstate takes any value and forgets it. */
interface IgnoredType {
  readonly kind: 'ignored';
}

/** What the reader of one value asks of the reader of the whole. */
export interface ValueReader {
  readonly regime: Regime;
  /** The value of a scalar; undefined for a map or a list. */
  scalar(node: Node): ScalarValue | undefined;
  isNull(node: Node): boolean;
  text(node: Node): string | undefined;
  section(section: Section, node: Node): Readonly<Record<string, unknown>> | undefined;
  /** The entries of a map by their keys; where the last of two equal keys wins, only that one. */
  entries(node: MappingNode): readonly MappingEntry[];
  /** Reads one step further down. */
  within<T>(step: string | number, read: () => T): T;
  /** Records a mismatch of the value that is being read. */
  refuse(place: Extent, rule: Rule, message: string, upstream: string, help?: string): undefined;
  /** A value of the wrong type altogether. */
  wrongType(node: Node, wanted: string, upstreamWanted: string, help?: string): undefined;
  /** Records something without effect. */
  note(severity: 'error' | 'warning', place: Extent, rule: Rule, message: string, help?: string): void;
}

/** A value with a reader of its own. */
export interface SpecialType {
  readonly kind: 'special';
  readonly typescript: string;
  readonly schema: Readonly<Record<string, unknown>>;
  /** Returns undefined after having reported a mismatch. */
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
 * A key of a map. What it means is above it as a comment, from which types and schema have it: a program that reads states need
 * not carry it.
 */
export interface Field {
  readonly type: Type;
  /** In place of the comment where a message says it: of a key that is missing or refused. */
  readonly doc?: string;
  readonly required?: true;
  readonly aliases?: readonly string[];
  /** Set on what must never show in a message. */
  readonly secret?: true;
  /** What nmstate says when the key is there at all. */
  readonly refused?: string;
  /** Set where an explicit null is refused although the key is optional and its type strict. */
  readonly nullable?: false;
  /** The keyfile key under which the value is written as it stands; absent where code decides. */
  readonly key?: string;
  /** How a boolean (`digit`: 1/0, `word`: yes/no) or a choice (`index`) is spelt in the keyfile, if not as it stands. */
  readonly as?: 'digit' | 'word' | 'index';
  /** Set on what nmstate reads and then ignores when it writes keyfiles; strict mode says so. */
  readonly unused?: true;
  /** Set where the text is the name of another interface; `members` stand for the interface whose entry they are in. */
  readonly names?: 'port' | 'base' | 'peer' | 'members';
}

export type Fields = Readonly<Record<string, Field>>;

export interface Section {
  /** The name of the TypeScript type. */
  readonly name: string;
  /** nmstate's name in its messages, if it is another one. */
  readonly upstreamName?: string;
  readonly doc: string;
  /** What nmstate does with a key that is not in the table. */
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

/** Whether null stands for nothing; where nmstate is lenient about the type it is strict about that. */
export function isNullable({ type, required, nullable }: Field): boolean {
  if (required || nullable === false || type.kind === 'ignored') return false;
  if (type.kind === 'boolean' || type.kind === 'integer') return !type.lenient;
  return type.kind !== 'choice' || type.numbered === undefined;
}

interface TableFacts {
  /** Every accepted spelling of the table's keys, and the key. */
  readonly spellings: ReadonlyMap<string, { readonly name: string; readonly field: Field }>;
  readonly required: readonly (readonly [name: string, field: Field])[];
}

/** Worked out once per table. */
export const factsOf: (fields: Fields) => TableFacts = memoize((fields) => {
  const spellings = new Map<string, { name: string; field: Field }>();
  for (const [name, field] of Object.entries(fields)) {
    for (const spelling of [name, ...(field.aliases ?? [])]) spellings.set(spelling, { name, field });
  }
  return { spellings, required: Object.entries(fields).filter(([, { required }]) => required) };
});
