// A host: one entry of `hosts`, in every document that has hosts. Absent text is empty, as in Go.

import type { Node, Path } from '@coreiso/diagnostics';
import type { Profile } from '@coreiso/nmstate';
import { checkArgument } from '@coreiso/peers/arguments';
import type { NetworkText } from '../text/table.ts';
import type { BmcValues, HintValues, HostValues, InterfaceValues } from './host-fields.ts';

/** One entry of `hosts`: a machine, identified by its MAC addresses. */
export interface Host {
  /** In the document, e.g. `['hosts', 2]`. */
  readonly path: Path;
  readonly hostname: string;
  /** `master`, `worker`, `arbiter`, or empty. */
  readonly role: string;
  /** Hints that choose the disk to install to; all of them must match. */
  readonly rootDeviceHints: {
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
  };
  /** The table from logical interface names to MAC addresses. */
  readonly interfaces: readonly {
    readonly path: Path;
    /** The name that `networkConfig` uses; may be empty. */
    readonly name: string;
    /** As written, in the user's letter case. */
    readonly macAddress: string;
  }[];
  /** Undefined if the host uses DHCP; defined even if it is empty. */
  readonly networkConfig:
    | {
        /** In the document, e.g. `['hosts', 2, 'networkConfig']`; append nmstate's paths to it. */
        readonly path: Path;
        /** As upstream stores it: block style, keys sorted. The order of these texts numbers the directories `host<N>`. */
        readonly text: string;
        /** As the user wrote it. */
        readonly node: Node;
        /**
         * The profiles that nmstate makes of `text`, as upstream's INI library writes them; empty if nmstate refuses
         * it.
         */
        readonly profiles: readonly Profile[];
      }
    | undefined;
  /** Access to a management controller; only read and checked. */
  readonly bmc:
    | {
        readonly username: string;
        readonly password: string;
        readonly address: string;
        readonly disableCertificateVerification: boolean;
      }
    | undefined;
}

/** One row of the table of a host. */
export type HostInterface = Host['interfaces'][number];
/** Which disk to install to. */
export type RootDeviceHints = Host['rootDeviceHints'];
/** A network state inside a document. */
export type NetworkConfig = NonNullable<Host['networkConfig']>;

/** Builds a host from decoded values, with the profiles that nmstate made of its network. */
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

/** Builds a network that was checked. */
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

/** Empty or zero values count as absent. */
function buildHints(hints: HintValues): RootDeviceHints {
  const given = Object.entries(hints).filter(([, value]) => value !== '' && value !== 0 && value !== undefined);
  return Object.fromEntries(given);
}

function buildBmc(bmc: BmcValues): Host['bmc'] {
  return Object.values(bmc).some(Boolean) ? { ...bmc } : undefined;
}

/**
 * The host without positions in the text. It contains passwords and keys: remove them with `withoutSecrets` before showing it.
 *
 * @example JSON.stringify(withoutSecrets(config.hosts.map(hostData)))
 */
export function hostData(host: Host): {
  readonly hostname: string;
  readonly role: string;
  readonly rootDeviceHints: Host['rootDeviceHints'];
  readonly interfaces: readonly { readonly name: string; readonly macAddress: string }[];
  readonly networkConfig: string | null;
  readonly bmc?: NonNullable<Host['bmc']>;
} {
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
