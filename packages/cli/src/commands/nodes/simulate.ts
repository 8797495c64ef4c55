import { type HostPlans, type Machine, parseNodesConfig, planHosts, simulateBoot } from '@coreiso/nodes-config';
import type { Action } from '../../frame/command.ts';
import { UsageError } from '../../frame/usage.ts';
import { readCluster } from './cluster.ts';
import { readConfigFile, showConfigFindings } from './config-file.ts';
import { bootData } from './plan.ts';
import { bootText } from './plan-text.ts';

/** `coreiso nodes simulate`. */
export const simulate: Action = async (args, terminal) => {
  const file = await readConfigFile(args, terminal);
  const cluster = await readCluster(args, terminal);
  const config = parseNodesConfig(file.bytes, { cluster, mode: 'compatible' });
  showConfigFindings(terminal, file, config.diagnostics);
  if (!config.ok) return 1;
  const plan = planHosts(config.value);
  const machine = { nics: readNics(args.list('mac'), plan) };
  if (args.has('json')) await terminal.printJson(bootData(plan, machine));
  else await terminal.showText(bootText(machine, simulateBoot(plan, machine)));
  return 0;
};

const MAC = /^[0-9a-f]{2}(?:([:-])?[0-9a-f]{2})(?:\1[0-9a-f]{2}){4}$/i;

/** Returns the cards; a card without a name gets the name from the config, so that no card is renamed. */
function readNics(given: readonly string[], plan: HostPlans): Machine['nics'] {
  const names = new Map(
    plan.hosts.flatMap(({ interfaces }) => interfaces.map(({ name, macAddress }) => [digits(macAddress), name])),
  );
  const nics: Record<string, string> = {};
  for (const [index, text] of given.entries()) {
    const equals = text.indexOf('=');
    const mac = text.slice(equals + 1);
    const name = equals > 0 ? text.slice(0, equals) : names.get(digits(mac)) || `eth${index}`;
    if (!MAC.test(mac))
      throw new UsageError(`invalid value '${text}' for '--mac <[NIC=]MAC>': ${mac} is not a MAC address`);
    if (Object.hasOwn(nics, name))
      throw new UsageError(`invalid value '${text}' for '--mac <[NIC=]MAC>': two cards have the name ${name}`);
    nics[name] = mac;
  }
  return nics;
}

function digits(mac: string): string {
  return mac.replace(/[^0-9a-f]/gi, '').toLowerCase();
}
