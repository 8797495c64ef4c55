import type { Path } from '@coreiso/diagnostics';
import type { Keyfile } from '@coreiso/nmstate';
import type { BmcValues, HintValues, HostValues, InterfaceValues } from './tables.ts';
import type { Bmc, Host, HostInterface, NetworkConfig, RootDeviceHints } from './types.ts';

/** A host from what was decoded, with the keyfiles that nmstate made of its network. */
export function buildHost(values: HostValues, path: Path, keyfiles: readonly Keyfile[]): Host {
  const { hostname, role, rootDeviceHints, interfaces, networkConfig, BMC } = values;
  return {
    path,
    hostname,
    role,
    rootDeviceHints: buildHints(rootDeviceHints),
    interfaces: buildInterfaces(interfaces, path),
    networkConfig: networkConfig && { ...networkConfig, keyfiles },
    bmc: buildBmc(BMC),
  };
}

export function buildInterfaces(interfaces: readonly InterfaceValues[], parent: Path): HostInterface[] {
  return interfaces.map(({ name, macAddress }, index) => ({
    path: [...parent, 'interfaces', index],
    name,
    macAddress,
  }));
}

/** What is empty or zero counts as not given. */
function buildHints(hints: HintValues): RootDeviceHints {
  const given = Object.entries(hints).filter(([, value]) => value !== '' && value !== 0 && value !== undefined);
  return Object.fromEntries(given);
}

function buildBmc(bmc: BmcValues): Bmc | undefined {
  return Object.values(bmc).some(Boolean) ? { ...bmc } : undefined;
}

/** A host as plain data: what `--json` prints and what the real installer is compared by. */
export interface HostDescription {
  readonly hostname: string;
  readonly role: string;
  readonly rootDeviceHints: RootDeviceHints;
  readonly interfaces: readonly { readonly name: string; readonly macAddress: string }[];
  readonly networkConfig: string | null;
  readonly bmc?: Bmc;
}

/** The host without its places in the text. */
export function describeHost(host: Host): HostDescription {
  const { hostname, role, rootDeviceHints, interfaces, networkConfig, bmc } = host;
  return {
    hostname,
    role,
    rootDeviceHints,
    interfaces: interfaces.map(({ name, macAddress }) => ({ name, macAddress })),
    networkConfig: storedText(networkConfig),
    ...(bmc === undefined ? {} : { bmc }),
  };
}

function storedText(config: NetworkConfig | undefined): string | null {
  return config?.text ?? null;
}
