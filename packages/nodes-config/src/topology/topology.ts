import { checkArgument } from '@coreiso/peers/arguments';

/** Values of `Infrastructure` that tell operators how much failure a cluster survives. */
export type ControlPlaneTopology = 'SingleReplica' | 'DualReplica' | 'HighlyAvailable' | 'HighlyAvailableArbiter';
/** How much failure infrastructure workloads such as the routers survive. */
export type InfrastructureTopology = 'SingleReplica' | 'HighlyAvailable';
/** Which nodes the routers run on. */
export type IngressPlacement = 'ControlPlane' | 'Workers';

/** Machines that an installation begins with; machines added later change nothing. */
export interface MachineCounts {
  readonly controlPlane: number;
  readonly arbiter?: number | undefined;
  readonly compute: number;
}

/** How the installer lays out a cluster of so many machines. */
export interface Topology {
  readonly controlPlane: ControlPlaneTopology;
  readonly infrastructure: InfrastructureTopology;
  readonly ingressPlacement: IngressPlacement;
  /** Without workers, workloads run on the control plane. */
  readonly mastersSchedulable: boolean;
}

/**
 * What the installer makes of numbers of machines. Of the platform it asks only whether it is `none`.
 *
 * @example topologyOf({ controlPlane: 1, compute: 0 }, 'none').ingressPlacement // 'ControlPlane'
 */
export function topologyOf(counts: MachineCounts, platform: string): Topology {
  checkArgument('counts', counts, 'object');
  checkArgument('platform', platform, 'text');
  for (const [name, count] of Object.entries(counts)) checkCount(name, count);
  const controlPlane = controlPlaneTopology(counts);
  return {
    controlPlane,
    infrastructure: infrastructureTopology(counts, controlPlane),
    ingressPlacement: platform === 'none' && controlPlane === 'SingleReplica' ? 'ControlPlane' : 'Workers',
    mastersSchedulable: counts.compute === 0,
  };
}

function checkCount(name: string, count: number | undefined): void {
  if (count === undefined || (Number.isSafeInteger(count) && count >= 0)) return;
  throw new RangeError(`${name} must be a number of machines, not ${String(count)}`);
}

function controlPlaneTopology({ controlPlane, arbiter = 0 }: MachineCounts): ControlPlaneTopology {
  if (arbiter > 0 && controlPlane > 1) return 'HighlyAvailableArbiter';
  if (controlPlane === 1) return 'SingleReplica';
  return controlPlane === 2 ? 'DualReplica' : 'HighlyAvailable';
}

function infrastructureTopology(
  { compute }: MachineCounts,
  controlPlane: ControlPlaneTopology,
): InfrastructureTopology {
  if (compute === 0) return controlPlane === 'SingleReplica' ? 'SingleReplica' : 'HighlyAvailable';
  return compute === 1 ? 'SingleReplica' : 'HighlyAvailable';
}

/** The layout that the single-node design proposed. */
export interface ProposedTopology {
  readonly infrastructure: InfrastructureTopology;
  readonly ingressPlacement: IngressPlacement;
  /** Where the installer does otherwise, and what follows from it; a sentence each. */
  readonly differences: readonly string[];
}

/** Platforms that bring no load balancer of their own. */
const WITHOUT_CLOUD: ReadonlySet<string> = new Set(['none', 'external', 'baremetal']);

/**
 * What the design for workers beside a single control-plane node proposed, and how the installer differs from it; undefined for more
 * than one control-plane node, of which the design does not speak.
 *
 * @example proposedTopology({ controlPlane: 1, compute: 2 }, 'none')?.differences
 */
export function proposedTopology(counts: MachineCounts, platform: string): ProposedTopology | undefined {
  const shipped = topologyOf(counts, platform);
  if (counts.controlPlane !== 1) return undefined;
  const isCloud = !WITHOUT_CLOUD.has(platform);
  const infrastructure = isCloud && counts.compute > 0 ? 'HighlyAvailable' : 'SingleReplica';
  const ingressPlacement = infrastructure === 'SingleReplica' ? 'ControlPlane' : 'Workers';
  const differences: string[] = [];
  if (shipped.infrastructure !== infrastructure) {
    const rule = 'the installer counts workers and does not look at the platform';
    differences.push(`Infrastructure topology is ${shipped.infrastructure}, proposed was ${infrastructure}: ${rule}.`);
  }
  if (shipped.ingressPlacement !== ingressPlacement) {
    const rule = 'the installer pins routers to a single control-plane node on platform none only';
    differences.push(`Ingress is placed on ${shipped.ingressPlacement}, proposed was ${ingressPlacement}: ${rule}.`);
  }
  return { infrastructure, ingressPlacement, differences };
}
