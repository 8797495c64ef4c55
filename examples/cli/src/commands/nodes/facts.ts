import { writeFile } from 'node:fs/promises';
import { redactFacts } from '@coreiso/cluster';
import type { ClusterFacts } from '@coreiso/nodes-config';
import type { Arguments } from '../../frame/arguments.ts';
import type { Action } from '../../frame/command.ts';
import { inContext } from '../../frame/failure.ts';
import type { Terminal } from '../../frame/terminal.ts';
import { readLive } from '../cluster-access.ts';
import { readFacts } from './cluster.ts';

/** `coreiso nodes facts`. */
export const facts: Action = async (args, terminal) => {
  const found = await findFacts(args, terminal);
  const text = `${JSON.stringify(args.has('redact') ? redactFacts(found) : found, null, 2)}\n`;
  const output = args.optional('output');
  if (output === undefined || output === '-') await terminal.print(text);
  else {
    // The pull secret is in it, so it is nobody else's from its first byte.
    const flag = args.has('force') ? 'w' : 'wx';
    await inContext(`cannot write ${output}`, () => writeFile(terminal.path(output), text, { mode: 0o600, flag }));
    terminal.say(
      `${output} holds the pull secret${args.has('redact') ? ' no longer' : ''}; its owner alone may read it`,
    );
  }
  return 0;
};

async function findFacts(args: Arguments, terminal: Terminal): Promise<ClusterFacts> {
  if (args.has('sample')) return SAMPLE;
  const given = args.optional('FACTS');
  return given === undefined ? (await readLive(args, terminal)).value : await readFacts(terminal, given);
}

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
  sshKey: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA sample',
  workerUserData: {
    ignition: {
      version: '3.2.0',
      config: { merge: [{ source: 'https://api-int.sample.example.test:22623/config/worker' }] },
    },
  },
};
