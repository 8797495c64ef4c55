/** ASN.1 in its distinguished encoding (X.690), as far as certificates and requests for them use it. */

/** One element: its tag and what it holds. */
export interface DerElement {
  readonly tag: number;
  readonly content: Uint8Array;
  /** With tag and length, as it is signed or hashed. */
  readonly whole: Uint8Array;
}

/** Tags of X.680 8.4, constructed where they are always so. */
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

/**
 * The elements that follow one another in `bytes`; undefined where they do not fill it exactly.
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
    if (tag === undefined || first === undefined) return undefined;
    // X.690 8.1.3.5: the low bits count the bytes of a long length; 10.1 forbids an indefinite one.
    const extra = first < 0x80 ? 0 : first - 0x80;
    if (first === 0x80 || extra > 4) return undefined;
    at += 2 + extra;
    const length = extra === 0 ? first : bytes.subarray(start + 2, at).reduce((sum, byte) => sum * 256 + byte, 0);
    if (at + length > bytes.length) return undefined;
    found.push({ tag, content: bytes.subarray(at, at + length), whole: bytes.subarray(start, at + length) });
    at += length;
  }
  return found;
}

/**
 * An object identifier in its dotted form, X.690 8.19.
 *
 * @example
 * objectIdText(Uint8Array.of(0x55, 0x04, 0x03)); // 2.5.4.3
 */
export function objectIdText(content: Uint8Array): string {
  const arcs: number[] = [];
  let arc = 0;
  for (const byte of content) {
    arc = arc * 128 + (byte & 0x7f);
    if (byte & 0x80) continue;
    if (arcs.length === 0) {
      const root = Math.min(2, Math.floor(arc / 40));
      arcs.push(root, arc - root * 40);
    } else arcs.push(arc);
    arc = 0;
  }
  return arcs.join('.');
}
