// Made-up clusters.
import type { ClusterFacts } from '../../../nodes-config/src/facts/facts.ts';

const MERGE = { source: 'https://api-int.cove.example.test:22623/config/worker' };
const AUTHORITY = { source: `data:text/plain;charset=utf-8;base64,${btoa(certificate(0))}` };

export const CLUSTER: ClusterFacts = {
  name: 'cove',
  clusterId: '6f1b0c8e-5d0e-4a57-9c3e-2b7a1f0d9e11',
  version: '4.20.3',
  releaseImage: `releases.example.test/ocp/release@sha256:${'5'.repeat(64)}`,
  platform: 'BareMetal',
  apiServerUrl: 'https://api.cove.example.test:6443',
  pullSecret: '{"auths":{"releases.example.test":{"auth":"dXNlcjpwYXNz"}}}',
  nodes: [
    {
      name: 'cove-control-0',
      architecture: 'amd64',
      master: true,
      addresses: [
        { type: 'InternalIP', address: '192.0.2.2' },
        { type: 'Hostname', address: 'cove-control-0' },
      ],
    },
  ],
  workerUserData: {
    ignition: {
      version: '3.2.0',
      config: { merge: [MERGE] },
      security: { tls: { certificateAuthorities: [AUTHORITY] } },
    },
  },
  sshKey: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g ops@example.test',
};

/** Behind a proxy, with a mirror and the largest trust bundle that the service accepts. */
export const INNER_CLUSTER: ClusterFacts = {
  ...CLUSTER,
  apiServerUrl: 'https://api.inner.example.test:6443',
  nodes: [
    {
      name: 'inner-control-0',
      architecture: 'amd64',
      master: true,
      addresses: [{ type: 'InternalIP', address: '198.18.0.1' }],
    },
  ],
  proxy: {
    httpProxy: 'http://proxy.example.test:3128',
    httpsProxy: 'http://proxy.example.test:3128',
    noProxy: '.example.test,198.18.0.0/24',
  },
  imageDigestMirrors: [{ source: 'releases.example.test/ocp/release', mirrors: ['mirror.inner.example.test/ocp'] }],
  trustBundle: Array.from({ length: 38 }, (_, index) => certificate(index)).join(''),
};

/** Looks like a certificate from outside: a sequence of 1200 bytes in DER. */
function certificate(seed: number): string {
  const body = Array.from({ length: 1200 }, (_, index) => (index * (seed + 3)) % 251);
  const lines = btoa(String.fromCharCode(0x30, 0x82, 1200 >> 8, 1200 & 0xff, ...body)).match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
