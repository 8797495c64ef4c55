// The content of a PKCS#10 request (RFC 2986), parsed so strictly that no other parser can read it differently: the signer is Go's
// `crypto/x509`, which skips trailing elements, takes the last of several names and ignores attributes that it cannot parse. All of that
// is refused.
import { DER, type DerElement, derElements, objectIdText } from '@coreiso/peers/der';
import { hex } from '@coreiso/peers/go';
import { canonicalAddressAsGo, formatAddress } from '@coreiso/peers/ip';

/** The content of a certificate request. */
export interface RequestContent {
  /** The subject as in RFC 4514: last part first, control characters escaped. */
  readonly subject: string;
  readonly commonNames: readonly string[];
  readonly organizations: readonly string[];
  /** Parts of the subject other than common name and organisation. */
  readonly otherParts: number;
  readonly dnsNames: readonly string[];
  readonly addresses: readonly string[];
  /** Alternative names that are neither DNS names nor addresses. */
  readonly otherNames: number;
  /** Extensions and attributes other than the alternative names. */
  readonly otherExtensions: readonly string[];
  /** The bytes of the public key that the fingerprint hashes. */
  readonly publicKey: Uint8Array;
}

/** The content, or the reason for the refusal. */
export type ContentReading =
  | { readonly ok: true; readonly content: RequestContent }
  | { readonly ok: false; readonly problem: string };

/** Reads the bytes of a request. */
export function readContent(der: Uint8Array): ContentReading {
  try {
    return { ok: true, content: contentOf(der) };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, problem: error.message };
    throw error;
  }
}

/** Only thrown and caught in this file. */
class Refusal extends Error {}

const COMMON_NAME = '2.5.4.3';
const ORGANIZATION = '2.5.4.10';
/** RFC 4514 section 3. */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  [COMMON_NAME]: 'CN',
  [ORGANIZATION]: 'O',
  '2.5.4.11': 'OU',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.9': 'STREET',
  '2.5.4.5': 'SERIALNUMBER',
  '2.5.4.17': 'POSTALCODE',
};
/** RFC 2985 section 5.4.2. */
const EXTENSION_REQUEST = '1.2.840.113549.1.9.14';
/** RFC 5280 section 4.2.1.6. */
const ALTERNATIVE_NAMES = '2.5.29.17';
const DNS_NAME = 0x82;
const IP_ADDRESS = 0x87;
/** The attributes of a request: implicit context tag 0. */
const ATTRIBUTES = 0xa0;
const UTF8_STRING = 0x0c;
const PRINTABLE_STRING = 0x13;

/** RFC 2986 section 4: version, subject, key, attributes; signed as a whole. */
function contentOf(der: Uint8Array): RequestContent {
  const [request] = exactly(1, derElements(der), 'the request');
  const [info, algorithm, signature] = exactly(3, within(request, DER.sequence, 'the request'), 'the request');
  const [version, subject, key, attributes] = exactly(4, within(info, DER.sequence, 'its info'), 'its info');
  if (version?.tag !== DER.integer || hex(version.content) !== '00') throw new Refusal('its version is not 0');
  checkAlgorithm(algorithm, 'its signature algorithm');
  checkBits(signature, 'its signature');
  checkKey(key);
  return {
    ...readSubject(subject),
    ...readAttributes(attributes),
    publicKey: key?.whole ?? new Uint8Array(),
  };
}

function checkKey(key: DerElement | undefined): void {
  const [algorithm, bits] = exactly(2, within(key, DER.sequence, 'its key'), 'its key');
  checkAlgorithm(algorithm, 'the algorithm of its key');
  checkBits(bits, 'its key');
}

/** RFC 5280 section 4.1.1.2: an identifier, and parameters of any kind. */
function checkAlgorithm(element: DerElement | undefined, what: string): void {
  const members = within(element, DER.sequence, what);
  if (members.length > 2) throw new Refusal(`${what} has too many members`);
  objectId(members[0], what);
}

/** Keys and signatures are whole bytes: the count of unused bits (X.690 8.6.2.2) is zero. */
function checkBits(element: DerElement | undefined, what: string): void {
  const isWhole = element?.tag === DER.bitString && element.content.length > 1 && element.content[0] === 0;
  if (!isWhole) throw new Refusal(`${what} is not a string of whole bytes`);
}

type Subject = Pick<RequestContent, 'subject' | 'commonNames' | 'organizations' | 'otherParts'>;

function readSubject(subject: DerElement | undefined): Subject {
  const parts = within(subject, DER.sequence, 'its subject').map((set) => {
    const members = within(set, DER.set, 'a part of its subject');
    if (members.length === 0) throw new Refusal('a part of its subject is empty');
    return members.map((part) => {
      const [type, value] = exactly(2, within(part, DER.sequence, 'a part of its subject'), 'a part of its subject');
      return { type: objectId(type, 'a part of its subject'), value: textIn(value) };
    });
  });
  const flat = parts.flat();
  const valuesOf = (type: string) => flat.filter((part) => part.type === type).map(({ value }) => value);
  return {
    subject: [...parts]
      .reverse()
      .map((set) => set.map(({ type, value }) => `${SHORT_NAMES[type] ?? type}=${escaped(value)}`).join('+'))
      .join(','),
    commonNames: valuesOf(COMMON_NAME),
    organizations: valuesOf(ORGANIZATION),
    otherParts: flat.filter(({ type }) => type !== COMMON_NAME && type !== ORGANIZATION).length,
  };
}

