import { type ExpectedHost, expectedHosts, hostsAt } from '@coreiso/cluster';
import { parseNodesConfig, planHosts } from '@coreiso/nodes-config';
import { canonicalAddress } from '@coreiso/peers/ip';
import type { Arguments } from '../../../frame/arguments.ts';
import { readNamed } from '../../../frame/input.ts';
import type { Terminal } from '../../../frame/terminal.ts';
import { UsageError } from '../../../frame/usage.ts';
import { showConfigFindings } from '../config-file.ts';

/** Matches an argument that looks like an address. */
const LIKE_AN_ADDRESS = /^[\d.]+$|:.*:/;

/** Returns the expected hosts, of a config or by their addresses; shows the findings if the config has errors. */
export async function readHosts(args: Arguments, terminal: Terminal): Promise<readonly ExpectedHost[] | undefined> {
  const listed = listedAddresses(args);
  if (listed !== undefined) return hostsAt(listed);
  const given = args.list('FILE|IP');
  const mistaken = given.find((word) => LIKE_AN_ADDRESS.test(word) && canonicalAddress(word) === undefined);
  if (mistaken !== undefined) throw new Error(`expected an IP address such as 192.0.2.10, found '${mistaken}'`);
  if (given.length > 0 && given.every((word) => canonicalAddress(word) !== undefined)) return hostsAt(given);
  const [name = configName(args), more] = given;
  if (more !== undefined) {
    const unknown = [name, more].find((word) => canonicalAddress(word) === undefined);
    throw new Error(`expected one config or only IP addresses, found '${unknown}'`);
  }
  const file = { name, bytes: await readNamed(terminal, name) };
  const config = parseNodesConfig(file.bytes, { mode: 'compatible' });
  if (!config.ok) {
    showConfigFindings(terminal, file, config.diagnostics);
    return undefined;
  }
  const plan = planHosts(config.value);
  const reachedAt = Object.fromEntries(args.list('address').map(splitAddress));
  const names = plan.hosts.map((host) => host.name);
  const unknown = Object.keys(reachedAt).find((host) => !names.includes(host));
  if (unknown !== undefined) {
    throw new Error(`--address ${unknown}=…: ${name} has no such host; expected one of ${names.join(', ')}`);
  }
  return expectedHosts(plan, reachedAt);
}

/** Returns the addresses of `--ip-addresses`, with the errors of `oc`. */
function listedAddresses(args: Arguments): readonly string[] | undefined {
  const list = args.optional('ip-addresses');
  if (list === undefined) return undefined;
  if (args.list('FILE|IP').length > 0)
    throw new UsageError("the argument '--ip-addresses <IP[,…]>' cannot be used with '[FILE|IP]...'");
  if (list === '') throw new UsageError('--ip-addresses cannot be empty');
  const addresses = list.split(',');
  const mistaken = addresses.find((word) => canonicalAddress(word) === undefined);
  if (mistaken !== undefined) throw new UsageError(`${mistaken} is not valid IP address`);
  return addresses;
}

/** Returns the name of the config, with a default. */
export function configName(args: Arguments): string {
  const [name = 'nodes-config.yaml'] = args.list('FILE|IP');
  return name;
}

function splitAddress(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  return [text.slice(0, at), text.slice(at + 1)];
}
