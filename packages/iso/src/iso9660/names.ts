// Names and identifiers by two rules: coreos-installer's strict ones, for editing live images, and forgiving ones for
// people.
import { IsoError } from '../errors.ts';
import { JOLIET_ESCAPES, readLatin1, readUcs2Be, VOLUME } from './fields.ts';

const ALWAYS = /[A-Za-z0-9_ ]/;
const IN_NAMES = /[!"%&'()*+,\-.:<=>?]/;
/** Allowed in identifiers; a dot replaces them in file names, as in the kernel. */
const SEPARATORS = /[;/]/;

/** An identifier of a volume descriptor, strictly: a-characters in either case, up to a NUL, without padding. */
export function strictIdentifier(bytes: Uint8Array, offset: number): string {
  return strictText(bytes, offset, (character) => character).replace(/ +$/, '');
}

/** A file name of the primary tree, strictly: `VMLINUZ.;1` is `VMLINUZ`, the case stays, any other version becomes `.2`. */
export function strictName(bytes: Uint8Array, offset: number): string {
  let end = bytes.length;
  if (bytes[end - 2] === 0x3b && bytes[end - 1] === 0x31) end -= 2;
  if (bytes[end - 1] === 0x2e) end -= 1;
  return strictText(bytes.subarray(0, end), offset, () => '.');
}

function strictText(bytes: Uint8Array, offset: number, separator: (character: string) => string): string {
  let text = '';
  for (const byte of bytes) {
    if (byte === 0) break;
    const character = String.fromCharCode(byte);
    if (ALWAYS.test(character) || IN_NAMES.test(character)) text += character;
    else if (SEPARATORS.test(character)) text += separator(character);
    else throw new IsoError('ISO_BAD_NAME', `invalid string name ${quoteBytes(bytes)}`, { offset });
  }
  return text;
}

/** An identifier for people: any characters, without padding. */
export function identifier(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return decodeText(end < 0 ? bytes : bytes.subarray(0, end)).replace(/ +$/, '');
}

/** A file name of the primary tree for people: lower case, no version, no lone dot at the end. */
export function plainName(bytes: Uint8Array): string {
  return decodeText(bytes).replace(/;\d*$/, '').replace(/\.$/, '').toLowerCase();
}

/** Whether a supplementary descriptor is Joliet's: its escape sequences announce UCS-2 (Joliet 3). */
export function isJoliet(descriptor: Uint8Array): boolean {
  return JOLIET_ESCAPES.includes(readLatin1(descriptor, VOLUME.escapeSequences, 3));
}

/** A file name of the Joliet tree, without the version that some programs add. */
export function jolietName(bytes: Uint8Array): string {
  return readUcs2Be(bytes, 0, bytes.length).replace(/;\d*$/, '');
}

/** An identifier of a Joliet descriptor, without padding. */
export function jolietIdentifier(bytes: Uint8Array): string {
  return readUcs2Be(bytes, 0, bytes.length).replace(/[ \0]+$/, '');
}

/** Decodes UTF-8, which current programs write, or else one character per byte. */
export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return readLatin1(bytes, 0, bytes.length);
  }
}

/** Refuses names that would lead out of their directory once joined into a path. */
export function checkName(name: string, offset: number): string {
  if (name === '' || name === '.' || name === '..' || /[/\0]/.test(name)) {
    throw new IsoError('ISO_BAD_NAME', `${quoteText(name)} cannot be the name of a file`, { offset });
  }
  return name;
}

/** The components of a path, always relative to the root, without `.`; `..` never leads above the root. */
export function pathComponents(path: string): string[] {
  const components: string[] = [];
  for (const component of path.split('/')) {
    if (component === '..') components.pop();
    else if (component !== '' && component !== '.') components.push(component);
  }
  return components;
}

/** Text in quotes, escaped as Rust's `{:?}` does, because peers' messages contain it. */
export function quoteText(text: string): string {
  // Invisible characters, and marks that would combine with the character before them.
  const hidden = /["\\]|(?! )[\p{C}\p{Z}\p{Grapheme_Extend}]/gu;
  return `"${text.replace(hidden, (character) => SHORT_ESCAPES[character] ?? unicodeEscape(character))}"`;
}

/** Bytes in quotes, escaped as Rust's `bytes` crate prints them. */
export function quoteBytes(bytes: Uint8Array): string {
  const text = readLatin1(bytes, 0, bytes.length);
  return `b"${text.replace(/["\\]|[^ -~]/g, (character) => SHORT_ESCAPES[character] ?? byteEscape(character))}"`;
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\0': '\\0',
  '"': '\\"',
  '\\': '\\\\',
};

function unicodeEscape(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

function byteEscape(character: string): string {
  return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
}
