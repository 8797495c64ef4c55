// Names and addresses are those reserved for documentation (RFC 2606, RFC 5737), and the secrets open nothing.
import type { ClusterFacts } from '../facts/facts.ts';

export const PULL_SECRET = '{"auths":{"quay.example.test":{"auth":"c2FtcGxlOnNhbXBsZQ=="}}}';
export const SSH_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA sample';

/** The sample cluster: three machines of the control plane. */
export const FACTS: ClusterFacts = {
  name: 'sample',
  clusterId: '00000000-0000-4000-8000-000000000000',
  version: '4.20.3',
  releaseImage: `quay.example.test/ocp/release@sha256:${'0'.repeat(64)}`,
  platform: 'BareMetal',
  apiServerUrl: 'https://api.sample.example.test:6443',
  pullSecret: PULL_SECRET,
  nodes: [0, 1, 2].map((index) => ({
    name: `control-${index}`,
    architecture: 'amd64',
    master: true,
    addresses: [{ type: 'InternalIP', address: `192.0.2.1${index}` }],
  })),
  sshKey: SSH_KEY,
  workerUserData: {
    ignition: {
      version: '3.2.0',
      config: { merge: [{ source: 'https://api-int.sample.example.test:22623/config/worker' }] },
    },
  },
};
