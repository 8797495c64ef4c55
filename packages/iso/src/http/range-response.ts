import { checkArgument, checkOptions } from '@coreiso/peers/arguments';
import { compose, slice } from '../bytes/compose.ts';
import type { ByteSource } from '../bytes/source.ts';
import { type Answer, type PlainRequest, responseOf } from './answer.ts';
import { checkUnchanged, tagOf, type Version, versionOf } from './entity-tag.ts';
import { type ByteRange, formatContentRange, parseRange } from './ranges.ts';
import { evaluateConditions, formatDate, ifRangeHolds, isStrong, type Validators } from './validators.ts';

/**
 * Answers a request for `source`: the whole or the requested ranges, subject to the conditions of the request (RFC 9110
 * §13 and §14). The source is read only with the body. A failed read breaks the connection, so that no client mistakes
 * the rest for complete.
 *
 * @example
 * ```ts
 * Deno.serve(async (request) => {
 *   const { overlay } = await edit(image, { ignition });
 *   return rangeResponse(request, overlay, { filename: 'worker.iso' });
 * });
 * ```
 */
export async function rangeResponse(
  request: Omit<PlainRequest, 'url'>,
  source: ByteSource,
  options: {
    /**
     * A strong entity tag, quotes included. By default it is made from the patches and the identity of the base, if
     * that is known: for files their place, size and times, for `httpSource` the server's validators, for bytes in
     * memory their digest.
     */
    readonly etag?: string | undefined;
    /** Media type: `application/octet-stream` by default. */
    readonly type?: string | undefined;
    /** The name under which browsers save the file. */
    readonly filename?: string | undefined;
    readonly lastModified?: Date | undefined;
  } = {},
): Promise<Response> {
  checkArgument('request', request, 'object');
  checkArgument('source', source, 'source');
  checkOptions(options, { etag: 'text', type: 'text', filename: 'text', lastModified: 'date' });
  return responseOf(await rangeAnswer(request, source, options), request.signal);
}

type RangeRequest = Parameters<typeof rangeResponse>[0];
type RangeResponseOptions = NonNullable<Parameters<typeof rangeResponse>[2]>;

/** The answer as plain data, for servers that need no `Response`. */
export async function rangeAnswer(
  { method, headers: asked, signal }: RangeRequest,
  source: ByteSource,
  options: RangeResponseOptions,
): Promise<Answer> {
  if (method !== 'GET' && method !== 'HEAD') return { status: 405, headers: { allow: 'GET, HEAD' } };

  const version = await versionOf(source, signal);
  const validators = validatorsOf(source, version, options);
  // Images hold secrets, so no shared cache may store them; byte offsets matter, so no proxy may transform them.
  const headers: Record<string, string> = { 'accept-ranges': 'bytes', 'cache-control': 'private, no-transform' };
  if (validators.etag !== undefined) headers['etag'] = validators.etag;
  if (validators.lastModified !== undefined) headers['last-modified'] = formatDate(validators.lastModified);

  const verdict = evaluateConditions(asked, validators);
  if (verdict === 'failed') return { status: 412, headers };
  if (verdict === 'not-modified') return { status: 304, headers };

  // §14.2: only GET has ranges.
  const isPartial = method === 'GET' && ifRangeHolds(asked, validators);
  const ranges = isPartial ? parseRange(asked.get('range'), source.size) : 'whole';
  if (ranges === 'unsatisfiable')
    return { status: 416, headers: { ...headers, 'content-range': `bytes */${source.size}` } };
  const { type = 'application/octet-stream', filename } = options;
  headers['content-type'] = type;
  if (filename !== undefined) headers['content-disposition'] = attachment(filename);
  const body = ranges === 'whole' ? compose([source]) : partsOf(source, ranges, headers, type);
  headers['content-length'] = String(body.size);
  if (method === 'HEAD') return { status: 200, headers };
  const verify = (): Promise<void> => checkUnchanged(version, signal);
  if (ranges === 'whole') return { status: 200, headers, body, verify, start: 0 };
  const [only] = ranges;
  return ranges.length === 1 && only !== undefined
    ? { status: 206, headers, body, verify, start: only.start }
    : { status: 206, headers, body, verify };
}

function validatorsOf(source: ByteSource, version: Version, { etag, lastModified }: RangeResponseOptions): Validators {
  if (etag !== undefined && !isStrong(etag)) {
    throw new RangeError('etag must be a strong entity tag in double quotes, such as "7d3f"');
  }
  if (lastModified !== undefined && Number.isNaN(lastModified.getTime())) {
    throw new RangeError('lastModified must be a valid Date');
  }
  return {
    etag: etag ?? tagOf(source, version),
    // §8.8.2.1: never a time in the future.
    lastModified:
      lastModified === undefined ? undefined : Math.floor(Math.min(lastModified.getTime(), Date.now()) / 1000),
  };
}

/** The body: one range directly, several as multipart/byteranges (§14.6). */
function partsOf(
  source: ByteSource,
  ranges: readonly ByteRange[],
  headers: Record<string, string>,
  type: string,
): ByteSource {
  const [only] = ranges;
  const part = ({ start, end }: ByteRange): ByteSource => slice(source, start, end - start);
  if (only !== undefined && ranges.length === 1) {
    headers['content-range'] = formatContentRange(only, source.size);
    return part(only);
  }
  const boundary = crypto.randomUUID();
  const text = (lines: string): Uint8Array => new TextEncoder().encode(lines);
  headers['content-type'] = `multipart/byteranges; boundary=${boundary}`;
  return compose([
    ...ranges.flatMap((range, index) => [
      text(
        `${index === 0 ? '' : '\r\n'}--${boundary}\r\nContent-Type: ${type}\r\n` +
          `Content-Range: ${formatContentRange(range, source.size)}\r\n\r\n`,
      ),
      part(range),
    ]),
    text(`\r\n--${boundary}--\r\n`),
  ]);
}

/** `Content-Disposition` (RFC 6266): the name in ASCII, and if that differs also in full (RFC 8187). */
function attachment(filename: string): string {
  if (/^[\w .+-]*$/.test(filename)) return `attachment; filename="${filename}"`;
  const plain = filename.replace(/[^\x20-\x7e]/g, '_').replace(/["\\]/g, '\\$&');
  if (/^[\x20-\x7e]*$/.test(filename)) return `attachment; filename="${plain}"`;
  const full = Array.from(new TextEncoder().encode(filename), (byte) => {
    const character = String.fromCharCode(byte);
    return /[\w!#$&+.^`|~-]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');
  return `attachment; filename="${plain}"; filename*=UTF-8''${full}`;
}