/** The two string types that kubelets write; parsers disagree about the older ones. Every byte counts, also a byte order mark. */
function textIn(element: DerElement | undefined): string {
  if (element?.tag !== UTF8_STRING && element?.tag !== PRINTABLE_STRING) {
    throw new Refusal('its subject has a value that is neither a UTF8String nor a PrintableString');
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(element.content);
    // X.680 41.4.
    if (element.tag === UTF8_STRING || /^[A-Za-z0-9 '()+,\-./:=?]*$/.test(text)) return text;
  } catch {
    throw new Refusal('its subject has a value that is not UTF-8');
  }
  throw new Refusal('its subject has a PrintableString with other characters');
}

/** RFC 4514 section 2.4; invisible characters are escaped as bytes. */
function escaped(value: string): string {
  return value
    .replace(/["+,;<>\\]|^[ #]| $/g, '\\$&')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
      [...new TextEncoder().encode(character)].map((byte) => `\\${hex(Uint8Array.of(byte))}`).join(''),
    );
}

type Names = Pick<RequestContent, 'dnsNames' | 'addresses' | 'otherNames' | 'otherExtensions'>;

function readAttributes(attributes: DerElement | undefined): Names {
  const names = { dnsNames: [] as string[], addresses: [] as string[], otherNames: 0, otherExtensions: [] as string[] };
  const seen = new Set<string>();
  const once = (id: string, what: string): string => {
    if (seen.has(id)) throw new Refusal(`${what} ${id} appears twice`);
    seen.add(id);
    return id;
  };
  for (const attribute of within(attributes, ATTRIBUTES, 'its attributes')) {
    const [type, values] = exactly(2, within(attribute, DER.sequence, 'an attribute'), 'an attribute');
    const attributeType = once(objectId(type, 'an attribute'), 'attribute');
    const list = exactly(1, within(values, DER.set, 'an attribute'), 'the values of an attribute');
    if (attributeType !== EXTENSION_REQUEST) {
      names.otherExtensions.push(attributeType);
      continue;
    }
    for (const extension of within(list[0], DER.sequence, 'its extensions')) {
      const { id, value } = readExtension(extension);
      if (once(id, 'extension') === ALTERNATIVE_NAMES) addAlternativeNames(value, names);
      else names.otherExtensions.push(id);
    }
  }
  return names;
}

/** RFC 5280 section 4.1: an identifier, whether it is critical (default: no), and the value. */
function readExtension(extension: DerElement): { readonly id: string; readonly value: Uint8Array } {
  const [type, ...rest] = within(extension, DER.sequence, 'an extension');
  const value = rest.at(-1);
  const critical = rest.length === 2 ? rest[0] : undefined;
  // X.690 11.1 and 11.5: true is 0xff, and false is left out.
  const isCritical = critical === undefined || (critical.tag === DER.boolean && hex(critical.content) === 'ff');
  if (rest.length > 2 || !isCritical || value?.tag !== DER.octetString) {
    throw new Refusal('an extension has unexpected members');
  }
  return { id: objectId(type, 'an extension'), value: value.content };
}

function addAlternativeNames(
  value: Uint8Array,
  names: { dnsNames: string[]; addresses: string[]; otherNames: number },
): void {
  const [list] = exactly(1, derElements(value), 'its alternative names');
  const members = within(list, DER.sequence, 'its alternative names');
  if (members.length === 0) throw new Refusal('its alternative names are empty');
  for (const { tag, content } of members) {
    if (tag === DNS_NAME) names.dnsNames.push(dnsName(content));
    else if (tag === IP_ADDRESS) names.addresses.push(addressText(content));
    else names.otherNames++;
  }
}

function dnsName(bytes: Uint8Array): string {
  const text = new TextDecoder('latin1').decode(bytes);
  if (!/^[!-~]+$/.test(text)) throw new Refusal('an alternative name has invalid characters');
  return text;
}

/** RFC 5280 section 4.2.1.6: four bytes or sixteen; Go issues an IPv4 address in sixteen bytes as one in four. */
function addressText(bytes: Uint8Array): string {
  const version = ({ 4: 4, 16: 6 } as const)[bytes.length];
  if (version === undefined) throw new Refusal(`an address has ${bytes.length} bytes`);
  const text = formatAddress({ version, value: BigInt(`0x${hex(bytes)}`) });
  return canonicalAddressAsGo(text) ?? text;
}

function objectId(element: DerElement | undefined, what: string): string {
  const text = element?.tag === DER.objectId ? objectIdText(element.content) : undefined;
  if (text === undefined) throw new Refusal(`${what} has no type`);
  return text;
}

/** The child elements of an element with this tag. */
function within(element: DerElement | undefined, tag: number, what: string): readonly DerElement[] {
  const members = element?.tag === tag ? derElements(element.content) : undefined;
  if (members === undefined) throw new Refusal(`${what} has the wrong form for a certificate request`);
  return members;
}

function exactly(count: number, members: readonly DerElement[] | undefined, what: string): readonly DerElement[] {
  if (members === undefined) throw new Refusal(`${what} has the wrong form for a certificate request`);
  if (members.length > count) throw new Refusal(`extra bytes follow ${what}`);
  if (members.length < count) throw new Refusal(`${what} is truncated`);
  return members;
}
