/**
 * The parts of a message about an input. This file makes coreiso's own message from them; a drop-in for another program can use
 * that program's words.
 */
import type { Diagnostic } from '@coreiso/diagnostics';

/** The value that was found instead of the expected type. */
export type FoundValue =
  | { readonly kind: 'null' | 'list' | 'object' }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'integer'; readonly value: bigint }
  | { readonly kind: 'float'; readonly value: number }
  | { readonly kind: 'string'; readonly value: string };

/** An object of an Ignition config. */
export interface ObjectName {
  /** Its name in the specification. */
  readonly shape: string;
  /** The member that holds it. */
  readonly holder: string;
  /** The minor version of the spec; undefined while only the version is read. */
  readonly minor: number | undefined;
}

/** The expected type of a value. */
export type ExpectedType = 'string' | 'boolean' | 'integer' | 'list' | 'object' | 'key';

/** Messages about text that is not JSON. */
const SYNTAX = {
  'bad-escape': 'invalid escape in a string',
  'bad-number': 'invalid number',
  'bad-utf8': 'the string is not UTF-8',
  'comma-at-end': 'there is a comma before the end',
  'control-character': 'there is a control character in a string',
  'cut-surrogate': 'the second half of a surrogate pair is missing',
  'ends-in-list': 'the text ends within a list',
  'ends-in-object': 'the text ends within an object',
  'ends-in-string': 'the text ends within a string',
  'ends-in-value': 'the text ends where a value is expected',
  'huge-number': 'the number is too large',
  'lone-surrogate': 'the string has an unpaired surrogate',
  'more-text': 'there is more text after the end',
  'no-colon': 'a colon is expected',
  'no-comma-in-list': 'a comma or the end of the list is expected',
  'no-comma-in-object': 'a comma or the end of the object is expected',
  'no-key': 'a key in double quotes is expected',
  'no-literal': 'only true, false and null are written without quotes',
  'no-value': 'a value is expected',
} as const;

/** Why a text is not JSON. */
export type JsonSyntaxFault = keyof typeof SYNTAX;

/** Why a text is not the expected JSON. */
export type JsonFault =
  | { readonly kind: JsonSyntaxFault }
  | { readonly kind: 'wrong-type'; readonly found: FoundValue; readonly expected: ExpectedType | ObjectName }
  | { readonly kind: 'huge-integer'; readonly value: bigint }
  | { readonly kind: 'repeated-member' | 'missing-member'; readonly member: string }
  /** A list may replace an object, but this one has fewer items than the object has members. */
  | { readonly kind: 'short-list'; readonly length: number; readonly object: ObjectName; readonly members: number };

/** Why a text is not the YAML of an installer config. */
export type InstallerFault =
  | { readonly kind: 'syntax'; readonly finding: Diagnostic | undefined }
  | { readonly kind: 'more-documents' }
  | { readonly kind: 'wrong-type'; readonly found: FoundValue; readonly expected: ExpectedType }
  | { readonly kind: 'unknown-key'; readonly key: string; readonly known: readonly string[] }
  | { readonly kind: 'repeated-key'; readonly key: string }
  /** The setting does not accept the text. */
  | { readonly kind: 'bad-setting'; readonly key: string; readonly text: string };

/** A mistake in an input, by the kind of input. */
export type InputFault =
  /** `end` is the number of bytes up to and including the refused one. */
  | { readonly input: 'ignition'; readonly fault: JsonFault; readonly end: number }
  | { readonly input: 'ignition-version'; readonly version: string }
  | { readonly input: 'installer-config'; readonly fault: InstallerFault }
  /** Without a finding the input is not text. */
  | { readonly input: 'network-state'; readonly finding: Diagnostic | undefined };

const NAMES: Readonly<Record<ExpectedType | FoundValue['kind'], string>> = {
  boolean: 'true or false',
  float: 'a number with a fraction',
  integer: 'a whole number',
  key: 'a key',
  list: 'a list',
  null: 'null',
  object: 'an object',
  string: 'a string',
};

export function jsonFaultText(fault: JsonFault): string {
  switch (fault.kind) {
    case 'wrong-type':
      return wrongTypeText(fault.found, typeof fault.expected === 'string' ? fault.expected : 'object');
    case 'huge-integer':
      return 'the number does not fit 64 bits';
    case 'repeated-member':
      return `${fault.member} is given twice`;
    case 'missing-member':
      return `${fault.member} is missing`;
    case 'short-list':
      return `expected an object, not a list of ${fault.length}`;
    default:
      return SYNTAX[fault.kind];
  }
}

export function wrongTypeText(found: FoundValue, expected: ExpectedType): string {
  return `expected ${NAMES[expected]}, not ${NAMES[found.kind]}`;
}
