import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { get as getSecurely } from 'node:https';
import { connect } from 'node:net';
import os from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { httpSource } from '@coreiso/iso/http';
import { sampleIso } from '@coreiso/iso/sample';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { describeWith } from '../../../../test/support/tools.ts';
import { type Serving, startServing } from '../serving.ts';
import { coreiso, scratchFolder } from '../support.ts';

let cwd: string;
let image: Uint8Array;
beforeAll(async () => {
  const sample = await sampleIso({ size: 20_000_000 });
  image = await sample.read(0, sample.size);
});
beforeEach(() => {
  cwd = scratchFolder();
  writeFileSync(join(cwd, 'live.iso'), image);
  writeFileSync(join(cwd, 'token'), 'a secret that nobody can guess\n');
});

async function range(address: string, value: string): Promise<[status: number, bytes: Buffer]> {
  const response = await fetch(address, { headers: { range: value } });
  return [response.status, Buffer.from(await response.arrayBuffer())];
}

describe('coreiso serve', () => {
  test('serves files by range, under their names, and logs the transfers', async () => {
    writeFileSync(join(cwd, 'other.img'), 'other');
    const { addresses, stop } = await startServing(['serve', 'live.iso', 'other.img'], { cwd });
    expect(addresses.map((address) => new URL(address).pathname)).toEqual(['/live.iso', '/other.img']);
    const [address = '', other = ''] = addresses;
    expect(await (await fetch(other)).text()).toBe('other');
    const [status, bytes] = await range(address, 'bytes=32768-40959');
    expect([status, Buffer.compare(bytes, image.subarray(32768, 40960))]).toEqual([206, 0]);
    await range(address, 'bytes=40960-49151');
    const whole = await httpSource(address);
    expect(Buffer.compare(await whole.read(0, whole.size), image)).toBe(0);
    expect(await (await fetch(new URL('/healthz', address))).text()).toBe('ok\n');
    expect(await (await fetch(new URL('/metrics', address))).text()).toContain('{file="live.iso",code="206"}');
    expect(await (await fetch(new URL('/', address))).text()).toMatch(/^\/live\.iso {2}100 % read, last range/m);
    const { status: exit, stderr } = await stop();
    expect(exit).toBe(0);
    expect(stderr).toMatch(
      /^[\d:]{8} 127\.0\.0\.1 live\.iso: bytes 32768-49151 of 20\d+ in 2 requests, 0 % read so far$/m,
    );
    expect(stderr).toMatch(/live\.iso: bytes \d+-\d+ of \d+.*, 100 % read so far$/m);
  });

  test('ends with 141 when the reader of its output is gone', async () => {
    const gone = Object.assign(new Error('write EPIPE'), { code: 'EPIPE', syscall: 'write' });
    let address = '';
    const stdout = new Writable({
      write(chunk, _encoding, done) {
        if (address !== '') return done(gone);
        address = JSON.parse(String(chunk)).files[0].address;
        done();
      },
    });
    const running = coreiso(['serve', '--json', '--listen', '127.0.0.1:0', 'live.iso'], { cwd, stdout });
    await vi.waitUntil(() => address !== '', { timeout: 60_000 });
    await range(address, 'bytes=0-99');
    expect(await running).toMatchObject({ status: 141, stderr: '' });
  });

  test('serves a file of another server, and the same bytes through a second one', async () => {
    const first = await startServing(['serve', 'live.iso'], { cwd });
    const second = await startServing(['serve', ...first.addresses], { cwd });
    const third = await startServing(['serve', `${second.addresses[0]}?sig=secret`], { cwd });
    const whole = await httpSource(third.addresses[0] ?? '');
    expect(Buffer.compare(await whole.read(0, whole.size), image)).toBe(0);
    const { stderr } = await third.stop();
    expect(stderr).not.toContain('secret');
    expect(stderr).toContain('warning: every user of this machine can read live.iso from this server\n');
    expect((await second.stop()).stderr).not.toContain('warning');
  });

  test('serves a replaced file in its new version, and never a mixture', async () => {
    const { addresses } = await startServing(['serve', 'live.iso'], { cwd });
    const before = await fetch(addresses[0] ?? '', { method: 'HEAD' });
    const source = await httpSource(addresses[0] ?? '', { retries: 0 });
    writeFileSync(
      join(cwd, 'new.iso'),
      image.map((byte) => byte ^ 255),
    );
    renameSync(join(cwd, 'new.iso'), join(cwd, 'live.iso'));
    const after = await fetch(addresses[0] ?? '', { method: 'HEAD' });
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
    await expect(source.read(10_000_000, 10)).rejects.toMatchObject({ code: 'ISO_CHANGED' });
    expect((await range(addresses[0] ?? '', 'bytes=0-0'))[1][0]).toBe((image[0] ?? 0) ^ 255);
  });

  test('asks clients to retry while a file is missing, and serves it when it is back', async () => {
    const { addresses, stop } = await startServing(['serve', 'live.iso'], { cwd });
    const answer = async (method = 'HEAD'): Promise<[number, string | null, string]> => {
      const response = await fetch(addresses[0] ?? '', { method });
      return [response.status, response.headers.get('retry-after'), await response.text()];
    };
    renameSync(join(cwd, 'live.iso'), join(cwd, 'away.iso'));
    expect(await answer()).toEqual([503, '2', '']);
    expect(await answer('GET')).toEqual([503, '2', 'this file is away\n']);
    mkdirSync(join(cwd, 'live.iso'));
    expect(await answer()).toEqual([500, null, '']);
    rmdirSync(join(cwd, 'live.iso'));
    renameSync(join(cwd, 'away.iso'), join(cwd, 'live.iso'));
    expect(await answer()).toEqual([200, null, '']);
    const metrics = await (await fetch(new URL('/metrics', addresses[0]))).text();
    expect(metrics).toContain('{file="live.iso",code="503"} 2\n');
    expect((await stop()).stderr).toContain('live.iso: ');
  });

  test('lets a waiting reader finish a file that comes back, without a mixture', async () => {
    const { addresses } = await startServing(['serve', 'live.iso'], { cwd });
    renameSync(join(cwd, 'live.iso'), join(cwd, 'away.iso'));
    const reasons: string[] = [];
    const onRetry = ({ reason }: { reason: string }): void => {
      reasons.push(reason);
      renameSync(join(cwd, 'away.iso'), join(cwd, 'live.iso'));
    };
    const source = await httpSource(addresses[0] ?? '', { onRetry });
    expect(Buffer.compare(await source.read(0, source.size), image)).toBe(0);
    expect(reasons).toEqual([expect.stringContaining('503')]);
  });

  test.each([
    ['a file that is not there', ['nothing.iso'], 1, /cannot open nothing\.iso/],
    ['nothing to serve', [], 2, /<FILE\|URL>/],
    ['two files of one name', ['live.iso', '../live.iso'], 2, /two files have the name live\.iso/],
    ['an address that is none', ['--listen', '8080', 'live.iso'], 2, /such as 127\.0\.0\.1:8080/],
    ['a port that is none', ['--listen', '127.0.0.1:65536', 'live.iso'], 2, /expected ADDRESS:PORT/],
    ['half of what TLS needs', ['--tls-cert', 'a.pem', 'live.iso'], 2, /--tls-cert and --tls-key go together/],
    [
      'an address of another machine',
      ['--listen', '192.0.2.1:8080', 'live.iso'],
      1,
      /cannot listen on 192\.0\.2\.1:8080/,
    ],
    [
      'a secret that is too short',
      ['--token-file', 'short', 'live.iso'],
      1,
      /short: expected a secret of 16 bytes or more\nhelp: openssl/,
    ],
    ['a limit that is none', ['--max-connections', '0', 'live.iso'], 2, /a number from 1/],
  ])('refuses %s', async (_, argv, status, message) => {
    writeFileSync(join(cwd, 'short'), 'abc');
    const result = await coreiso(['serve', ...argv], { cwd });
    expect(result.stderr).toMatch(message);
    expect(result.status).toBe(status);
  });
});

