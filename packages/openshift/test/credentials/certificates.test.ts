import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Credentials, makeCredentials } from '@coreiso/openshift';
import { beforeAll, expect, test } from 'vitest';
import { scratchFolder } from '../../../../test/support/scratch.ts';
import { describeWith, output } from '../../../../test/support/tools.ts';
import { makePassword } from '../../src/credentials/password.ts';

let credentials: Credentials;
beforeAll(async () => {
  credentials = await makeCredentials({
    clock: () => new Date('2026-11-17T03:04:05Z'),
    workflow: 'install',
    signerKey: { algorithm: 'ECDSA', curve: 'P-256' },
  });
});

/** The extensions of a certificate as openssl names them, without values that depend on the key. */
function extensions(certificate: string): string[] {
  const path = join(scratchFolder(), 'a.pem');
  writeFileSync(path, certificate);
  const text = output('openssl', ['x509', '-noout', '-text', '-in', path]).toString();
  const from = text.indexOf('X509v3 extensions:');
  const listed = text.slice(from, text.indexOf('Signature Algorithm', from));
  return listed
    .split('\n')
    .slice(1)
    .map((line) => line.trim().replace(/(?:[0-9A-F]{2}:){19}[0-9A-F]{2}/, 'KEY'))
    .filter((line) => line !== '' && !line.startsWith('Signature'));
}

describeWith(['openssl'], 'openssl', () => {
  test('finds the extensions of an authority', () => {
    expect(extensions(credentials.signers['admin-kubeconfig-signer'].certificate)).toEqual([
      'X509v3 Key Usage: critical',
      'Digital Signature, Certificate Sign',
      'X509v3 Basic Constraints: critical',
      'CA:TRUE',
      'X509v3 Subject Key Identifier:',
      'KEY',
    ]);
  });

  test("finds the extensions of the administrator's certificate, which names the authority", () => {
    expect(extensions(credentials.admin.certificate)).toEqual([
      'X509v3 Key Usage: critical',
      'Digital Signature, Key Encipherment',
      'X509v3 Extended Key Usage:',
      'TLS Web Server Authentication, TLS Web Client Authentication',
      'X509v3 Basic Constraints: critical',
      'CA:FALSE',
      'X509v3 Subject Key Identifier:',
      'KEY',
      'X509v3 Authority Key Identifier:',
      'KEY',
    ]);
  });

  test('finds serial numbers that are positive and unique', () => {
    const serials = [credentials.admin, ...Object.values(credentials.signers)].map(({ certificate }) => {
      const path = join(scratchFolder(), 'a.pem');
      writeFileSync(path, certificate);
      return output('openssl', ['x509', '-noout', '-serial', '-in', path]).toString().trim();
    });
    expect(new Set(serials).size).toBe(serials.length);
    for (const serial of serials) expect(serial).toMatch(/^serial=[0-9A-F]{1,16}$/);
  });
});

test('makes a password of four groups of five unambiguous characters', () => {
  const passwords = Array.from({ length: 200 }, makePassword);
  for (const password of passwords) expect(password).toMatch(/^(?:[a-km-zA-NP-Z2-9]{5}-){3}[a-km-zA-NP-Z2-9]{5}$/);
  expect(new Set(passwords).size).toBe(200);
  // 200 passwords have 4000 characters, enough for each of the 58 to occur.
  expect(new Set(passwords.join('').replaceAll('-', '')).size).toBe(58);
});
