import type { ClusterPlan } from '@coreiso/nodes-config';
import type { Action } from '../../frame/command.ts';
import { gather } from '../gather/gather.ts';
import type { GatheredHost } from '../gather/over-ssh.ts';
import { readSiteDirectory } from './directory.ts';
import { planSiteDirectory } from './plan.ts';
import { showSiteFindings } from './site-findings.ts';

/** `coreiso agent gather`. */
export const gatherSite: Action = async (args, terminal) => {
  const directory = await readSiteDirectory(args, terminal);
  const { plan, diagnostics } = planSiteDirectory(directory, args, terminal);
  if (plan === undefined) {
    showSiteFindings(terminal, directory, diagnostics);
    return 1;
  }
  const given = new Map(args.list('address').map((text) => splitAddress(text)));
  const { address: rendezvous } = plan.rendezvous;
  const isKnown = rendezvous === undefined || plan.hosts.some((host) => isAt(host, rendezvous));
  const named = plan.hosts.map(({ name, addresses, isRendezvous }) => ({
    name,
    address: addresses[0] ?? (isRendezvous ? rendezvous : undefined),
  }));
  // If the files do not tell which host is the rendezvous host, add it: it runs the service, and has the most logs.
  const all = isKnown ? named : [{ name: 'rendezvous', address: rendezvous }, ...named];
  const names = all.map(({ name }) => name);
  const unknownHost = [...given.keys()].find((name) => !names.includes(name));
  if (unknownHost !== undefined)
    throw new Error(`--address ${unknownHost}=…: ${directory.dir} has no such host; it has ${names.join(', ')}`);
  const hosts: GatheredHost[] = all.map(({ name, address }) => ({ name, address: given.get(name) ?? address }));
  return await gather(hosts, args, terminal);
};

function isAt({ isRendezvous, addresses }: ClusterPlan['hosts'][number], address: string): boolean {
  return isRendezvous || addresses.includes(address);
}

function splitAddress(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  return [text.slice(0, at), text.slice(at + 1)];
}