describe('on all addresses', () => {
  /** Serves on all addresses; returns its place on loopback. */
  async function local(argv: readonly string[]): Promise<{ paths: string[]; url: string; stop: Serving['stop'] }> {
    const everywhere = ['--listen', '0.0.0.0:0', '--public-url', 'http://boot.example.test', '--json'];
    const { addresses, stop } = await startServing(['serve', ...everywhere, ...argv, 'live.iso'], { cwd });
    const { port, files } = JSON.parse(addresses[0] ?? '') as { port: number; files: { address: string }[] };
    const paths = files.map(({ address }) => address.replace('http://boot.example.test', ''));
    return { paths, url: `http://127.0.0.1:${port}`, stop };
  }

  test('has a token in its addresses, but not in the log or the metrics', async () => {
    const { paths, url, stop } = await local(['--token-file', 'token']);
    const [path = ''] = paths;
    expect(path).toMatch(/^\/[a-z2-7]{26}\/live\.iso$/);
    expect((await range(`${url}${path}`, 'bytes=0-9'))[0]).toBe(206);
    for (const guess of ['/live.iso', '/', `/${'a'.repeat(26)}/live.iso`]) {
      expect((await fetch(`${url}${guess}`)).status).toBe(404);
    }
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toContain('live.iso');
    const { stderr, printed } = await stop();
    const log = printed.slice(printed.indexOf('\n'));
    const [, token = ''] = path.split('/');
    expect(metrics).not.toContain(token);
    expect(log).toContain('"file":"live.iso"');
    expect(log).toContain('"status":404');
    for (const secret of [token, 'a'.repeat(26)]) expect(log + stderr).not.toContain(secret);
  });

  test('has the same addresses and tags with the same token file, and others without', async () => {
    const [one, two, other] = [
      await local(['--token-file', 'token']),
      await local(['--token-file', 'token']),
      await local([]),
    ];
    expect(two.paths).toEqual(one.paths);
    expect(other.paths).not.toEqual(one.paths);
    const tags = [one, two].map(async ({ url, paths }) => (await fetch(`${url}${paths[0]}`)).headers.get('etag'));
    expect(await tags[0]).toBe(await tags[1]);
  });

  test('serves every file under its name without tokens', async () => {
    const { paths, url } = await local(['--no-token']);
    expect(paths).toEqual(['/live.iso']);
    expect((await fetch(`${url}/live.iso`, { method: 'HEAD' })).status).toBe(200);
  });
});

