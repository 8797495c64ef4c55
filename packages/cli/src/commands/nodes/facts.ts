import { redactFacts, secretMembers } from '@coreiso/cluster';
import { bytesSource } from '@coreiso/iso';
import type { ClusterFacts } from '@coreiso/nodes-config';
import type { Arguments } from '../../frame/arguments.ts';
import type { Action } from '../../frame/command.ts';
import { STDOUT } from '../../frame/output.ts';
import type { Terminal } from '../../frame/terminal.ts';
import { readLive } from '../cluster-access.ts';
import { readFacts } from './cluster.ts';
import { prepareTargets, writeTargets } from './outputs.ts';

/** `coreiso nodes facts`. */
export const facts: Action = async (args, terminal) => {
  const found = await findFacts(args, terminal);
  const output = args.optional('output');
  const isPrinted = output === undefined || output === STDOUT;
  // A file and a pipe are for --cluster, which needs the secrets; a screen is for people.
  const isHidden = isPrinted && terminal.io.stdout.isTTY === true && !terminal.showsSecrets;
  const shown = args.has('redact') || isHidden ? redactFacts(found) : found;
  if (isPrinted) {
    if (isHidden && !args.has('redact')) terminal.say('secrets are not shown on a terminal; -o FILE keeps them');
    await terminal.printWhole(shown);
    return 0;
  }
  const source = bytesSource(new TextEncoder().encode(`${JSON.stringify(shown, null, 2)}\n`));
  const replace = args.has('force');
  const targets = await prepareTargets(terminal, [{ name: 'cluster.json', source }], {
    output,
    report: undefined,
    replace,
  });
  await writeTargets(terminal, targets, { replace, durable: false });
  const [place = output] = targets.map(({ path }) => path);
  const secrets = secretMembers(found).join(', ') || 'none';
  if (args.has('redact')) terminal.say(`${place} holds no secrets; they were: ${secrets}`);
  else terminal.say(`${place} holds secrets: ${secrets}; only its owner may read it`);
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
