import { createVerify, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { adminKubeconfig, type Credentials, makeCredentials } from '@coreiso/openshift';
import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeWithKube, KubeEngine } from '../../../../test/support/engines.ts';
import { DEBIAN_PYTHON, describeWith, describeWithPython, output, run } from '../../../../test/support/tools.ts';

const SIGNERS = [
  'admin-kubeconfig-signer',
  'kube-apiserver-lb-signer',
  'kube-apiserver-localhost-signer',
  'kube-apiserver-service-network-signer',
] as const;

const NOW = new Date('2026-11-17T03:04:05.678Z');
let credentials: Credentials;
let folder: string;

beforeAll(async () => {
  credentials = await makeCredentials({ clock: () => NOW });
  folder = mkdtempSync(join(tmpdir(), 'coreiso-credentials-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
};

/** Without the lines that depend on the key. */
function described(certificate: string, name: string): string {
  return output('openssl', ['x509', '-noout', '-text', '-in', write(name, certificate)]).toString();
}

describeWith(['openssl'], 'openssl', () => {
  test.each(SIGNERS)('finds in %s the contents that the installer writes', (name) => {
    const text = described(credentials.signers[name].certificate, name);
    expect(text).toContain(`Issuer: OU = openshift, CN = ${name}\n`);
    expect(text).toContain(`Subject: OU = openshift, CN = ${name}\n`);
    expect(text).toContain('Not Before: Nov 17 03:04:05 2026 GMT\n');
    expect(text).toContain('Not After : Nov 14 03:04:05 2036 GMT\n');
    expect(text).toContain('Version: 3 (0x2)\n');
    expect(text).toContain('Signature Algorithm: sha256WithRSAEncryption\n');
    expect(text).toContain('Public-Key: (2048 bit)\n');
    expect(text).toContain(
      'X509v3 Key Usage: critical\n                Digital Signature, Key Encipherment, Certificate Sign\n',
    );
    expect(text).toContain('X509v3 Basic Constraints: critical\n                CA:TRUE\n');
    expect(text).toContain('X509v3 Subject Key Identifier: \n');
    expect(text).not.toContain('Authority Key Identifier');
    expect(text).not.toContain('Extended Key Usage');
  });

  test.each(SIGNERS)('verifies %s by itself, and its key belongs to it', (name) => {
    const { certificate, key } = credentials.signers[name];
    const path = write('ca.pem', certificate);
    expect(output('openssl', ['verify', '-x509_strict', '-check_ss_sig', '-CAfile', path, path]).toString()).toBe(
      `${path}: OK\n`,
    );
    expect(key).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
    const ofKey = output('openssl', ['pkey', '-in', write('ca.key', key), '-pubout']).toString();
    expect(ofKey).toBe(output('openssl', ['x509', '-in', path, '-noout', '-pubkey']).toString());
  });

  test('finds the admin in a certificate of its own signer', () => {
    const text = described(credentials.admin.certificate, 'admin');
    expect(text).toContain('Subject: O = system:masters, CN = system:admin\n');
    expect(text).toContain('Not Before: Nov 17 03:04:05 2026 GMT\n');
    expect(text).toContain('Not After : Nov 14 03:04:05 2036 GMT\n');
    expect(text).toContain('X509v3 Key Usage: critical\n                Digital Signature, Key Encipherment\n');
    expect(text).toContain(
      'X509v3 Extended Key Usage: \n                TLS Web Server Authentication, TLS Web Client Authentication\n',
    );
    const path = write('admin.pem', credentials.admin.certificate);
    const verified = SIGNERS.map((name) => {
      const ca = write(`${name}.pem`, credentials.signers[name].certificate);
      return run('openssl', ['verify', '-x509_strict', '-purpose', 'sslclient', '-CAfile', ca, path]).status;
    });
    expect(verified).toEqual([0, 2, 2, 2]);
  });

  test('takes the identifier of a key from its PKCS#1 form', () => {
    const { certificate } = credentials.signers['admin-kubeconfig-signer'];
    const key = output('openssl', ['x509', '-in', write('ca.pem', certificate), '-noout', '-pubkey']);
    const pkcs1 = output('openssl', ['rsa', '-pubin', '-RSAPublicKey_out', '-outform', 'DER'], { input: key });
    const digest = output('openssl', ['dgst', '-sha1', '-r'], { input: pkcs1 }).toString().slice(0, 40);
    const shown = digest.toUpperCase().replace(/..(?=.)/g, '$&:');
    expect(described(certificate, 'ca')).toContain(`X509v3 Subject Key Identifier: \n                ${shown}\n`);
  });

  test.each([
    [{ algorithm: 'RSA', size: 3072 }, 'Public-Key: (3072 bit)', 'sha256WithRSAEncryption'],
    [{ algorithm: 'ECDSA', curve: 'P-256' }, 'NIST CURVE: P-256', 'ecdsa-with-SHA256'],
    [{ algorithm: 'ECDSA', curve: 'P-384' }, 'NIST CURVE: P-384', 'ecdsa-with-SHA384'],
    [{ algorithm: 'ECDSA', curve: 'P-521' }, 'NIST CURVE: P-521', 'ecdsa-with-SHA512'],
  ] as const)('knows signers of %o', async (signerKey, key, algorithm) => {
    const made = await makeCredentials({ clock: () => NOW, signerKey });
    const { certificate } = made.signers['admin-kubeconfig-signer'];
    const text = described(certificate, 'other');
    expect(text).toContain(key);
    expect(text).toContain(`Signature Algorithm: ${algorithm}\n`);
    const uses = signerKey.algorithm === 'RSA' ? 'Digital Signature, Key Encipherment, ' : 'Digital Signature, ';
    expect(text).toContain(`X509v3 Key Usage: critical\n                ${uses}Certificate Sign\n`);
    const ca = write('other-ca.pem', certificate);
    const client = write('other-admin.pem', made.admin.certificate);
    expect(run('openssl', ['verify', '-x509_strict', '-CAfile', ca, client]).status).toBe(0);
  });
});

test('makes serial numbers that are positive, of at most 63 bits and unique', () => {
  const serials = [...SIGNERS.map((name) => credentials.signers[name]), credentials.admin].map(
    ({ certificate }) => new X509Certificate(certificate).serialNumber,
  );
  expect(new Set(serials).size).toBe(5);
  for (const serial of serials) {
    const value = BigInt(`0x${serial}`);
    expect(value > 0n && value < 1n << 63n).toBe(true);
  }
});

test('writes years after 2049 with four digits', async () => {
  const made = await makeCredentials({
    clock: () => new Date('2045-01-01T00:00:00Z'),
    signerKey: { algorithm: 'ECDSA', curve: 'P-256' },
  });
  const { validFrom, validTo } = new X509Certificate(made.signers['kube-apiserver-lb-signer'].certificate);
  expect([validFrom, validTo]).toEqual(['Jan  1 00:00:00 2045 GMT', 'Dec 30 00:00:00 2054 GMT']);
});

describeWithPython(['bcrypt'], 'the password', () => {
  test('has four groups of five unambiguous characters', async () => {
    expect(credentials.password).toMatch(/^(?:[a-km-zA-NP-Z2-9]{5}-){3}[a-km-zA-NP-Z2-9]{5}$/);
  });

  test('has the same hash as in Python', () => {
    const { password, passwordHash } = credentials;
    expect(passwordHash).toMatch(/^\$2a\$10\$[./A-Za-z0-9]{53}$/);
    const program =
      'import bcrypt,sys; p,h=sys.stdin.read().split("\\n")[:2]; print(bcrypt.checkpw(p.encode(),h.encode()), bcrypt.checkpw(b"x"+p.encode(),h.encode()))';
    const input = new TextEncoder().encode(`${password}\n${passwordHash}\n`);
    expect(output(DEBIAN_PYTHON, ['-c', program], { input }).toString()).toBe('True False\n');
  });
});

/** PyJWT reads PKIX under its usual label. */
const DECODE = `
import base64, json, jwt, sys
given = json.load(sys.stdin)
key = base64.b64decode(given["publicKey"]).decode()
assert key.startswith("-----BEGIN EC PUBLIC KEY-----")
key = key.replace("EC PUBLIC KEY", "PUBLIC KEY")
out = []
for name in ("agent", "user", "watcher"):
    token = given[name]
    claims = jwt.decode(token, key, algorithms=["ES256"], options={"verify_exp": False})
    out.append([jwt.get_unverified_header(token), claims])
    try:
        jwt.decode(token[:-4] + "AAAA", key, algorithms=["ES256"], options={"verify_exp": False})
        out.append("a wrong signature passes")
    except jwt.InvalidSignatureError:
        pass
print(json.dumps(out))
`;

describeWithPython(['jwt', 'cryptography'], 'tokens, as PyJWT reads them', () => {
  const decoded = ({ tokens }: Credentials): unknown =>
    JSON.parse(output(DEBIAN_PYTHON, ['-c', DECODE], { input: Buffer.from(JSON.stringify(tokens)) }).toString());
  const header = { alg: 'ES256', typ: 'JWT' };

  test('never expire for the installation of a cluster', () => {
    const schemes = ['agentAuth', 'userAuth', 'watcherAuth'];
    expect(decoded(credentials)).toEqual(schemes.map((auth_scheme) => [header, { auth_scheme }]));
    expect(credentials.tokens.expires).toBeUndefined();
  });

  test('expire after 48 hours for added nodes', async () => {
    const made = await makeCredentials({
      clock: () => NOW,
      workflow: 'add-nodes',
      signerKey: { algorithm: 'ECDSA', curve: 'P-256' },
    });
    const exp = Math.floor(NOW.getTime() / 1000) + 48 * 3600;
    expect(decoded(made)).toEqual(
      ['agentAuth', 'userAuth', 'watcherAuth'].map((auth_scheme) => [header, { auth_scheme, exp }]),
    );
    expect(made.tokens.expires).toBe('2026-11-19T03:04:05Z');
  });
});

test('makes no secret twice', async () => {
  const again = await makeCredentials({ clock: () => NOW });
  const secrets = ({ signers, admin, password, passwordHash, tokens, infraEnvId }: Credentials): string[] => [
    ...Object.values(signers).map(({ key }) => key),
    admin.key,
    password,
    passwordHash,
    tokens.publicKey,
    infraEnvId,
  ];
  const both = [...secrets(credentials), ...secrets(again)];
  expect(new Set(both).size).toBe(both.length);
});

test('names an invalid clock', async () => {
  await expect(makeCredentials({ clock: NOW as never })).rejects.toThrow(
    new TypeError('clock must be a function that returns a Date'),
  );
  await expect(makeCredentials({ clock: () => new Date('x') })).rejects.toThrow(RangeError);
});

test('survives JSON completely', () => {
  const kept = JSON.parse(JSON.stringify(credentials)) as Credentials;
  const site = { name: 'reef', baseDomain: 'example.test' };
  expect(adminKubeconfig(kept, site)).toBe(adminKubeconfig(credentials, site));
});

interface Kubeconfig {
  readonly clusters: readonly { name: string; cluster: Record<string, string> }[];
  readonly users: readonly { name: string; user: Record<string, string> }[];
}

describe('the kubeconfig', () => {
  test('reads the same in js-yaml', () => {
    const text = adminKubeconfig(credentials, { name: 'reef', baseDomain: 'example.test.' });
    const base64 = (value: string): string => Buffer.from(value).toString('base64');
    const { signers, admin } = credentials;
    const bundle = [
      signers['kube-apiserver-localhost-signer'],
      signers['kube-apiserver-service-network-signer'],
      signers['kube-apiserver-lb-signer'],
    ].map(({ certificate }) => certificate);
    expect(load(text)).toEqual({
      clusters: [
        {
          cluster: {
            'certificate-authority-data': base64(bundle.join('')),
            server: 'https://api.reef.example.test:6443',
          },
          name: 'reef',
        },
      ],
      contexts: [{ context: { cluster: 'reef', user: 'admin' }, name: 'admin' }],
      'current-context': 'admin',
      preferences: {},
      users: [
        {
          name: 'admin',
          user: { 'client-certificate-data': base64(admin.certificate), 'client-key-data': base64(admin.key) },
        },
      ],
    });
    const keys = text.split('\n').flatMap((line) => /^([a-z-]+):/.exec(line)?.[1] ?? []);
    expect(keys).toEqual([...keys].sort());
  });

  describeWithKube('on a real API server that was started with the signers', () => {
    let engine: KubeEngine;

    beforeAll(async () => {
      engine = await KubeEngine.start();
      const { signers, admin } = credentials;
      const ca = write('lb.pem', signers['kube-apiserver-lb-signer'].certificate);
      const caKey = write('lb.key', signers['kube-apiserver-lb-signer'].key);
      const extensions = write('leaf.cnf', 'subjectAltName=DNS:api.reef.example.test,IP:127.0.0.1\n');
      const request = join(folder, 'leaf.csr');
      const key = [
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:P-256',
        '-nodes',
        '-keyout',
        engine.file('apiserver.key'),
      ];
      output('openssl', ['req', ...key, '-out', request, '-subj', '/CN=api']);
      output('openssl', [
        'x509',
        '-req',
        '-in',
        request,
        '-CA',
        ca,
        '-CAkey',
        caKey,
        '-CAcreateserial',
        '-out',
        engine.file('apiserver.crt'),
        '-days',
        '2',
        '-extfile',
        extensions,
      ]);
      const clients = signers['admin-kubeconfig-signer'].certificate;
      writeFileSync(engine.file('ca.crt'), `${clients}${signers['kube-apiserver-lb-signer'].certificate}`);
      writeFileSync(engine.file('admin.crt'), admin.certificate);
      writeFileSync(engine.file('admin.key'), admin.key);
      await engine.restart();
    }, 120_000);
    afterAll(() => engine?.stop());

    function ask(path: string, kubeconfig: Kubeconfig): string {
      const cluster: Record<string, string> = kubeconfig.clusters[0]?.cluster ?? {};
      const user: Record<string, string> = kubeconfig.users[0]?.user ?? {};
      const data = (name: string, value = ''): string => write(name, Buffer.from(value, 'base64').toString());
      const host = new URL(cluster['server'] ?? '').hostname;
      return output('curl', [
        ...['-sS', '--fail-with-body', '--noproxy', '*', '--resolve', `${host}:${engine.port}:127.0.0.1`],
        ...['--cacert', data('k-ca.pem', cluster['certificate-authority-data'])],
        ...['--cert', data('k-cert.pem', user['client-certificate-data'])],
        ...['--key', data('k-key.pem', user['client-key-data'])],
        `https://${host}:${engine.port}${path}`,
      ]).toString();
    }

    test('is trusted, trusts the server, and may do everything', () => {
      const kubeconfig = load(adminKubeconfig(credentials, { name: 'reef', baseDomain: 'example.test' })) as Kubeconfig;
      const secrets = JSON.parse(ask('/api/v1/namespaces/kube-system/secrets', kubeconfig));
      expect(secrets.kind).toBe('SecretList');
    });

    test('is rejected for another cluster', async () => {
      const other = await makeCredentials({ clock: () => new Date() });
      const kubeconfig = load(adminKubeconfig(other, { name: 'reef', baseDomain: 'example.test' })) as Kubeconfig;
      expect(() => ask('/api/v1/namespaces/kube-system/secrets', kubeconfig)).toThrow(/SSL certificate problem/);
    });
  });
});

test('has a public key for tokens that is none of the signers', () => {
  const key = Buffer.from(credentials.tokens.publicKey, 'base64').toString().replaceAll('EC PUBLIC KEY', 'PUBLIC KEY');
  const [header, claims, signature = ''] = credentials.tokens.user.split('.');
  const verify = createVerify('SHA256').update(`${header}.${claims}`);
  expect(verify.verify({ key, dsaEncoding: 'ieee-p1363' }, signature, 'base64url')).toBe(true);
});
