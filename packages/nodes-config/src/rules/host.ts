// What a host is: one entry of `hosts`, in every document that has some. Text that is absent is empty, as in Go.

import type { Node, Path } from '@coreiso/diagnostics';
import type { Profile } from '@coreiso/nmstate';
import { checkArgument } from '@coreiso/peers/arguments';
import type { NetworkText } from '../text/table.ts';
import type { BmcValues, HintValues, HostValues, InterfaceValues } from './host-fields.ts';

/** One entry of `hosts`: a machine, known by its MAC addresses. */
export interface Host {
  /** In the document, e.g. `['hosts', 2]`. */
  readonly path: Path;
  readonly hostname: string;
  /** `master`, `worker`, `arbiter`, or empty. */
  readonly role: string;
  readonly rootDeviceHints: RootDeviceHints;
  readonly interfaces: readonly HostInterface[];
  /** Undefined where the host gets its network from DHCP; an empty one is there nevertheless. */
  readonly networkConfig: NetworkConfig | undefined;
  readonly bmc: Bmc | undefined;
}

/** One row of the table from logical interface names to MAC addresses. */
export interface HostInterface {
  readonly path: Path;
  /** The name that `networkConfig` uses; may be empty. */
  readonly name: string;
  /** As written, in the user's letter case. */
  readonly macAddress: string;
}

/** Which disk to install to; all hints that are given must match. Absent hints are absent here, too. */
export interface RootDeviceHints {
  readonly deviceName?: string;
  readonly hctl?: string;
  readonly model?: string;
  readonly vendor?: string;
  readonly serialNumber?: string;
  readonly minSizeGigabytes?: number;
  readonly wwn?: string;
  readonly wwnWithExtension?: string;
  readonly wwnVendorExtension?: string;
  readonly rotational?: boolean;
}

/** Access to a management controller; read and checked, and used by nothing here. */
export interface Bmc {
  readonly username: string;
  readonly password: string;
  readonly address: string;
  readonly disableCertificateVerification: boolean;
}

/** A network state inside a document. */
export interface NetworkConfig {
  /** In the document, e.g. `['hosts', 2, 'networkConfig']`; append nmstate's paths to it. */
  readonly path: Path;
  /** As upstream stores it: block style, keys sorted. The order of these texts numbers the directories `host<N>`. */
  readonly text: string;
  /** As the user wrote it. */
  readonly node: Node;
  /** What nmstate makes of `text`, as upstream's INI library leaves it; empty where nmstate refuses it. */
  readonly profiles: readonly Profile[];
}

/** A host from what was decoded, with the profiles that nmstate made of its network. */
export function buildHost(values: HostValues, path: Path, profiles: readonly Profile[]): Host {
  const { hostname, role, rootDeviceHints, interfaces, networkConfig, BMC } = values;
  return {
    path,
    hostname,
    role,
    rootDeviceHints: buildHints(rootDeviceHints),
    interfaces: buildInterfaces(interfaces, path),
    networkConfig: networkConfig && buildNetwork(networkConfig, profiles),
    bmc: buildBmc(BMC),
  };
}

/** A network as it was checked. */
export function buildNetwork({ path, text, node }: NetworkText, profiles: readonly Profile[]): NetworkConfig {
  return { path, text, node, profiles };
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
export interface HostData {
  readonly hostname: string;
  readonly role: string;
  readonly rootDeviceHints: RootDeviceHints;
  readonly interfaces: readonly { readonly name: string; readonly macAddress: string }[];
  readonly networkConfig: string | null;
  readonly bmc?: Bmc;
}

/**
 * The host without its places in the text. Its passwords and keys are in it: `withoutSecrets` takes them out before it is shown.
 *
 * @example JSON.stringify(withoutSecrets(config.hosts.map(hostData)))
 */
export function hostData(host: Host): HostData {
  checkArgument('host', host, 'object');
  checkArgument('host.interfaces', host.interfaces, 'array');
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