describe('the address of a server on all interfaces', () => {
  const card = (address: string, family: string, internal = false) => ({ address, family, internal });
  const LOOPBACK = card('127.0.0.1', 'IPv4', true);

  test.each([
    [[card('192.0.2.7', 'IPv4')], 'http://192.0.2.7:'],
    [[card('192.0.2.7', 'IPv4'), card('2001:db8::7', 'IPv6'), card('fe80::1', 'IPv6')], 'http://192.0.2.7:'],
    [[card('fe80::1', 'IPv6'), card('2001:db8::7', 'IPv6')], 'http://[2001:db8::7]:'],
  ])('is the only one of %j', async (cards, expected) => {
    vi.spyOn(os, 'networkInterfaces').mockReturnValue({ lo: [LOOPBACK], eth0: cards, none: undefined } as never);
    onTestFinished(() => void vi.restoreAllMocks());
    const { addresses } = await startServing(['serve', '--listen', '0.0.0.0:0', '--no-token', 'live.iso'], { cwd });
    expect(addresses[0]?.startsWith(expected)).toBe(true);
  });

  test.each([
    [[], 'none'],
    [[card('FE80::1', 'IPv6')], 'none'],
    [[card('192.0.2.7', 'IPv4'), card('192.0.2.8', 'IPv4'), card('2001:db8::7', 'IPv6')], '192.0.2.7, 192.0.2.8'],
    [[card('2001:db8::7', 'IPv6'), card('2001:db8::8', 'IPv6')], '2001:db8::7, 2001:db8::8'],
  ])('has to be given if the machine has %j', async (cards, found) => {
    vi.spyOn(os, 'networkInterfaces').mockReturnValue({ lo: [LOOPBACK], eth0: cards } as never);
    onTestFinished(() => void vi.restoreAllMocks());
    const { status, stderr } = await coreiso(['serve', '--listen', '[::]:0', 'live.iso'], { cwd });
    expect([status, stderr]).toEqual([
      1,
      `error: cannot tell the address that clients use: pass --public-url, or listen on one of ${found}\n`,
    ]);
  });
});

test('a page of another host name cannot read files on this machine', async () => {
  const { addresses } = await startServing(['serve', 'live.iso'], { cwd });
  const status = await new Promise((resolve) => {
    request(addresses[0] ?? '', { headers: { host: 'evil.test' } }, ({ statusCode }) => resolve(statusCode)).end();
  });
  expect(status).toBe(421);
});

