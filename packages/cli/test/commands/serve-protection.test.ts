// Protection of `serve` from hostile clients.
import { chmodSync, closeSync, openSync, renameSync, statSync, utimesSync, writeFileSync, writeSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { startServing } from '../serving.ts';
import { coreiso, scratchFolder } from '../support.ts';

const SIZE = 30_000_000;

let cwd: string;
beforeEach(() => {
  cwd = scratchFolder();
  write('a.iso', 1);
});

/** Writes a file of one repeated byte with an old time. */
function write(name: string, byte: number, size = SIZE): void {
  writeFileSync(join(cwd, name), new Uint8Array(size).fill(byte));
  utimesSync(join(cwd, name), 1e9, 1e9);
}

/** Sends `text`, and returns everything that the server sends until it closes the connection. */
async function send(address: string, text: string): Promise<string> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  socket.write(text);
  let answer = '';
  for await (const chunk of socket) answer += (chunk as Buffer).toString('latin1');
  return answer;
}

const tagOf = async (address: string): Promise<string | null> =>
  (await fetch(address, { method: 'HEAD' })).headers.get('etag');

describe('a token on this machine', () => {
  test('is in the addresses, and nothing works without it', async () => {
    const { addresses, stop } = await startServing(['serve', '--token', 'a.iso'], { cwd });
    const [file = '', index = ''] = addresses;
    const [, token = '', name] = new URL(file).pathname.split('/');
    expect([token, name]).toEqual([expect.stringMatching(/^[a-z2-7]{26}$/), 'a.iso']);
    expect((await fetch(file, { method: 'HEAD' })).status).toBe(200);
    expect(await (await fetch(index)).text()).toContain(`/${token}/a.iso`);
    const last = token.endsWith('a') ? 'b' : 'a';
    const guesses = ['', 'a.iso', '/a.iso', `${token}/`, `${token.slice(0, -1)}/a.iso`, `${token}a/a.iso`];
    for (const guess of [...guesses, `${token.slice(0, -1)}${last}/a.iso`]) {
      expect((await fetch(`${new URL(file).origin}/${guess}`)).status, guess).toBe(404);
    }
    const { stderr } = await stop();
    expect(stderr).toContain('Serving; the index is the last address');
    for (const secret of [token, new URL(index).pathname.slice(1, -1)]) expect(stderr).not.toContain(secret);
    expect(stderr).not.toContain('warning');
  });

  test.each([
    ['that others may not read is asked for', 0o600, [], true],
    ['that others may read is not', 0o644, [], false],
    ['for everybody is not', 0o600, ['--no-token'], false],
  ])('is recommended or not for a file %s', async (_, mode, argv, expected) => {
    chmodSync(join(cwd, 'a.iso'), mode);
    const { stop } = await startServing(['serve', ...argv, 'a.iso'], { cwd });
    const { stderr } = await stop();
    expect(
      /^warning: every user of this machine can read a\.iso from this server\nhelp: pass --token /m.test(stderr),
    ).toBe(expected);
  });

  test.each([
    ['http://boot.example.test', true],
    ['http://[::1]:8080', false],
    ['http://localhost', false],
  ])('is in the addresses if a proxy publishes them as %s: %s', async (url, expected) => {
    const { addresses } = await startServing(['serve', '--public-url', url, 'a.iso'], { cwd });
    expect(addresses[0] === `${url}/a.iso`).toBe(!expected);
  });

  test('cannot be both requested and refused', async () => {
    const { status, stderr } = await coreiso(['serve', '--token', '--no-token', 'a.iso'], { cwd });
    expect([status, stderr]).toEqual([2, expect.stringContaining('--no-token')]);
  });
});

