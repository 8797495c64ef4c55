// ASN.1 in its distinguished encoding (X.690), as far as certificates and certificate requests use it, and PEM, its text form.
import { decodeBase64, encodeBase64 } from './go/base64.ts';
import type { OwnBytes } from './go/bytes.ts';

/** One element: its tag and its content. */
export interface DerElement {
  readonly tag: number;
  readonly content: Uint8Array;
  /** The whole element with tag and length, as it is signed or hashed. */
  readonly whole: Uint8Array;
}

/**
 * Tags of X.680 8.4, with the constructed bit where it is always set.
 *
 * @example element.tag === DER.sequence
 */
export const DER = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectId: 0x06,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

/** X.690 8.1.2.4: if all these bits are set, the tag has several bytes; certificates have no such tags. */
const LONG_TAG = 0x1f;

/**
 * Reads the sequence of elements in `bytes`. Undefined if they do not fill it exactly or break the rules of DER.
 *
 * @example
 * const [certificate] = derElements(bytes) ?? [];
 */
export function derElements(bytes: Uint8Array): readonly DerElement[] | undefined {
  const found: DerElement[] = [];
  let at = 0;
  while (at < bytes.length) {
    const start = at;
    const tag = bytes[at];
    const first = bytes[at + 1];
    if (tag === undefined || first === undefined || (tag & LONG_TAG) === LONG_TAG) return undefined;
    // X.690 8.1.3.5: the low bits count the bytes of a long length; 10.1 forbids an indefinite one.
    const extra = first < 0x80 ? 0 : first - 0x80;
    if (first === 0x80 || extra > 4) return undefined;
    at += 2 + extra;
    const length = extra === 0 ? first : bytes.subarray(start + 2, at).reduce((sum, byte) => sum * 256 + byte, 0);
    // X.690 10.1: a length takes the fewest bytes.
    if (extra > 0 && length < Math.max(0x80, 256 ** (extra - 1))) return undefined;
    if (at + length > bytes.length) return undefined;
    found.push({ tag, content: bytes.subarray(at, at + length), whole: bytes.subarray(start, at + length) });
    at += length;
  }
  return found;
}

/** Go's limit for the numbers of an object identifier. */
const LARGEST_ARC = 0x7fff_ffff;

/**
 * Formats an object identifier (X.690 8.19) with dots. Undefined if it is invalid or not in its shortest form.
 *
 * @example
 * objectIdText(Uint8Array.of(0x55, 0x04, 0x03)); // 2.5.4.3
 */
export function objectIdText(content: Uint8Array): string | undefined {
  const arcs: number[] = [];
  let arc = 0;
  let isWhole = false;
  for (const byte of content) {
    // X.690 8.19.2: numbers have no leading zeros.
    if (byte === 0x80 && arc === 0) return undefined;
    arc = arc * 128 + (byte & 0x7f);
    if (arc > LARGEST_ARC) return undefined;
    isWhole = byte < 0x80;
    if (!isWhole) continue;
    if (arcs.length === 0) {
      const root = Math.min(2, Math.floor(arc / 40));
      arcs.push(root, arc - root * 40);
    } else arcs.push(arc);
    arc = 0;
  }
  return isWhole ? arcs.join('.') : undefined;
}

/** The subject of a certificate and its period of validity. */
export interface CertificateDates {
  /** The subject's common name, else its organisation, else empty. */
  readonly subject: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** The tag of the version, which certificates after v1 have. */
const VERSION = 0xa0;
const COMMON_NAME = '2.5.4.3';
const ORGANIZATION = '2.5.4.10';

/**
 * Reads the dates of a certificate (RFC 5280 4.1); undefined if it is none. No signature is checked.
 *
 * @example
 * certificateDates(bytes)?.notAfter.toISOString();
 */
export function certificateDates(der: Uint8Array): CertificateDates | undefined {
  const [signed] = children(derElements(der)?.[0]);
  const fields = children(signed);
  const [, , , validity, subject] = fields[0]?.tag === VERSION ? fields.slice(1) : fields;
  const [notBefore, notAfter] = children(validity).map(readTime);
  if (notBefore === undefined || notAfter === undefined || subject?.tag !== DER.sequence) return undefined;
  return { subject: subjectName(subject), notBefore, notAfter };
}

function children(element: DerElement | undefined): readonly DerElement[] {
  return element?.tag === DER.sequence ? (derElements(element.content) ?? []) : [];
}

/** RFC 5280 4.1.2.5: years of two digits are 1950 to 2049; both forms end with seconds and `Z`. */
function readTime({ tag, content }: DerElement): Date | undefined {
  const text = new TextDecoder('latin1').decode(content);
  const full =
    tag === DER.generalizedTime ? text : tag === DER.utcTime ? `${Number(text.slice(0, 2)) < 50 ? 20 : 19}${text}` : '';
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(full) ?? [];
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

function subjectName(subject: DerElement): string {
  const attributes = children(subject)
    .flatMap((set) => derElements(set.content) ?? [])
    .map((attribute) => children(attribute));
  for (const wanted of [COMMON_NAME, ORGANIZATION]) {
    const [, value] = attributes.find(([type]) => type !== undefined && objectIdText(type.content) === wanted) ?? [];
    if (value !== undefined) return new TextDecoder().decode(value.content);
  }
  return '';
}

/** One block of PEM, from its BEGIN line to the end of its END line. */
export interface PemBlock {
  readonly start: number;
  readonly end: number;
  /** The label in both lines, such as `CERTIFICATE`. */
  readonly label: string;
  /** Undefined if the text between the lines is not base64. */
  readonly content: OwnBytes | undefined;
}

/**
 * Matches as Go's `encoding/pem` does: BEGIN and END are at the start of a line, and only blanks follow END. The content cannot
 * contain its own end, so any text takes only one pass.
 */
const PEM_BLOCK =
  /(?<![^\n])-----BEGIN ([A-Z0-9 ]+)-----([ \t\r]*\n[A-Za-z0-9+/= \t\r\n]*(?<=\n))-----END \1-----(?![ \t\r]*[^ \t\r\n])/g;

/**
 * The PEM blocks in a text (RFC 7468). Leaves out blocks with headers, because certificates have none.
 *
 * @example
 * const [first] = pemBlocks(await readFile('ca.pem', 'utf8'));
 */
export function pemBlocks(text: string): PemBlock[] {
  return Array.from(text.matchAll(PEM_BLOCK), ({ 0: whole, 1: label = '', 2: body = '', index }) => {
    const reading = decodeBase64(body.replace(/[ \t]/g, ''));
    return { label, content: reading.ok ? reading.bytes : undefined, start: index, end: index + whole.length };
  });
}

/**
 * Writes bytes as a PEM block with lines of 64 characters (RFC 7468 section 2).
 *
 * @example pemText('CERTIFICATE', der)
 */
export function pemText(label: string, bytes: Uint8Array): string {
  const lines = encodeBase64(bytes).replace(/.{1,64}/g, '$&\n');
  return `-----BEGIN ${label}-----\n${lines}-----END ${label}-----\n`;
}
