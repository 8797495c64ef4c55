// Fake credentials: they open nothing.
import type { ServiceCredentials } from '@coreiso/nodes-config';

const SIGNERS: readonly (keyof ServiceCredentials['signers'])[] = [
  'admin-kubeconfig-signer',
  'kube-apiserver-lb-signer',
  'kube-apiserver-localhost-signer',
  'kube-apiserver-service-network-signer',
];

const SAMPLE_EXPIRY = '2026-11-19T03:04:05Z';

function token(scheme: string): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { auth_scheme: scheme, exp: Date.parse(SAMPLE_EXPIRY) / 1000 };
  return `${part({ alg: 'ES256', typ: 'JWT' })}.${part(claims)}.${Buffer.from(`signature of ${scheme}`).toString('base64url')}`;
}

export const SAMPLE_CREDENTIALS: ServiceCredentials = {
  signers: Object.fromEntries(
    SIGNERS.map((name) => [name, { certificate: `certificate of ${name}\n`, key: `key of ${name}\n` }]),
  ) as ServiceCredentials['signers'],
  passwordHash: `$2a$10$${'a'.repeat(53)}`,
  tokens: {
    agent: token('agentAuth'),
    user: token('userAuth'),
    watcher: token('watcherAuth'),
    publicKey: 'LS0tLS1CRUdJTg==',
    expires: SAMPLE_EXPIRY,
  },
  infraEnvId: '5f2b0c8e-5d0e-4a57-9c3e-2b7a1f0d9e11',
};
