import type { Diagnostic } from '@coreiso/diagnostics';
import type { Config, ConfigParts } from '@coreiso/ignition';
import type {
  BootOutline,
  ClusterFacts,
  HostPlan,
  HostPlans,
  NodesConfig,
  ServiceCredentials,
  ServicePlan,
} from '@coreiso/nodes-config';
import type { FindingCode } from '../codes.ts';

/** The plan of new nodes and how they join a cluster, as plain data to simulate, print or build. */
export interface NodesPlan extends HostPlans {
  /** How they join: a name of `JOINS`. */
  readonly join: string;
  /** A sentence about what machines do when they boot an image of this plan. */
  readonly outcome: string;
  /** The time until which the image installs machines, in ISO 8601; undefined if it installs nothing. */
  readonly expires: string | undefined;
  /** Token of the status port of live systems; undefined if they have none. Secret. */
  readonly statusToken: string | undefined;
  /** Settings of the service on the machine; undefined without a service. Secret. */
  readonly service: ServicePlan | undefined;
  /** Credentials of the service on the machine. Secret. */
  readonly credentials: ServiceCredentials | undefined;
  /** The cluster facts that the image and its report need, without other secrets. */
  readonly cluster: ClusterFacts;
  /** Password hash of user `core` on the console of the live system. Secret. */
  readonly passwordHash: string | undefined;
}

/** Options of a plan. */
export interface NodesPlanOptions {
  readonly cluster?: ClusterFacts | undefined;
  /**
   * How a booted node enters the cluster, one of `JOINS`: `direct` installs workers, `service` starts the installer's own service
   * on the machine, `network-only` leaves a live system with its network and name. By default workers are installed if the
   * cluster facts suffice; otherwise the plan's `diagnostics` say why not.
   */
  readonly join?: string | undefined;
  /** A crypt(5) password hash for user `core` on the console of the live system. */
  readonly passwordHash?: string | undefined;
  /** The time until which the image installs machines (default: 48 hours from now). */
  readonly expires?: Date | undefined;
  /** The clock that defines now. */
  readonly now?: (() => Date) | undefined;
  /**
   * With this token, machines that install themselves report their status on port 8090 to its holders; `newStatusToken` makes
   * one. The report of the image contains it.
   */
  readonly statusToken?: string | undefined;
  /** Ignition JSON by host name, merged into the config of the installed host; for `direct`. Secret. */
  readonly hostIgnition?: Readonly<Record<string, string>> | undefined;
  /** The secrets of `service`; the expiry of their tokens limits how long the image installs machines. */
  readonly credentials?: ServiceCredentials | undefined;
}

/**
 * The join strategies: name, summary and supported plan options of each. Their code is not part of it, so listing them loads
 * nothing.
 *
 * @example for (const { name, summary } of JOINS) console.log(`${name}: ${summary}`)
 */
export const JOINS: readonly {
  readonly name: string;
  /** For the help of a command line: continues the sentence after its name. */
  readonly summary: string;
  readonly takes: readonly ('statusToken' | 'credentials' | 'hostIgnition')[];
}[] = [
  {
    name: 'network-only',
    summary: 'sets network and name, and installs nothing',
    takes: [],
  },
  {
    name: 'direct',
    summary:
      'install machines as workers without a service; the default where the cluster facts have what a worker needs',
    takes: ['statusToken', 'hostIgnition'],
  },
  {
    name: 'service',
    summary: 'installs through the service of the release image',
    takes: ['credentials'],
  },
];

/** One way of joining: all its particulars. */
export interface JoinStrategy {
  /** A sentence about what machines do when they boot an image. */
  readonly outcome: string;
  /** Cluster facts that reach the image, besides those of every live system. */
  readonly facts: readonly (keyof ClusterFacts)[];
  /** The reason why these hosts cannot join this cluster this way; undefined if they can. */
  obstacle?(config: NodesConfig, cluster: ClusterFacts): Obstacle | undefined;
  /** Additions to the plan: secrets, expiry, findings about these hosts. */
  prepare?(config: NodesConfig, options: NodesPlanOptions): JoinPlan;
  /** What happens to a machine from boot to boot. */
  boots(plan: NodesPlan, host: HostPlan): BootOutline;
  /** Additions to the live system. */
  parts?(plan: NodesPlan): Pick<ConfigParts, 'files' | 'units'>;
  /** The whole live system, if it is upstream's instead of our own. */
  whole?(plan: NodesPlan, profiles: ProfilePlace): Config;
}

/** The reason why hosts cannot join: an error if the strategy was requested, a finding if it was the default. */
interface Obstacle {
  readonly code: 'OPENSHIFT_MISSING_FACTS' | 'OPENSHIFT_ROLE_CANNOT_JOIN';
  readonly message: string;
  readonly finding?:
    | {
        readonly code: FindingCode;
        readonly message: string;
        readonly path: Diagnostic['path'];
        readonly help: string;
      }
    | undefined;
}

/** Additions of a strategy to a plan. */
interface JoinPlan extends Partial<Pick<NodesPlan, 'expires' | 'statusToken' | 'service' | 'credentials'>> {
  readonly diagnostics?: readonly Diagnostic[] | undefined;
  /** Files of single hosts, besides their network files. */
  readonly files?: NodesPlan['files'] | undefined;
  /** Facts that are derived from others. */
  readonly cluster?: ClusterFacts | undefined;
}

/**
 * `chosen-at-boot`: the config contains the profiles of all hosts and the script that picks. `in-place`: the image of a single
 * host has them in NetworkManager's directory, and the config leaves them out.
 */
export type ProfilePlace = 'chosen-at-boot' | 'in-place';

/** The first sentence about every boot of a live system. */
export function bootSentence({ hostname, network }: HostPlan): string {
  const name = hostname === undefined ? 'takes its name from the network' : `is called ${hostname}`;
  return `the machine is known by the MAC address of a card, ${name} and has ${network === undefined ? 'DHCP on all cards' : 'its own network profiles'}`;
}
