import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import type { Stored } from '../sinks/sink.ts';
import { checkClient } from './bucket.ts';

const LONGEST = 3600;

/**
 * An address that lets its holder read a stored image, for at most an hour. Secret, like the image. Needs the package
 * `@aws-sdk/s3-request-presigner`.
 *
 * @example
 * ```ts
 * const url = await presignedUrl(client, stored, { seconds: 900 });
 * ```
 */
export async function presignedUrl(
  client: S3Client,
  stored: Pick<Stored, 'location'>,
  options: { readonly seconds?: number } = {},
): Promise<string> {
  checkClient(client);
  if (typeof options !== 'object' || options === null) throw new TypeError('options must be an object');
  const { seconds = LONGEST } = options;
  const [, bucket, key] = /^s3:\/\/([^/]+)\/(.+)$/.exec(stored?.location ?? '') ?? [];
  if (bucket === undefined || key === undefined) throw new TypeError('stored must be a file that s3Sink reported');
  if (!(seconds >= 1 && seconds <= LONGEST)) throw new RangeError(`seconds must be 1 to ${LONGEST}, not ${seconds}`);
  const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner');
  return await getSignedUrl(client, new GetObjectCommand({ Bucket: bucket, Key: key }), {
    expiresIn: Math.floor(seconds),
  });
}
