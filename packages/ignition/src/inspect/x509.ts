/** Just enough of X.509 (RFC 5280 4.1) to learn whose certificate it is and how long it holds. No signature is checked. */

export interface CertificateDates {
  /** The subject's common name, or its organisation, or nothing. */
  readonly subject: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
}

const SEQUENCE = 0x30;
const UTC_TIME = 0x17;
const GENERALIZED_TIME = 0x18;
/** The explicit version of certificates after v1. */
const VERSION = 0xa0;
/** 2.5.4.3 and 2.5.4.10, in the order of preference. */
const NAME_ATTRIBUTES = [
  [0x55, 0x04, 0x03],
  [0x55, 0x04, 0x0a],
];

interface Element {
  readonly tag: number;
  readonly content: Uint8Array;
}

/** Reads a DER certificate; undefined if it is none. */
export function readCertificate(der: Uint8Array): CertificateDates | undefined {
  const [certificate] = elements(der);
  if (certificate?.tag !== SEQUENCE) return undefined;
  const [signed] = elements(certificate.content);
  if (signed?.tag !== SEQUENCE) return undefined;
  const fields = elements(signed.content);
  const [, , , validity, subject] = fields[0]?.tag === VERSION ? fields.slice(1) : fields;
  if (validity?.tag !== SEQUENCE || subject?.tag !== SEQUENCE) return undefined;
  const [notBefore, notAfter] = elements(validity.content).map(readTime);
  if (notBefore === undefined || notAfter === undefined) return undefined;
  return { subject: subjectName(subject), notBefore, notAfter };
}

/** The elements of a constructed value, X.690 8.1; what does not fit ends the list. */
function elements(bytes: Uint8Array): Element[] {
  const found: Element[] = [];
  let at = 0;
  while (at + 2 <= bytes.length) {
    const tag = bytes[at] ?? 0;
    let length = bytes[at + 1] ?? 0;
    at += 2;
    if (length >= 0x80) {
      const size = length - 0x80;
      if (size === 0 || size > 4 || at + size > bytes.length) break;
      length = 0;
      for (const byte of bytes.subarray(at, at + size)) length = length * 256 + byte;
      at += size;
    }
    if (at + length > bytes.length) break;
    found.push({ tag, content: bytes.subarray(at, at + length) });
    at += length;
  }
  return found;
}

/** RFC 5280 4.1.2.5: two digits of a year are 1950 to 2049; both forms end in seconds and `Z`. */
function readTime({ tag, content }: Element): Date | undefined {
  const text = new TextDecoder('latin1').decode(content);
  const full =
    tag === GENERALIZED_TIME ? text : tag === UTC_TIME ? `${Number(text.slice(0, 2)) < 50 ? 20 : 19}${text}` : '';
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(full) ?? [];
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

function subjectName(subject: Element): string {
  const attributes = elements(subject.content)
    .flatMap((set) => elements(set.content))
    .map((attribute) => elements(attribute.content));
  for (const wanted of NAME_ATTRIBUTES) {
    const [, value] = attributes.find(([type]) => type !== undefined && wanted.join() === type.content.join()) ?? [];
    if (value !== undefined) return new TextDecoder().decode(value.content);
  }
  return '';
}