describe('an entity tag', () => {
  test('differs for another file of the same size and time', async () => {
    const { addresses } = await startServing(['serve', 'a.iso'], { cwd });
    const before = await tagOf(addresses[0] ?? '');
    write('b.iso', 2);
    renameSync(join(cwd, 'b.iso'), join(cwd, 'a.iso'));
    expect(await tagOf(addresses[0] ?? '')).not.toBe(before);
    const again = await startServing(['serve', 'a.iso'], { cwd });
    expect(await tagOf(again.addresses[0] ?? '')).not.toBe(before);
  });

  test('is the same for copies with --copies, and differs if a byte does', async () => {
    const tags: unknown[] = [];
    for (const byte of [1, 1, 2]) {
      cwd = scratchFolder();
      write('a.iso', byte, 100_000);
      if (tags.length > 0) utimesSync(join(cwd, 'a.iso'), 2e9, 2e9);
      const { addresses } = await startServing(['serve', '--copies', 'a.iso'], { cwd });
      tags.push(await tagOf(addresses[0] ?? ''));
    }
    expect(tags[1]).toBe(tags[0]);
    expect(tags[2]).not.toBe(tags[0]);
  });

  test('never covers a mixture: changing a file in place breaks the connection', async () => {
    const { addresses, stop } = await startServing(['serve', 'a.iso'], { cwd });
    const response = await fetch(addresses[0] ?? '');
    const { ctimeNs } = statSync(join(cwd, 'a.iso'), { bigint: true });
    await vi.waitUntil(() => {
      const file = openSync(join(cwd, 'a.iso'), 'r+');
      writeSync(file, Uint8Array.of(2), 0, 1, SIZE - 1);
      closeSync(file);
      utimesSync(join(cwd, 'a.iso'), 1e9, 1e9);
      return statSync(join(cwd, 'a.iso'), { bigint: true }).ctimeNs !== ctimeNs;
    }, 60_000);
    await expect(response.arrayBuffer()).rejects.toThrow();
    const after = await fetch(addresses[0] ?? '', { headers: { range: 'bytes=-1' } });
    expect(new Uint8Array(await after.arrayBuffer())).toEqual(Uint8Array.of(2));
    expect((await stop()).stderr).toMatch(/then it broke off$/m);
  });
});

describe('many requests on one connection', () => {
  const requests = (line: string): string =>
    `${`${line}\r\nHost: 127.0.0.1\r\n\r\n`.repeat(1000)}${line}\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`;

  test('are all answered, and take a few lines in the log', async () => {
    const { addresses, stop } = await startServing(['serve', 'a.iso'], { cwd });
    const text = await send(addresses[0] ?? '', requests('GET /nothing HTTP/1.1'));
    expect(text.match(/^HTTP\/1\.1 404 /gm)).toHaveLength(1001);
    const { stderr } = await stop();
    expect(stderr).toMatch(/GET 404: no file \(\d+ more times\)$/m);
    expect(stderr.split('\n').length).toBeLessThan(60);
  });

  test('take at most 100 lines of JSON in a second, plus a count of the others', async () => {
    const { addresses, stop } = await startServing(['serve', '--json', 'a.iso'], { cwd });
    const { files } = JSON.parse(addresses[0] ?? '') as { files: { address: string }[] };
    await send(files[0]?.address ?? '', requests('HEAD /a.iso HTTP/1.1'));
    const events = (await stop()).printed
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { event: string; lines?: number });
    const read = events.filter(({ event }) => event === 'read').length;
    const leftOut = events.reduce((sum, { lines = 0 }) => sum + lines, 0);
    expect(read + leftOut).toBe(1001);
    expect(leftOut).toBeGreaterThan(0);
  });
});

test('a request with two Host lines is refused', async () => {
  const { addresses } = await startServing(['serve', 'a.iso'], { cwd });
  const text = 'GET /a.iso HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.test\r\n\r\n';
  expect(await send(addresses[0] ?? '', text)).toMatch(/^HTTP\/1\.1 400 /);
});

test('this machine may have more connections than other clients', async () => {
  const limit = ['--max-connections-per-client', '1'];
  const { addresses, stop } = await startServing(['serve', ...limit, 'a.iso'], { cwd });
  const open = await fetch(addresses[0] ?? '');
  expect((await fetch(addresses[0] ?? '', { method: 'HEAD' })).status).toBe(200);
  await open.body?.cancel();
  expect((await stop()).stderr).not.toContain('turned away');
  const refused = await coreiso(['serve', '--max-connections-per-client', '0', 'a.iso'], { cwd });
  expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('a number from 1')]);
});
