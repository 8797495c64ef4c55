import { describe, expect, test } from 'vitest';
import { CERTIFICATES } from '../../../../test/support/certificates.ts';
import { resource } from '../../src/codec/data-url.ts';
import { findExpiries } from '../../src/inspect/expiry.ts';
import type { Config } from '../../src/spec/generated/types.ts';

const ignition = { version: '3.4.0' };
const inFile = (content: string): Config => ({
  ignition,
  storage: { files: [{ path: '/etc/f', contents: resource(content) }] },
});

function token(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part(claims)}.c2ln`;
}

describe('finds expiry dates', () => {
  const notAfter = new Date('2026-03-04T05:06:07Z');
  const kubeconfig = `users:\n- user:\n    client-certificate-data: ${Buffer.from(CERTIFICATES.api).toString('base64')}\n`;
  const nested = JSON.stringify(inFile(CERTIFICATES.api));

  test.each<[string, Config, readonly (string | number)[], readonly string[]]>([
    ['in a file', inFile(CERTIFICATES.api), ['storage', 'files', 0, 'contents', 'source'], ['/etc/f']],
    [
      'behind other text',
      inFile(`# CA\n${CERTIFICATES.api}`),
      ['storage', 'files', 0, 'contents', 'source'],
      ['/etc/f'],
    ],
    ['in a kubeconfig', inFile(kubeconfig), ['storage', 'files', 0, 'contents', 'source'], ['/etc/f']],
    [
      'in JSON with escaped line ends',
      inFile(JSON.stringify({ ca: CERTIFICATES.api })),
      ['storage', 'files', 0, 'contents', 'source'],
      ['/etc/f'],
    ],
    [
      'in an authority',
      { ignition: { ...ignition, security: { tls: { certificateAuthorities: [resource(CERTIFICATES.api)] } } } },
      ['ignition', 'security', 'tls', 'certificateAuthorities', 0, 'source'],
      [],
    ],
    [
      'in a unit',
      { ignition, systemd: { units: [{ name: 'a.service', contents: CERTIFICATES.api }] } },
      ['systemd', 'units', 0, 'contents'],
      ['a.service'],
    ],
    [
      'in a config within a config',
      { ignition, storage: { files: [{ path: '/etc/coreos/dest.ign', contents: resource(nested) }] } },
      ['storage', 'files', 0, 'contents', 'source', 'storage', 'files', 0, 'contents', 'source'],
      ['/etc/coreos/dest.ign', '/etc/f'],
    ],
  ])('%s', (_, config, path, within) => {
    expect(findExpiries(config)).toEqual([
      expect.objectContaining({ kind: 'certificate', name: 'api.example.test', notAfter, path, within }),
    ]);
  });

  test('of tokens', () => {
    const config = inFile(`TOKEN=${token({ sub: 'system:node', exp: 1800000000, nbf: 1700000000 })}\n`);
    expect(findExpiries(config)).toEqual([
      expect.objectContaining({
        kind: 'token',
        name: 'system:node',
        notBefore: new Date(1700000000_000),
        notAfter: new Date(1800000000_000),
      }),
    ]);
  });

  test('earliest first', () => {
    const config = inFile(CERTIFICATES.longLived + CERTIFICATES.version3 + CERTIFICATES.api);
    expect(findExpiries(config).map(({ name }) => name)).toEqual(['api.example.test', 'v3.example.test', 'Long Lived']);
  });
});

test.each([
  ['a token without an end', token({ sub: 'x' })],
  ['a token whose end is no date', token({ exp: 1e300 })],
  ['three words', 'eyJhbGci.bm90IGpzb24.x'],
  ['a certificate cut short', CERTIFICATES.api.slice(0, 200)],
  ['a key', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n'],
])('finds no expiry date in %s', (_, content) => {
  expect(findExpiries(inFile(content))).toEqual([]);
});

test('takes one pass for a megabyte of unfinished blocks', () => {
  const beginnings = `${'-----BEGIN CERTIFICATE-----\n'.repeat(20_000)}${'eyJ-'.repeat(100_000)}${'LS0tLS1CRUdJTi'.repeat(20_000)}`;
  expect(findExpiries(inFile(beginnings))).toEqual([]);
});
