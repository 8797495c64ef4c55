import type { Diagnostic, Path } from '@coreiso/diagnostics';
import type { Profile } from '@coreiso/nmstate';
import type { NodesConfig } from '../documents/types.ts';
import type { Host, NetworkConfig } from '../rules/host.ts';
import { directoryName, fileTree, type PlannedFile, withPriority } from './file-tree.ts';
import { inStoredOrder } from './order.ts';
import { unsafeNames } from './safe-names.ts';
import { virtualIdentity } from './warnings.ts';

/** The settings of one host. */
export interface HostPlan {
  /** The host name, or `host-<position>` for a host without one. */
  readonly name: string;
  readonly hostname: string | undefined;
  /** Where the host is in the document. */
  readonly path: Path;
  readonly role: string | undefined;
  readonly rootDeviceHints: Host['rootDeviceHints'];
  readonly interfaces: Host['interfaces'];
  /** Undefined for a host that uses DHCP. */
  readonly network:
    | {
        /** `host<N>`, numbered in upstream's order, which is not that of the document. */
        readonly directory: string;
        /**
         * The profiles as upstream puts them into an image, still with logical interface names; nmstate's `keyfileOf`
         * writes them as files.
         */
        readonly profiles: readonly Profile[];
        /** The network state they were made from, and where it is in the document; for advice. */
        readonly state?: Pick<NonNullable<Host['networkConfig']>, 'node' | 'path'>;
      }
    | undefined;
}

/** The settings of all hosts, independent of how they join, as plain data to simulate or print. */
export interface HostPlans {
  /** In the order of the document. */
  readonly hosts: readonly HostPlan[];
  /** The installer's tree under `/etc/assisted`, in the order of the paths. Files for the boot scripts are made with the image. */
  readonly files: readonly PlannedFile[];
  /** Findings about the whole plan. An error prevents making an image. */
  readonly diagnostics: readonly Diagnostic[];
  readonly architecture: NodesConfig['imageArchitecture'];
  /** The key of user `core` in the live system; may be empty. */
  readonly sshKey: string;
  /** Address of the network-boot files; may be empty. */
  readonly bootArtifactsBaseURL: string;
}

/**
 * Plans the settings of every host of a checked config.
 *
 * @example const plan = planHosts(parseNodesConfigOrThrow(text, { cluster }))
 */
export function planHosts(config: NodesConfig): HostPlans {
  if (config?.kind !== 'nodes-config') throw new TypeError('config must be what parseNodesConfig returns as its value');
  const networked = config.hosts.filter((host): host is Host & { networkConfig: NetworkConfig } => {
    return host.networkConfig !== undefined;
  });
  const networks = new Map(
    inStoredOrder(networked).map((host, position) => {
      const profiles = host.networkConfig.profiles.map(withPriority);
      return [host as Host, { name: `host${position}`, interfaces: host.interfaces, profiles }];
    }),
  );
  const hosts = config.hosts.map((host, position) => planHost(host, position, networks.get(host)));
  return {
    hosts,
    files: fileTree(config.hosts, [...networks.values()]),
    diagnostics: [...unsafeNames(hosts, config.source.locate), ...config.hosts.flatMap(virtualIdentity)],
    architecture: config.imageArchitecture,
    sshKey: config.imageSshKey,
    bootArtifactsBaseURL: config.bootArtifactsBaseURL,
  };
}

function planHost(
  host: Host,
  position: number,
  network: { readonly name: string; readonly profiles: readonly Profile[] } | undefined,
): HostPlan {
  const { hostname, path, role, rootDeviceHints, interfaces, networkConfig: state } = host;
  return {
    name: directoryName(host, position),
    hostname: hostname === '' ? undefined : hostname,
    path,
    role: role === '' ? undefined : role,
    rootDeviceHints,
    interfaces,
    network: network && { directory: network.name, profiles: network.profiles, ...(state && { state }) },
  };
}
