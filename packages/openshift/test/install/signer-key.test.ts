import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { decodeDataUrl } from '@coreiso/ignition';
import { type AgentSite, agentConfigOf, makeCredentials, readSite, signerKeyOf } from '@coreiso/openshift';
import { describe, expect, test } from 'vitest';

const read = (file: string): string =>
  readFileSync(new URL(`../../../nodes-config/test/sites/single-node/${file}`, import.meta.url), 'utf8');

/** A site with these `pki` lines in its install config. */
function siteWith(key: string): AgentSite {
  const pki = key === '' ? '' : `featureSet: TechPreviewNoUpgrade\npki: {signerCertificates: {key: ${key}}}\n`;
  const outcome = readSite({
    installConfig: read('install-config.yaml') + pki,
    agentConfig: read('agent-config.yaml'),
    version: '4.20.3',
    releaseImage: `quay.example.test/ocp/release@sha256:${'5'.repeat(64)}`,
  });
  if (!outcome.ok) throw new Error(outcome.diagnostics[0]?.message);
  return outcome.value;
}

describe('pki of an install config', () => {
  test.each([
    ['', undefined],
    ['{algorithm: RSA, rsa: {keySize: 2048}}', { algorithm: 'RSA', size: 2048 }],
    ['{algorithm: RSA, rsa: {keySize: 8192}}', { algorithm: 'RSA', size: 8192 }],
    ['{algorithm: ECDSA, ecdsa: {curve: P256}}', { algorithm: 'ECDSA', curve: 'P-256' }],
    ['{algorithm: ECDSA, ecdsa: {curve: P521}}', { algorithm: 'ECDSA', curve: 'P-521' }],
    ['{algorithm: ECDSA}', { algorithm: 'ECDSA', curve: 'P-384' }],
  ])('%s', (key, asked) => {
    expect(signerKeyOf(siteWith(key))).toEqual(asked);
  });

  test.each([
    '{algorithm: RSA, rsa: {keySize: 1024}}',
    '{algorithm: RSA, rsa: {keySize: 9216}}',
    '{algorithm: RSA, rsa: {keySize: 2049}}',
    '{algorithm: RSA, rsa: {keySize: 2048}, ecdsa: {curve: P256}}',
    '{algorithm: ECDSA, ecdsa: {curve: P224}}',
    '{algorithm: ECDSA, ecdsa: {curve: P256}, rsa: {keySize: 2048}}',
    '{algorithm: Ed25519}',
    '{}',
  ])('refuses %s', (key) => {
    expect(() => signerKeyOf(siteWith(key))).toThrow(expect.objectContaining({ code: 'OPENSHIFT_UNKNOWN_PKI' }));
  });

  test('sets the key of the four signers in the image; the admin still has RSA', async () => {
    const site = siteWith('{algorithm: ECDSA, ecdsa: {curve: P521}}');
    const credentials = await makeCredentials({ clock: () => new Date(), signerKey: signerKeyOf(site) });
    const files = agentConfigOf(site, credentials).storage?.files ?? [];
    const signers = files.filter(({ path }) => /^\/opt\/agent\/tls\/.*\.crt$/.test(path));
    expect(signers.length).toBe(4);
    for (const { contents } of signers) {
      const { publicKey } = new X509Certificate(decodeDataUrl(contents?.source ?? '') ?? '');
      expect(publicKey.asymmetricKeyDetails?.namedCurve).toBe('secp521r1');
    }
    expect(new X509Certificate(credentials.admin.certificate).publicKey.asymmetricKeyDetails?.modulusLength).toBe(2048);
  });
});
