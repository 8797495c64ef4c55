import { checkArgument } from '@coreiso/peers/arguments';

/** The machines of the initial installation; machines that are added later do not count. */
interface MachineCounts {
  readonly controlPlane: number;
  readonly arbiter?: number | undefined;
  readonly compute: number;
}

/** The topology that the installer chooses for numbers of machines. */
export interface Topology {
  /** Availability of the control plane, as in `Infrastructure`. */
  readonly controlPlane: 'SingleReplica' | 'DualReplica' | 'HighlyAvailable' | 'HighlyAvailableArbiter';
  /** Availability of infrastructure workloads such as the routers. */
  readonly infrastructure: 'SingleReplica' | 'HighlyAvailable';
  /** Which nodes the routers run on. */
  readonly ingressPlacement: 'ControlPlane' | 'Workers';
  /** Whether workloads run on the control plane, because there are no workers. */
  readonly mastersSchedulable: boolean;
  /** Whether CPUs are reserved for the platform, on all nodes or none. */
  readonly cpuPartitioning: 'None' | 'AllNodes';
  /**
   * Only for a single control-plane node: the design proposed for adding workers to it. `differences` has a sentence
   * for each point where the installer differs, with its consequence; `loadBalancer` tells whether the routers need
   * one once all workers have joined.
   */
  readonly proposed:
    | (Pick<Topology, 'infrastructure' | 'ingressPlacement'> & {
        readonly loadBalancer: 'none' | 'provided';
        readonly differences: readonly string[];
      })
    | undefined;
}

/** The topology in a cluster's `Infrastructure`. */
type ShippedTopology = Omit<Topology, 'proposed'>;

/**
 * Computes the topology for numbers of machines. The platform only matters if it is `none`.
 *
 * @example topologyOf({ controlPlane: 1, compute: 0 }, 'none').ingressPlacement // 'ControlPlane'
 */
export function topologyOf(
  counts: { readonly controlPlane: number; readonly arbiter?: number | undefined; readonly compute: number },
  platform: string,
  options: {
    /** As in the install config; `None` by default, and for a value that is not a mode. */
    readonly cpuPartitioningMode?: string | undefined;
    /** Workers that join later. */
    readonly addedWorkers?: number | undefined;
  } = {},
): Topology {
  checkArgument('counts', counts, 'object');
  checkArgument('platform', platform, 'text');
  checkArgument('options', options, 'object');
  const { cpuPartitioningMode, addedWorkers = 0 } = options;
  checkCount('addedWorkers', addedWorkers);
  for (const [name, count] of Object.entries(counts)) checkCount(name, count);
  const controlPlane = controlPlaneTopology(counts);
  const shipped: ShippedTopology = {
    controlPlane,
    infrastructure: infrastructureTopology(counts, controlPlane),
    ingressPlacement: platform === 'none' && controlPlane === 'SingleReplica' ? 'ControlPlane' : 'Workers',
    mastersSchedulable: counts.compute === 0,
    cpuPartitioning: cpuPartitioningMode === 'AllNodes' ? 'AllNodes' : 'None',
  };
  const isSingle = counts.controlPlane === 1;
  return { ...shipped, proposed: isSingle ? proposedTopology(counts, addedWorkers, platform, shipped) : undefined };
}

function checkCount(name: string, count: number | undefined): void {
  if (count === undefined || (Number.isSafeInteger(count) && count >= 0)) return;
  throw new RangeError(`${name} must be a number of machines, not ${String(count)}`);
}

function controlPlaneTopology({ controlPlane, arbiter = 0 }: MachineCounts): Topology['controlPlane'] {
  if (arbiter > 0 && controlPlane > 1) return 'HighlyAvailableArbiter';
  if (controlPlane === 1) return 'SingleReplica';
  return controlPlane === 2 ? 'DualReplica' : 'HighlyAvailable';
}

function infrastructureTopology(
  { compute }: MachineCounts,
  controlPlane: Topology['controlPlane'],
): Topology['infrastructure'] {
  if (compute === 0) return controlPlane === 'SingleReplica' ? 'SingleReplica' : 'HighlyAvailable';
  return compute === 1 ? 'SingleReplica' : 'HighlyAvailable';
}

/** Platforms without a load balancer of their own. */
const WITHOUT_CLOUD: ReadonlySet<string> = new Set(['none', 'external', 'baremetal']);

function proposedTopology(
  counts: MachineCounts,
  addedWorkers: number,
  platform: string,
  shipped: ShippedTopology,
): Topology['proposed'] {
  const isCloud = !WITHOUT_CLOUD.has(platform);
  const infrastructure = isCloud && counts.compute > 0 ? 'HighlyAvailable' : 'SingleReplica';
  const ingressPlacement = infrastructure === 'SingleReplica' ? 'ControlPlane' : 'Workers';
  const differences: string[] = [];
  if (shipped.infrastructure !== infrastructure) {
    const rule = 'the installer counts workers and ignores the platform';
    differences.push(`Infrastructure topology is ${shipped.infrastructure}, proposed was ${infrastructure}: ${rule}.`);
  }
  if (shipped.ingressPlacement !== ingressPlacement) {
    const rule = 'the installer pins routers to a single control-plane node on platform none only';
    differences.push(`Ingress is placed on ${shipped.ingressPlacement}, proposed was ${ingressPlacement}: ${rule}.`);
  }
  const loadBalancer = isCloud && counts.compute + addedWorkers > 0 ? 'provided' : 'none';
  return { infrastructure, ingressPlacement, loadBalancer, differences };
}
