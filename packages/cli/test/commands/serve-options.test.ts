import type { Transfer } from '@coreiso/iso/http';
import { describe, expect, test } from 'vitest';
import { serveCommand } from '../../src/commands/serve/command.ts';
import { isLoopback, isWildcard, type ServerSettings, serverSettings } from '../../src/commands/serve/options.ts';
import { runText, timeText } from '../../src/commands/serve/run-text.ts';
import { readArguments } from '../../src/frame/arguments.ts';

const settings = async (...argv: string[]): Promise<ServerSettings> =>
  serverSettings(await readArguments([...argv, 'a.iso'], ['coreiso', 'serve'], serveCommand));

describe('the settings of a server', () => {
  test('have the defaults that the help names', async () => {
    expect(await settings()).toEqual({
      host: '127.0.0.1',
      port: 8080,
      publicUrl: undefined,
      maxConnections: 2000,
      maxConnectionsPerClient: 64,
      idleMilliseconds: 120_000,
      graceMilliseconds: 10_000,
      maxHeaderSize: 8192,
    });
  });

  test.each<[argv: string[], expected: Partial<ServerSettings>]>([
    [['--listen', 'boot.example.test:65535'], { host: 'boot.example.test', port: 65535 }],
    [['--listen', '[2001:db8::1]:0'], { host: '2001:db8::1', port: 0 }],
    [['--listen', '[::ffff:192.0.2.1]:80'], { host: '::ffff:192.0.2.1', port: 80 }],
    [['--public-url', 'http://a.test//'], { publicUrl: 'http://a.test' }],
    [['--public-url', 'https://a.test:1/x/'], { publicUrl: 'https://a.test:1/x' }],
    [['--max-connections', '9999999'], { maxConnections: 9_999_999 }],
    [['--max-connections-per-client', '1'], { maxConnectionsPerClient: 1 }],
    [['--idle-timeout', '7'], { idleMilliseconds: 7000 }],
    [['--grace', '7'], { graceMilliseconds: 7000 }],
    [['--max-header', '256'], { maxHeaderSize: 256 }],
    [['--max-header', '1M'], { maxHeaderSize: 1024 ** 2 }],
  ])('come from %j', async (argv, expected) => {
    expect(await settings(...argv)).toMatchObject(expected);
  });

  const [LISTEN, URL_EXPECTED, COUNT, SIZE] = [
    'expected ADDRESS:PORT, such as 127.0.0.1:8080 or [::]:8080',
    'expected an http:// or https:// address without a query',
    'expected a number from 1 to 9999999',
    'expected a size from 256 to 1M',
  ];
  test.each([
    ...['8080', ':8080', 'a.test:', 'a.test:65536', 'a.test:123456', '::1:80', '[::1]', '[a.test]:80', 'a b:80'].map(
      (value) => ['listen', value, LISTEN],
    ),
    ...['a.test', 'ftp://a.test', 'http://', 'http://a.test/?q', 'http://a.test/#f', 'http://a b', 'http://[::'].map(
      (value) => ['public-url', value, URL_EXPECTED],
    ),
    ...['max-connections', 'max-connections-per-client', 'idle-timeout', 'grace'].flatMap((name) =>
      ['0', '-1', '1.5', '01', '10000000', 'x', ''].map((value) => [name, value, COUNT]),
    ),
    ['max-header', '255', SIZE],
    ['max-header', '1048577', SIZE],
    ['max-header', 'x', 'expected a size, such as 3000000, 64M or 1G'],
  ])('refuse --%s=%s', async (name, value, reason) => {
    await expect(settings(`--${name}=${value}`)).rejects.toThrow(
      new RegExp(`^error: invalid value '.*: .*${reason.replace(/[[\].]/g, '\\$&')}`),
    );
  });

  test.each(['cert', 'key'])('refuse --tls-%s alone', async (half) => {
    await expect(settings(`--tls-${half}`, 'x')).rejects.toThrow('--tls-cert and --tls-key go together');
    expect(await settings('--tls-cert', 'x', '--tls-key', 'y')).toMatchObject({ port: 8080 });
  });

  test.each(['--token', '--token-file=x'])('refuse %s with --no-token', async (option) => {
    await expect(settings(option, '--no-token')).rejects.toThrow("'--no-token' cannot be used with '--token");
  });
});

test.each([
  ['localhost', true, false],
  ['127.0.0.1', true, false],
  ['127.255.1.2', true, false],
  ['::1', true, false],
  ['[::1]', true, false],
  ['127.0.0.1.example.test', false, false],
  ['x127.0.0.1', false, false],
  ['128.0.0.1', false, false],
  ['0.0.0.0', false, true],
  ['::', false, true],
  ['0:0:0:0:0:0:0:0', false, true],
  ['::2', false, false],
  ['10.0.0.0', false, false],
  ['localhost.example.test', false, false],
])('%s is loopback: %s; all addresses: %s', (host, loopback, wildcard) => {
  expect([isLoopback(host), isWildcard(host)]).toEqual([loopback, wildcard]);
});

describe('the log of a server', () => {
  const READ: Transfer = {
    ...{ client: '192.0.2.1', file: 'a.iso', method: 'GET', status: 206, outcome: 'complete' },
    ...{ start: 10, end: 20, size: 100, requests: 1, share: 0.999, since: 0, at: Date.UTC(2026, 0, 2, 3, 4, 5) },
  } as Transfer;

  test.each<[change: Partial<Transfer>, line: string]>([
    [{}, '192.0.2.1 a.iso: bytes 10-19 of 100, 99 % read so far'],
    [{ client: '::ffff:192.0.2.1' }, '192.0.2.1 a.iso: bytes 10-19 of 100, 99 % read so far'],
    [{ client: '2001:db8::ffff:1' }, '2001:db8::ffff:1 a.iso: bytes 10-19 of 100, 99 % read so far'],
    [{ requests: 2, share: 1 }, '192.0.2.1 a.iso: bytes 10-19 of 100 in 2 requests, 100 % read so far'],
    [{ outcome: 'left' }, '192.0.2.1 a.iso: bytes 10-19 of 100, 99 % read so far, then the client left'],
    [{ outcome: 'broken' }, '192.0.2.1 a.iso: bytes 10-19 of 100, 99 % read so far, then it broke off'],
    [{ end: 10, method: 'HEAD', status: 200 }, '192.0.2.1 a.iso: HEAD 200'],
    [{ end: 10, status: 206, outcome: 'left' }, '192.0.2.1 a.iso: GET 206, then the client left'],
    [{ file: '', status: 404 }, '192.0.2.1 GET 404: no file'],
  ])('writes %j as %j', (change, line) => {
    expect(runText({ ...READ, ...change })).toBe(line);
  });

  test('starts with the time of day in UTC', () => {
    expect(timeText(READ)).toBe('03:04:05 ');
  });
});
