import { type Plain, writeGoYaml } from '@coreiso/diagnostics';
import type { Arguments } from '../../frame/arguments.ts';
import { readNamed } from '../../frame/input.ts';
import type { Terminal } from '../../frame/terminal.ts';
import { readText } from '../../frame/text.ts';
import { UsageError } from '../../frame/usage.ts';
import { parseYamlValue } from '../../frame/values.ts';
import type { ConfigFile } from './config-file.ts';

/** Flags that describe the host of `--mac-address`. */
const DETAILS = ['hostname', 'cpu-architecture', 'ssh-key-path', 'root-device-hint', 'network-config-path'];

/** The name that `oc` gives the only card. */
const CARD = 'eth0';

/**
 * Returns the config that the flags describe, or undefined if there is a file to read. `oc` writes architecture and key into
 * the host, where the installer ignores them, and every hint as text, which the installer refuses. Here architecture and key
 * are in the config itself, and hints have the right types.
 */
export async function singleHostConfig(args: Arguments, terminal: Terminal): Promise<ConfigFile | undefined> {
  const macAddress = args.optional('mac-address');
  if (macAddress === undefined) {
    const flag = DETAILS.find((name) => args.has(name));
    if (flag === undefined) return undefined;
    throw new UsageError(`found flag \`${flag}\` configured, but it requires also flag \`mac-address\` to be set`);
  }
  if (args.has('FILE')) throw new UsageError("the argument '--mac-address <MAC>' cannot be used with '[FILE]'");
  const hostname = args.optional('hostname');
  const hints = args.list('root-device-hint').map(readHint);
  const network = args.optional('network-config-path');
  const architecture = args.optional('cpu-architecture');
  const key = args.optional('ssh-key-path');
  const config: Plain = {
    ...(architecture === undefined ? {} : { cpuArchitecture: architecture }),
    ...(key === undefined ? {} : { sshKey: (await readText(terminal, key)).trim() }),
    hosts: [
      {
        ...(hostname === undefined ? {} : { hostname }),
        interfaces: [{ name: CARD, macAddress }],
        ...(hints.length === 0 ? {} : { rootDeviceHints: Object.fromEntries(hints) }),
        ...(network === undefined
          ? {}
          : { networkConfig: parseYamlValue(await readNamed(terminal, network), network) }),
      },
    ],
  };
  return { name: '(the host of --mac-address)', bytes: new TextEncoder().encode(writeGoYaml(config)) };
}

function readHint(text: string): [name: string, value: Plain] {
  const colon = text.indexOf(':');
  if (colon <= 0 || colon === text.length - 1) {
    throw new UsageError(
      `incorrect rootDeviceHints format provided: ${text}. Expected format: <hint name>:<value>, for example: deviceName:/dev/sda`,
    );
  }
  const [name, value] = [text.slice(0, colon), text.slice(colon + 1)];
  if (name === 'minSizeGigabytes' && /^\d+$/.test(value)) return [name, BigInt(value)];
  if (name === 'rotational' && /^(?:true|false)$/.test(value)) return [name, value === 'true'];
  return [name, value];
}
