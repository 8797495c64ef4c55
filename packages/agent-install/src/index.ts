export {
  cpuPartitioning,
  type FailureDomain,
  type ManifestPlatform,
  type TopologyCluster,
  type TopologyManifests,
  topologyManifests,
} from './topology/manifests.ts';
export {
  type ControlPlaneTopology,
  type InfrastructureTopology,
  type IngressPlacement,
  type MachineCounts,
  type ProposedTopology,
  proposedTopology,
  type Topology,
  topologyOf,
} from './topology/topology.ts';
