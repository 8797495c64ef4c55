import type { Diagnostic, Path } from '@coreiso/diagnostics';
import type { Profile } from '@coreiso/nmstate';
import type { NodesConfig } from '../documents/types.ts';
import type { ClusterFacts } from '../facts/facts.ts';
import type { RpmArchitecture } from '../rules/architecture.ts';
import type { Host, HostInterface, NetworkConfig, RootDeviceHints } from '../rules/host.ts';
import { directoryName, fileTree, type PlannedFile, withPriority } from './file-tree.ts';
import { checkJoin, chooseJoin, type JoinFacts, type JoinName, joinFacts } from './joining.ts';
import { inStoredOrder } from './order.ts';
import { unsafeNames } from './safe-names.ts';
import type { ServiceCredentials } from './service-credentials.ts';
import { type ServicePlan, servicePlan } from './service-plan.ts';
import { checkStatusToken } from './status-token.ts';
import { planWarnings } from './warnings.ts';

/** What one host gets. */
export interface HostPlan {
  /** The host name, or `host-<position>` for a host without one. */
  readonly name: string;
  readonly hostname: string | undefined;
  /** Where the host stands in the document. */
  readonly path: Path;
  readonly role: string | undefined;
  readonly rootDeviceHints: RootDeviceHints;
  readonly interfaces: readonly HostInterface[];
  /** Undefined for a host that takes its network from DHCP. */
  readonly network: HostNetwork | undefined;
}

export interface HostNetwork {
  /** `host<N>`: the place in upstream's order, which is not that of the document. */
  readonly directory: string;
  /** As upstream puts them into an image, still with logical interface names; nmstate's `keyfileOf` makes files of them. */
  readonly profiles: readonly Profile[];
  /** The network state they were made from, and where it stands in the document; for advice. */
  readonly state?: Pick<NetworkConfig, 'node' | 'path'>;
}

/** What an image for these hosts holds: plain data, ready to be simulated, printed or built. */
export interface HostPlans {
  /** In the order of the document. */
  readonly hosts: readonly HostPlan[];
  /** Upstream's tree under `/etc/assisted`, in the order of the paths. What the boot scripts add is made with the image. */
  readonly files: readonly PlannedFile[];
  readonly join: JoinName;
  /** What there is to say about the plan as a whole: why nothing will be installed, for example. With an error no image is made. */
  readonly diagnostics: readonly Diagnostic[];
  /** Until when a machine that boots the image may be installed, in ISO 8601; undefined where nothing is installed. */
  readonly expires: string | undefined;
  /** Opens the status port of the live systems; undefined where they have none. Secret. */
  readonly statusToken: string | undefined;
  /** What the service on the machine is started with; undefined where there is none. Secret. */
  readonly service: ServicePlan | undefined;
  /** As much of the cluster facts as the image and its report need; secrets they do not need are not here. */
  readonly cluster: JoinFacts;
  readonly architecture: RpmArchitecture | undefined;
  /** Of user `core` in the live system; may be empty. */
  readonly sshKey: string;
  /** Of user `core` at the console of the live system. Secret. */
  readonly passwordHash: string | undefined;
  /** Where files for network boot will be found; may be empty. */
  readonly bootArtifactsBaseURL: string;
}

export interface PlanOptions {
  readonly cluster?: ClusterFacts | undefined;
  /**
   * How a booted node enters the cluster: `direct` installs workers, `service` starts the installer's own service on the machine,
   * `network-only` leaves a live system with its network and name.
   * By default workers are installed where the cluster facts have what they need, and the plan's `diagnostics` say why not.
   */
  readonly join?: JoinName | undefined;
  /** The hash of a password, as crypt(5) has it, with which user `core` logs in at the console of the live system. */
  readonly passwordHash?: string | undefined;
  /** Until when the image may install machines; 48 hours from now by default. */
  readonly expires?: Date | undefined;
  /** The clock from which that counts. */
  readonly now?: (() => Date) | undefined;
  /**
   * With one, machines that install themselves tell how far they are on port 8090, to whoever has it; `newStatusToken` makes one.
   * The report of the image repeats it.
   */
  readonly statusToken?: string | undefined;
  /** The secrets that `service` needs; their tokens say until when the image may install machines. */
  readonly credentials?: ServiceCredentials | undefined;
}

/** yescrypt, bcrypt, SHA-512 and SHA-256. */
const CRYPT_HASH = /^\$(?:y|gy|7|2[aby]|6|5)\$[./A-Za-z0-9$=,-]+$/;

/** As long as the images of upstream are valid. */
const VALID_MILLISECONDS = 48 * 3600 * 1000;

/**
 * Decides what every host of a checked config gets. Throws a `NodesConfigError` where they cannot join as asked.
 *
 * @example const plan = planHosts(parseNodesConfigOrThrow(text, { cluster }), { cluster })
 */
export function planHosts(config: NodesConfig, options: PlanOptions = {}): HostPlans {
  if (config?.kind !== 'nodes-config') throw new TypeError('config must be what parseNodesConfig returns as its value');
  const { cluster = {}, passwordHash, statusToken } = options;
  checkStatusToken(statusToken);
  if (passwordHash !== undefined && !CRYPT_HASH.test(passwordHash)) {
    throw new RangeError('passwordHash must be a hash as crypt(5) has it, for example from openssl passwd -6');
  }
  const { join, diagnostics } =
    options.join === undefined ? chooseJoin(cluster, config.hosts) : { join: options.join, diagnostics: [] };
  checkJoin(join, cluster, config.hosts);
  const service = join === 'service' ? servicePlan(config, cluster, options.credentials) : undefined;
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
    join,
    diagnostics: [
      ...unsafeNames(hosts, config.source.locate),
      ...diagnostics,
      ...planWarnings({ config, cluster, join, passwordHash }),
    ],
    expires: join === 'direct' ? expiryOf(options) : service?.credentials.tokens.expires,
    statusToken: join === 'direct' ? statusToken : undefined,
    service,
    cluster: joinFacts(cluster),
    architecture: config.imageArchitecture,
    sshKey: config.imageSshKey,
    passwordHash,
    bootArtifactsBaseURL: config.bootArtifactsBaseURL,
  };
}

function expiryOf({ now = () => new Date(), expires }: PlanOptions): string {
  const end = expires ?? new Date(now().getTime() + VALID_MILLISECONDS);
  if (Number.isNaN(end.getTime())) throw new RangeError('expires must be a valid Date');
  return end.toISOString().replace(/\.\d+/, '');
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
