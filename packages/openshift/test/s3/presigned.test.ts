import { S3Client } from '@aws-sdk/client-s3';
import { describe, expect, test } from 'vitest';
import { presignedUrl } from '../../src/s3/index.ts';

const client = new S3Client({
  ...{ endpoint: 'http://store.example.test', region: 'eu-1', forcePathStyle: true },
  credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
});
const stored = { location: 's3://images/site a/worker-0.iso' };

describe('an address of a stored image', () => {
  test.each([
    [undefined, '3600'],
    [3600, '3600'],
    [60.9, '60'],
    [1, '1'],
  ])('given %s as seconds, is valid for %s', async (seconds, expected) => {
    const { origin, pathname, searchParams } = new URL(await presignedUrl(client, stored, seconds ? { seconds } : {}));
    expect(origin + pathname).toBe('http://store.example.test/images/site%20a/worker-0.iso');
    expect(searchParams.get('X-Amz-Expires')).toBe(expected);
  });

  test.each([0, 0.5, -1, 3601, Number.NaN])('is refused for %s seconds', async (seconds) => {
    await expect(presignedUrl(client, stored, { seconds })).rejects.toThrow(
      new RangeError(`seconds must be 1 to 3600, not ${seconds}`),
    );
  });

  test.each([{}, { location: '/srv/a.iso' }, { location: 's3://images/' }, { location: 's3://' }, undefined])(
    'is refused for %j, which is not a stored image',
    async (one) => {
      await expect(presignedUrl(client, one as never)).rejects.toThrow('stored must be a file that s3Sink reported');
    },
  );

  test('accepts only an object as options', async () => {
    await expect(presignedUrl(client, stored, null as never)).rejects.toThrow('options must be an object');
  });
});
