import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { readKeys } from 'openpgp';
import { expect, onTestFinished, test } from 'vitest';
import { describeWith } from '../../../../test/support/tools.ts';
import { PUBLIC_KEYS } from '../../src/frame/signatures/keys.ts';
import { DetachedSignature } from '../../src/frame/signatures/verify.ts';
import { KEYS, SIGNATURES } from '../recorded/signed.ts';
import { coreiso, scratchFolder } from '../support.ts';

/** Key fingerprints as Red Hat and Fedora publish them. */
const FINGERPRINTS = [
  ['567E347AD0044ADE55BA8A5F199E2F91FD431D51', 'Red Hat, Inc. (release key 2) <security@redhat.com>'],
  ['36F612DCF27F7D1A48A835E4DBFCF71C6D9F90A6', 'Fedora (44) <fedora-44-primary@fedoraproject.org>'],
  ['4F50A6114CD5C6976A7F1179655A4B02F577861E', 'Fedora (45) <fedora-45-primary@fedoraproject.org>'],
  ['D924B10D3E810DABDD8B56B596E7E91491211FCE', 'Fedora (46) <fedora-46-primary@fedoraproject.org>'],
];

test('trusts only the keys of Fedora and Red Hat', async () => {
  const blocks = PUBLIC_KEYS.split(/(?=-----BEGIN)/);
  const keys = (await Promise.all(blocks.map((armoredKeys) => readKeys({ armoredKeys })))).flat();
  expect(keys.map((key) => [key.getFingerprint().toUpperCase(), ...key.getUserIDs()])).toEqual(FINGERPRINTS);
});

describeWith(['gpg'], 'gpg', () => {
  test('reads the same keys', () => {
    const home = scratchFolder();
    writeFileSync(join(home, 'keys.asc'), PUBLIC_KEYS);
    const listing = execFileSync('gpg', ['--homedir', home, '--show-keys', '--with-colons', join(home, 'keys.asc')], {
      stdio: 'pipe',
    });
    const lines = listing
      .toString()
      .split('\n')
      .map((line) => line.split(':'));
    const found = lines.flatMap(([kind, ...fields]) => (kind === 'fpr' ? [fields[8]] : []));
    expect(found).toEqual(FINGERPRINTS.map(([fingerprint]) => fingerprint));
  });
});

const text = (value: string): ReadableStream<Uint8Array> => new Blob([value]).stream();
const bytes = (name: keyof typeof SIGNATURES): Uint8Array => Buffer.from(SIGNATURES[name], 'base64');

test('trusts other keys only if they are given', async () => {
  const [unknown] = (await (await DetachedSignature.read(bytes('disk')))?.verdicts(text('x'))) ?? [];
  expect(unknown?.outcome).toBe('unknown');
  const [bad] = (await (await DetachedSignature.read(bytes('disk'), KEYS))?.verdicts(text('x'))) ?? [];
  expect(bad).toMatchObject({ outcome: 'bad', signer: { name: 'Sample (release) <release@example.test>' } });
});

test('returns no signature for other data', async () => {
  for (const given of [new Uint8Array(), Buffer.from('text'), bytes('disk').subarray(0, 90), Buffer.from(KEYS)])
    expect(await DetachedSignature.read(given)).toBeUndefined();
});

test('returns no signature of an unknown kind, rather than leaving the file unread', async () => {
  const packet =
    'iHUEaBYIAB0WXQQBI0VniavN7wEjRWeJq83vASNFZwUCZVPxAAAKCRCJq83vASNFZ6sYAQDerb7v3q2+796tvu/erb7visInFlowvu/erb7v3q2+7wEA3q2+796tvu/erb7v3q2+796tvu/erb7v3q2+796tvu8=';
  expect(await DetachedSignature.read(Buffer.from(packet, 'base64'))).toBeUndefined();
});

test.each(['SIGINT', 'the server'])('%s leaves nothing behind when it ends a download', async (ends) => {
  const cwd = scratchFolder();
  const stopping = new AbortController();
  const server = createServer((request, response) => {
    if (request.url?.endsWith('.sig')) return void response.end(bytes('disk'));
    response.writeHead(200, { 'content-length': 5_000_000 });
    response.write(Buffer.alloc(2_000_000), () => {
      if (ends === 'SIGINT') stopping.abort(new DOMException('SIGINT', 'AbortError'));
      else setTimeout(() => response.destroy(), 20);
    });
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/disk.raw`;
  const result = await coreiso(['download', '-u', address], { cwd, signal: stopping.signal });
  expect([result.status, readdirSync(cwd)]).toEqual([ends === 'SIGINT' ? 130 : 1, []]);
});

test('refuses a signature without an end', async () => {
  const cwd = scratchFolder();
  const server = createServer((_, response) => void response.end(Buffer.alloc(2 * 1024 * 1024))).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/disk.raw`;
  const { status, stderr } = await coreiso(['download', '-u', address], { cwd });
  expect([status, stderr]).toEqual([1, expect.stringContaining('--insecure not specified and signature not found')]);
});
