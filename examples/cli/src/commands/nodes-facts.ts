import type { ClusterFacts } from '@coreiso/nodes-config';
import type { Action } from '../frame/command.ts';
import { UsageError } from '../frame/usage.ts';
import { readFacts } from './nodes-cluster.ts';

/** `coreiso nodes facts`. */
export const facts: Action = async (args, terminal) => {
  const given = args.optional('FACTS');
  if (args.has('sample') === (given !== undefined)) {
    throw new UsageError('either FACTS or --sample is needed', { usage: 'coreiso nodes facts [OPTIONS] [FACTS]' });
  }
  await terminal.printJson(given === undefined ? SAMPLE : await readFacts(terminal, given));
  return 0;
};

/** Names and addresses are those reserved for documentation (RFC 2606, RFC 5737), and the secrets open nothing. */
const SAMPLE: ClusterFacts = {
  name: 'sample',
  clusterId: '00000000-0000-4000-8000-000000000000',
  version: '4.20.3',
  releaseImage: `quay.example.test/ocp/release@sha256:${'0'.repeat(64)}`,
  platform: 'BareMetal',
  apiServerUrl: 'https://api.sample.example.test:6443',
  pullSecret: '{"auths":{"quay.example.test":{"auth":"c2FtcGxlOnNhbXBsZQ=="}}}',
  nodes: [0, 1, 2].map((index) => ({
    name: `control-${index}`,
    architecture: 'amd64',
    master: true,
    addresses: [{ type: 'InternalIP', address: `192.0.2.1${index}` }],
  })),
  workerUserData: {
    ignition: {
      version: '3.2.0',
      config: { merge: [{ source: 'https://api-int.sample.example.test:22623/config/worker' }] },
    },
  },
};
