export type { Advice, AdvisedChange, Manifest } from './advice/advice.ts';
export { type AdviceOptions, adviseNodes, manifestFiles } from './advice/advise.ts';
export { type EgressNode, egressAssignableNodes } from './advice/egress.ts';
export { type Backend, haproxySketch } from './advice/haproxy.ts';
export type { AdvisedHost } from './advice/host-view.ts';
export {
  disabledValidations,
  keepalivedOverride,
  pinnedIngressController,
  REMOTE_POOL,
  remotePool,
  SERVICE_SETTINGS_ANNOTATION,
  type ShardOptions,
  shardedIngressController,
  watchAllNamespaces,
} from './advice/manifests.ts';
export { type Day, remoteHosts } from './advice/surroundings.ts';
export {
  type ClusterDirectory,
  type DirectoryOptions,
  type MadeManifests,
  makeManifests,
  readDirectory,
} from './directory/directory.ts';
export { type MirroredRegistry, readRegistries } from './directory/registries.ts';
export type { Texts } from './directory/standing.ts';
export { detectKind } from './documents/detect-kind.ts';
export { parseInfraEnv, parseInfraEnvOrThrow } from './documents/infraenv.ts';
export { type ManifestOptions, parseNMStateConfig, parseNMStateConfigOrThrow } from './documents/nmstate-config.ts';
export { type NodesConfigOptions, parseNodesConfig, parseNodesConfigOrThrow } from './documents/nodes-config.ts';
export type {
  AgentConfig,
  AgentConfigData,
  DocumentKind,
  InfraEnv,
  InfraEnvData,
  InfraEnvProxy,
  KernelArgument,
  NMStateConfig,
  NMStateConfigData,
  NMStateConfigs,
  NodesConfig,
  NodesConfigData,
} from './documents/types.ts';
export { NodesConfigError, type NodesConfigErrorCode, type NodesConfigErrorOptions } from './errors.ts';
export { clusterArchitecture } from './facts/check-facts.ts';
export { type FactExpiry, factExpiries } from './facts/expiries.ts';
export {
  type ClusterFacts,
  type ClusterIngress,
  type ClusterNetworks,
  type ClusterNode,
  type ClusterProxy,
  type EgressIPFacts,
  type ImageMirror,
  type IngressControllerFacts,
  type LabelExpression,
  type MachineConfigPoolFacts,
  type NodeAddress,
  type NodeNetwork,
  type WorkerUserData,
  workerEndpoint,
} from './facts/facts.ts';
export { factsFromObjects, factsFromObjectsOrThrow } from './facts/facts-from-objects.ts';
export { mergedMirrors, registriesConf } from './facts/mirrors.ts';
export { parseClusterFacts, parseClusterFactsOrThrow } from './facts/parse-facts.ts';
export { mirroredRegistries, releaseImageMirror } from './facts/release.ts';
export { networksFromObjects } from './facts/surroundings.ts';
export { distinctCertificates } from './facts/trust-bundle.ts';
export { authTokenSecret, reusableTokens, type TokenReuse } from './hosts/auth-token-secret.ts';
export type { BootOutline } from './hosts/boot-outline.ts';
export type { PlannedFile } from './hosts/file-tree.ts';
export { hostsByPrecedence } from './hosts/order.ts';
export { type HostNetwork, type HostPlan, type HostPlans, planHosts } from './hosts/plan.ts';
export { requireSafeNames } from './hosts/safe-names.ts';
export type { ServiceCredentials, ServiceTokens, SignerName } from './hosts/service-credentials.ts';
export { distinctNoProxy, type ServicePlan, servicePlan } from './hosts/service-plan.ts';
export { type BootFile, type BootResult, type Machine, simulateBoot } from './hosts/simulate.ts';
export {
  type InstallConfig,
  type InstallConfigOptions,
  parseInstallConfig,
  parseInstallConfigOrThrow,
} from './install-config/install-config.ts';
export { type AgentConfigOptions, parseAgentConfig, parseAgentConfigOrThrow } from './install-files/agent-config.ts';
export { type InstallFiles, type InstallSources, parseInstallFiles } from './install-files/install-files.ts';
export { agentConfigTemplate } from './install-files/template.ts';
export {
  type ClusterPlan,
  type PlannedCounts,
  type PlannedHost,
  planCluster,
  type Rendezvous,
} from './installation/cluster-plan.ts';
export type { ImageFile } from './installation/fencing.ts';
export { type ImageFacts, imageFacts, imageFiles } from './installation/image-files.ts';
export { type Release, shownVersion } from './manifests/release.ts';
export { type RenderedManifests, renderManifests } from './manifests/render.ts';
export type { RpmArchitecture } from './rules/architecture.ts';
export {
  type Bmc,
  type Host,
  type HostData,
  type HostInterface,
  hostData,
  type NetworkConfig,
  type RootDeviceHints,
} from './rules/host.ts';
export { type ConfigDiagnostic, type FileDiagnostic, isUpstream, type Mode, splitMessages } from './text/findings.ts';
export type { SourceText } from './text/lookup.ts';
export type { ConfigText } from './text/read-text.ts';
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
export { renderZtpSite } from './ztp/render.ts';
export { parseZtpSite, parseZtpSiteOrThrow, type ZtpHost, type ZtpSite } from './ztp/site.ts';
