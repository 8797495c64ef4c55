import { checkArgument } from '@coreiso/peers/arguments';
import { base64Length, decodeBase64, encodeBase64, percentDecode } from '@coreiso/peers/go';
import type { Resource } from '../spec/generated/types.ts';
import { dataUrlFault } from './data-url-fault.ts';
import { gzip } from './gzip.ts';

/** Bytes that need no escape in a URL: RFC 2396 unreserved. */
const UNRESERVED = new Uint8Array(256);
for (const letter of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.!~*'()") {
  UNRESERVED[letter.charCodeAt(0)] = 1;
}

/** The cost in bytes of `gzip` beside the URL. */
const COMPRESSION_COST = 'gzip'.length;
const BASE64_MARK = ';base64,';

/**
 * Encodes content as a `data:` URL in the shortest of three forms: percent-encoded, base64, base64 of gzip. Text is UTF-8.
 * `compression` is always set (empty without compression), so that a merge cannot inherit another value.
 *
 * @example buildConfig({ certificateAuthorities: [resource(pem)], merge: [resource(stringifyConfig(other))] })
 */
export function resource(
  content: string | Uint8Array,
  options: {
    /** `auto`, the default, compresses if that makes the content smaller. */
    readonly compress?: 'auto' | 'never' | undefined;
  } = {},
): Resource & { source: string } {
  checkArgument('content', content, 'document');
  checkArgument('options', options, 'object');
  const { compress = 'auto' } = options;
  const bytes = toBytes(content);
  const percent = ','.length + percentLength(bytes);
  const base64 = BASE64_MARK.length + base64Length(bytes.length);
  if (compress === 'auto') {
    const packed = gzip(bytes);
    if (BASE64_MARK.length + base64Length(packed.length) + COMPRESSION_COST < Math.min(percent, base64)) {
      return { compression: 'gzip', source: `data:${BASE64_MARK}${encodeBase64(packed)}` };
    }
  }
  const data = base64 < percent ? `${BASE64_MARK}${encodeBase64(bytes)}` : `,${percentEncode(bytes)}`;
  return { compression: '', source: `data:${data}` };
}

/**
 * The bytes of a `data:` URL, not decompressed. Undefined for other URLs and for URLs that Ignition cannot decode.
 *
 * @example decodeDataUrl('data:;base64,aGk=') // the bytes of 'hi'
 */
export function decodeDataUrl(url: string): ReturnType<Uint8Array['slice']> | undefined {
  checkArgument('url', url, 'text');
  if (dataUrlFault(url) !== undefined) return undefined;
  // A comma in a quoted parameter does not end the header.
  const header = /^data:(?:[^,"]|"(?:[^"\\]|\\[\s\S])*")*,/.exec(url)?.[0];
  if (header === undefined) return undefined;
  const data = url.slice(header.length);
  if (!header.endsWith(BASE64_MARK)) return percentDecode(data);
  const reading = decodeBase64(data);
  return reading.ok ? reading.bytes : undefined;
}

function toBytes(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? new TextEncoder().encode(content) : content;
}

function percentLength(bytes: Uint8Array): number {
  let length = 0;
  for (const byte of bytes) length += UNRESERVED[byte] === 1 ? 1 : 3;
  return length;
}

function percentEncode(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (const byte of bytes) {
    parts.push(
      UNRESERVED[byte] === 1 ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
    );
  }
  return parts.join('');
}
