// The part of ASN.1's distinguished encoding (X.690) that certificates use; the reader is in diagnostics.
import { DER } from '@coreiso/peers/der';

/** One element with its tag and length. */
export function element(tag: number, ...contents: readonly Uint8Array[]): Uint8Array {
  const length = contents.reduce((sum, { length: bytes }) => sum + bytes, 0);
  return joined(Uint8Array.of(tag, ...lengthBytes(length)), ...contents);
}

export function sequence(...elements: readonly Uint8Array[]): Uint8Array {
  return element(DER.sequence, ...elements);
}

/** X.690 8.3: as few bytes as possible, plus a zero byte if the first bit would make a positive number negative. */
export function integer(magnitude: Uint8Array): Uint8Array {
  const first = magnitude.findIndex((byte) => byte !== 0);
  const digits = first === -1 ? Uint8Array.of(0) : magnitude.subarray(first);
  const sign = (digits[0] ?? 0) < 0x80 ? Uint8Array.of() : Uint8Array.of(0);
  return element(DER.integer, sign, digits);
}

/** X.690 8.19, from the dotted form. */
export function objectId(dotted: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return element(DER.objectId, Uint8Array.from([first * 40 + second, ...rest].flatMap(base128)));
}

/** X.690 8.6; `unused` bits of the last byte do not count. */
export function bitString(bytes: Uint8Array, unused = 0): Uint8Array {
  return element(DER.bitString, Uint8Array.of(unused), bytes);
}

export function octetString(bytes: Uint8Array): Uint8Array {
  return element(DER.octetString, bytes);
}

/** X.690 11.1. */
export const TRUE: Uint8Array = element(DER.boolean, Uint8Array.of(0xff));

const PRINTABLE_STRING = 0x13;

/** Letters, digits and `' ( ) + , - . / : = ?` only. */
export function printableString(text: string): Uint8Array {
  return element(PRINTABLE_STRING, new TextEncoder().encode(text));
}

/** RFC 5280 4.1.2.5: two digits for the year until 2049. */
export function time(date: Date): Uint8Array {
  const digits = `${date.toISOString().replace(/\D/g, '').slice(0, 14)}Z`;
  const isShort = date.getUTCFullYear() < 2050;
  return element(
    isShort ? DER.utcTime : DER.generalizedTime,
    new TextEncoder().encode(isShort ? digits.slice(2) : digits),
  );
}

export function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** X.690 8.1.3. */
function lengthBytes(length: number): number[] {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return [0x80 + bytes.length, ...bytes];
}

function base128(number: number): number[] {
  const digits = [number % 128];
  for (let rest = Math.floor(number / 128); rest > 0; rest = Math.floor(rest / 128)) digits.unshift((rest % 128) + 128);
  return digits;
}