describe('limits', () => {
  const open = (address: string): Promise<{ closed: Promise<void>; send(text: string): void; received(): string }> =>
    new Promise((resolve, reject) => {
      let received = '';
      const { hostname, port } = new URL(address);
      const socket = connect(Number(port), hostname, () => {
        const closed = new Promise<void>((done) => socket.once('close', () => done()));
        resolve({ closed, send: (text) => void socket.write(text), received: () => received });
      });
      socket.on('data', (text) => {
        received += text;
      });
      socket.on('error', reject);
      onTestFinished(() => void socket.destroy());
    });

  test('turns away a connection over the limit', async () => {
    const { addresses, stop } = await startServing(['serve', '--max-connections', '1', 'live.iso'], { cwd });
    await open(addresses[0] ?? '');
    await (await open(addresses[0] ?? '')).closed;
    expect((await stop()).stderr).toContain('was turned away: 1 connections are open');
  });

  test('closes an idle connection', async () => {
    const { addresses } = await startServing(['serve', '--idle-timeout', '1', 'live.iso'], { cwd });
    await (await open(addresses[0] ?? '')).closed;
  });

  test('refuses a header that is too long', async () => {
    const { addresses } = await startServing(['serve', '--max-header', '1000', 'live.iso'], { cwd });
    const connection = await open(addresses[0] ?? '');
    connection.send(`GET /live.iso HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ${'x'.repeat(1000)}\r\n\r\n`);
    await connection.closed;
    expect(connection.received()).toMatch(/^HTTP\/1\.1 431 /);
  });
});

describe('a server that is stopped', () => {
  test('finishes running answers, and accepts nothing new', async () => {
    const { addresses, stop } = await startServing(['serve', 'live.iso'], { cwd });
    const response = await fetch(addresses[0] ?? '');
    const stopping = stop();
    await vi.waitFor(() => expect(fetch(addresses[0] ?? '')).rejects.toThrow(), 60_000);
    expect(Buffer.compare(Buffer.from(await response.arrayBuffer()), image)).toBe(0);
    expect((await stopping).status).toBe(0);
  });

  test('breaks off answers that take too long', async () => {
    writeFileSync(join(cwd, 'large.iso'), new Uint8Array(100_000_000));
    const { addresses, stop } = await startServing(['serve', '--grace', '1', 'large.iso'], { cwd });
    const response = await fetch(addresses[0] ?? '');
    const { status, stderr } = await stop();
    expect(status).toBe(0);
    expect(stderr).toMatch(/then the client left$/m);
    await expect(response.arrayBuffer()).rejects.toThrow();
  });
});

test('--json prints an object on every line', async () => {
  const { addresses } = await startServing(['serve', '--json', 'live.iso'], { cwd });
  const { event, index, files } = JSON.parse(addresses[0] ?? '');
  expect(event).toBe('listening');
  expect(await (await fetch(index)).text()).toBe('/live.iso\n');
  expect(files).toMatchObject([{ name: 'live.iso', address: `${index}live.iso` }]);
});

describeWith(['qemu-img'], "QEMU's curl block driver", () => {
  test('reads the image as a booting machine would', async () => {
    const { addresses, stop } = await startServing(['serve', 'live.iso'], { cwd });
    const compare = ['compare', '-f', 'raw', '-F', 'raw', addresses[0] ?? '', join(cwd, 'live.iso')];
    // The server runs in this process, which must not block.
    const { stdout } = await promisify(execFile)('qemu-img', compare, { env: { ...process.env, no_proxy: '*' } });
    expect(stdout).toContain('Images are identical.');
    expect((await stop()).stderr).toMatch(/live\.iso: bytes .* 100 % read so far$/m);
  });
});

describeWith(['openssl'], 'TLS', () => {
  test('reads its certificate and key from files', async () => {
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', 'key.pem'];
    execFileSync('openssl', ['req', '-x509', ...key, '-out', 'cert.pem', '-days', '1', ...subject], {
      cwd,
      stdio: 'ignore',
    });
    const tls = ['--tls-cert', 'cert.pem', '--tls-key', 'key.pem'];
    const { addresses } = await startServing(['serve', ...tls, 'live.iso'], { cwd });
    const ca = readFileSync(join(cwd, 'cert.pem'));
    const size = await new Promise((resolve, reject) => {
      getSecurely(addresses[0] ?? '', { ca, method: 'HEAD' }, ({ headers }) => {
        resolve(Number(headers['content-length']));
      }).on('error', reject);
    });
    expect(size).toBe(image.length);
    const mismatched = await coreiso(['serve', '--tls-cert', 'key.pem', '--tls-key', 'key.pem', 'live.iso'], { cwd });
    expect(mismatched.stderr).toContain('cannot use key.pem and key.pem for TLS');
    expect(readdirSync(cwd).sort()).toEqual(['cert.pem', 'key.pem', 'live.iso', 'token']);
  });
});
