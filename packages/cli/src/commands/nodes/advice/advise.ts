import { join } from 'node:path';
import { decodeText, formatDiagnostics } from '@coreiso/diagnostics';
import {
  type Advice,
  adviseNodes,
  type ClusterFacts,
  manifestFiles,
  parseNodesConfig,
  planHosts,
  skippedChecks,
  splitMessages,
} from '@coreiso/nodes-config';
import { showLine } from '@coreiso/peers/controls';
import type { Arguments } from '../../../frame/arguments.ts';
import type { Action } from '../../../frame/command.ts';
import { inputName, readNamed } from '../../../frame/input.ts';
import { groupRepeated } from '../../../frame/show-findings.ts';
import type { Terminal } from '../../../frame/terminal.ts';
import { parseValues } from '../../../frame/values.ts';
import { writeNewFiles } from '../../../frame/write-directory.ts';
import { filesOf } from '../../cluster-facts.ts';
import { noFacts, readCluster } from '../cluster.ts';
import { type ConfigFile, configFindingData, hasErrors, readConfigFile, showConfigFindings } from '../config-file.ts';

/** `coreiso nodes advise`: validates as upstream does, because it checks only the surroundings of the nodes. */
export const advise: Action = async (args, terminal) => {
  const file = await readConfigFile(args, terminal);
  const cluster = await readCluster(args, terminal);
  if (cluster === undefined) {
    throw noFacts();
  }
  const config = parseNodesConfig(file.bytes, { cluster, mode: 'compatible' });
  const advice = config.ok
    ? adviseNodes(planHosts(config.value), withDnsNames(cluster, args), {
        day: args.optional('day') as 'add' | 'install' | undefined,
        manifests: await readGivenObjects(args, terminal),
        remoteHosts: args.list('remote'),
        locate: config.value.source.locate,
      })
    : [];
  const files = manifestFiles(advice);
  const skipped = skippedChecks(cluster);
  const directory = args.optional('manifests');
  if (directory !== undefined && config.ok)
    await writeNewFiles(terminal, directory, files, args.has('force') ? 'replace' : 'refuse');
  if (args.has('json')) {
    const data = advice.map((one) => ({ ...configFindingData(one), manifests: one.manifests }));
    const findings = config.diagnostics.map(configFindingData);
    const messages = splitMessages(config.diagnostics);
    await terminal.printJson({ ...messages, diagnostics: findings, advice: data, skipped, files });
  } else {
    if (!config.ok) showConfigFindings(terminal, file, config.diagnostics);
    else await print(advice, skipped, file, terminal);
    const names = Object.keys(files);
    if (directory !== undefined) for (const name of names) terminal.say(`wrote ${join(directory, name)}`);
    else if (names.length > 0) terminal.say(`--manifests DIR writes ${names.join(', ')}; nothing is ever applied`);
  }
  return config.ok && !hasErrors(advice) ? 0 : 1;
};

/** Returns the facts, with the names that the site's DNS resolves. */
function withDnsNames(cluster: ClusterFacts, args: Arguments): ClusterFacts {
  const given = args.list('resolves').map((text): [string, string[]] => {
    const { name, addresses } = parseRecord(text);
    return [name, addresses];
  });
  return given.length === 0
    ? cluster
    : { ...cluster, dnsRecords: { ...cluster.dnsRecords, ...Object.fromEntries(given) } };
}

/** Parses `NAME=ADDRESS,…`; throws for any other text. */
export function parseRecord(text: string): { readonly name: string; readonly addresses: string[] } {
  const [, name = '', addresses = ''] = /^([^=\s]+)=([0-9A-Fa-f.:,]+)$/.exec(text) ?? [];
  if (name === '') throw new Error('expected NAME=ADDRESS, such as api-int.reef.example.test=192.0.2.10');
  return { name, addresses: addresses.split(',').filter((address) => address !== '') };
}

async function readGivenObjects(args: Arguments, terminal: Terminal): Promise<unknown[]> {
  const objects: unknown[] = [];
  for (const given of args.list('given')) {
    for (const name of (await filesOf(terminal, given)) ?? [given])
      objects.push(...parseValues(await readNamed(terminal, name), name));
  }
  return objects;
}

async function print(
  advice: readonly Advice[],
  skipped: ReturnType<typeof skippedChecks>,
  { name, bytes }: ConfigFile,
  terminal: Terminal,
): Promise<void> {
  const note = skippedText(skipped);
  if (advice.length === 0) {
    await terminal.showLines([`${inputName(name)}: no problems found${note === '' ? '' : ` (${note})`}`]);
    return;
  }
  const decoded = decodeText(bytes);
  const text = decoded.ok ? decoded.value.text : '';
  const colour = terminal.colour('stdout');
  const parts = groupRepeated(advice, ({ manifests }) => manifests).map((one) => {
    const steps = one.manifests
      .flatMap(stepOf)
      .map((line) => `  ${showLine(line)}\n`)
      .join('');
    return `${formatDiagnostics([one], { text, file: inputName(name), colour }).trimEnd()}\n${steps}`;
  });
  await terminal.draw(parts.join('\n'));
  if (note !== '') terminal.say(note);
}

/** Tells how many checks lacked facts: `no problems found` alone would promise too much. */
function skippedText(skipped: ReturnType<typeof skippedChecks>): string {
  if (skipped.length === 0) return '';
  const names = skipped.map(({ check }) => check).join(', ');
  return `${skipped.length} ${skipped.length === 1 ? 'check' : 'checks'} skipped: ${names}`;
}

function stepOf(help: Advice['manifests'][number]): string[] {
  switch (help.kind) {
    case 'manifest':
    case 'file':
      return [`file: ${help.name}: ${help.why}`];
    case 'dns':
      return [`dns: ${help.name} → ${help.addresses.length === 0 ? '…' : help.addresses.join(', ')}: ${help.why}`];
    case 'command':
      return [`run: ${help.command}`, `     ${help.why}`];
  }
}
