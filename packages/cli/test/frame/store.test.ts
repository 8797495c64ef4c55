import { describe, expect, test } from 'vitest';
import { isStore, openStore, parseFolder, parseStore } from '../../src/frame/store.ts';
import { Terminal } from '../../src/frame/terminal.ts';

describe('the address of an object store', () => {
  test.each([
    ['s3://images/site-a/', true],
    ['S3://images', true],
    ['s3:/images', false],
    ['./s3://images', false],
    ['https://images/', false],
  ])('is recognized in %s: %s', (path, expected) => {
    expect(isStore(path)).toBe(expected);
  });

  test.each([
    ['s3://images', '', ''],
    ['s3://images/', '', ''],
    ['s3://images/site-a', 'site-a', 'site-a/'],
    ['s3://images/site-a/', 'site-a/', 'site-a/'],
    ['S3://images/a\nb/c', 'a\nb/c', 'a\nb/c/'],
  ])('%j has the key %j, and as a folder the prefix %j', (address, key, prefix) => {
    expect(parseStore(address)).toEqual({ bucket: 'images', key });
    expect(parseFolder(address)).toEqual({ bucket: 'images', prefix });
  });

  test.each(['s3://', 's3:///a', 'x'])('%s is refused', (address) => {
    expect(() => parseStore(address)).toThrow(`expected s3://BUCKET/PREFIX/, found '${address}'`);
  });
});

const KEYS = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };

describe('a client of a store', () => {
  const open = async (env: Record<string, string>) => {
    const io = { cwd: '/', env, signal: new AbortController().signal } as unknown as Terminal['io'];
    const { client, s3 } = await openStore(new Terminal(io));
    expect(s3.s3Sink).toBeTypeOf('function');
    const { config } = client;
    const endpoint = await config.endpoint?.();
    return {
      endpoint: endpoint && `${endpoint.protocol}//${endpoint.hostname}:${endpoint.port}`,
      region: await config.region(),
      byPath: config.forcePathStyle,
      tries: await config.maxAttempts(),
      ...(env['AWS_ACCESS_KEY_ID'] && { credentials: await config.credentials() }),
    };
  };

  test('of AWS uses its region and tries once', async () => {
    expect(await open({ AWS_REGION: 'eu-1', AWS_DEFAULT_REGION: 'us-2' })).toEqual({
      ...{ endpoint: undefined, region: 'eu-1', byPath: false, tries: 1 },
    });
    expect((await open({ AWS_DEFAULT_REGION: 'us-2' })).region).toBe('us-2');
  });

  test('of a private store has its address, and buckets in paths', async () => {
    const own = { AWS_ENDPOINT_URL: 'http://store.example.test:9000' };
    const expected = { endpoint: 'http://store.example.test:9000', region: 'us-east-1', byPath: true };
    expect(await open(own)).toMatchObject(expected);
    expect(await open({ ...own, AWS_REGION: 'here' })).toMatchObject({ ...expected, region: 'here' });
    expect(await open({ ...own, AWS_ENDPOINT_URL_S3: 'http://s3.example.test:9001' })).toMatchObject({
      endpoint: 'http://s3.example.test:9001',
    });
  });

  test('has the credentials of the environment, including a session token', async () => {
    const env = { AWS_REGION: 'eu-1', ...KEYS };
    const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' };
    expect((await open(env)).credentials).toMatchObject(credentials);
    expect((await open(env)).credentials).not.toHaveProperty('sessionToken');
    expect((await open({ ...env, AWS_SESSION_TOKEN: 'token' })).credentials).toMatchObject({
      ...credentials,
      sessionToken: 'token',
    });
  });
});
