import { factsRole, redactFacts, secretMembers } from '@coreiso/cluster';
import { bytesSource } from '@coreiso/iso';
import { type ClusterFacts, samples } from '@coreiso/nodes-config';
import type { Arguments } from '../../frame/arguments.ts';
import type { Action } from '../../frame/command.ts';
import { STDOUT } from '../../frame/output.ts';
import type { Terminal } from '../../frame/terminal.ts';
import { readLive } from '../cluster-access.ts';
import { readFacts } from '../cluster-facts.ts';
import { prepareTargets, writeTargets } from './outputs.ts';

/** `coreiso nodes facts`. */
export const facts: Action = async (args, terminal) => {
  if (args.has('rbac')) {
    await terminal.print(factsRole());
    return 0;
  }
  const found = await findFacts(args, terminal);
  const output = args.optional('output');
  const isPrinted = output === undefined || output === STDOUT;
  // A file and a pipe feed --cluster, which needs the secrets; a terminal is for people.
  const isHidden = isPrinted && terminal.io.stdout.isTTY === true && !terminal.showsSecrets;
  const shown = args.has('redact') || isHidden ? redactFacts(found) : found;
  if (isPrinted) {
    if (isHidden && !args.has('redact'))
      terminal.say('secrets are hidden on a terminal: write them with -o FILE, or pass --show-secrets');
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
  if (args.has('redact')) terminal.say(`${place} has no secrets; left out: ${secrets}`);
  else terminal.say(`${place} has secrets: ${secrets}; only its owner can read it`);
  return 0;
};

async function findFacts(args: Arguments, terminal: Terminal): Promise<ClusterFacts> {
  if (args.has('sample')) return samples.facts;
  const given = args.optional('FACTS');
  return given === undefined ? (await readLive(args, terminal)).value : await readFacts(terminal, given);
}
