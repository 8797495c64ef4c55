export { type AdviceOptions, adviseNodes, curingFiles } from './advice/advise.ts';
export type { Advice, Cure, Manifest } from './advice/cure.ts';
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
export { type FactExpiry, factExpiries } from './cluster/expiries.ts';
export type {
  ClusterFacts,
  ClusterIngress,
  ClusterNetworks,
  ClusterNode,
  ClusterProxy,
  EgressIPFacts,
  ImageMirror,
  IngressControllerFacts,
  LabelExpression,
  MachineConfigPoolFacts,
  NodeAddress,
  NodeNetwork,
  WorkerUserData,
} from './cluster/facts.ts';
export { factsFromObjects, factsFromObjectsOrThrow } from './cluster/facts-from-objects.ts';
export { parseClusterFacts, parseClusterFactsOrThrow } from './cluster/parse-facts.ts';
export { networksFromObjects } from './cluster/surroundings.ts';
export { type AgentConfigOptions, parseAgentConfig, parseAgentConfigOrThrow } from './document/agent-config.ts';
export { detectKind } from './document/detect-kind.ts';
export { parseInfraEnv, parseInfraEnvOrThrow } from './document/infraenv.ts';
export { type ManifestOptions, parseNMStateConfig, parseNMStateConfigOrThrow } from './document/nmstate-config.ts';
export { type NodesConfigOptions, parseNodesConfig, parseNodesConfigOrThrow } from './document/nodes-config.ts';
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
} from './document/types.ts';
export { NodesConfigError, type NodesConfigErrorCode, type NodesConfigErrorOptions } from './errors.ts';
export { authTokenSecret, reusableTokens, type TokenReuse } from './hosts/auth-token-secret.ts';
export type { BootOutline } from './hosts/boot-outline.ts';
export type { PlannedFile } from './hosts/file-tree.ts';
export type { JoinFacts, JoinName } from './hosts/joining.ts';
export { type HostNetwork, type HostPlan, type HostPlans, type PlanOptions, planHosts } from './hosts/plan.ts';
export { requireSafeNames } from './hosts/safe-names.ts';
export type { ServiceCredentials, ServiceTokens, SignerName } from './hosts/service-credentials.ts';
export type { ServicePlan } from './hosts/service-plan.ts';
export { type BootFile, type BootResult, type Machine, simulateBoot } from './hosts/simulate.ts';
export { newStatusToken } from './hosts/status-token.ts';
export { buildNodesImage, type NodesImage, type NodesImageOptions } from './image/build.ts';
export type { BootTarget, Made, NamedOutput, PlanChanges, Workshop } from './image/changes.ts';
export { type HostImage, type HostImages, type HostImagesOptions, openHostImages } from './image/host-images.ts';
export type { BuildReport, BuildStage } from './image/report.ts';
export { openWorkshop, type WorkshopOptions, type WorkshopSite } from './image/workshop.ts';
export { type LiveConfigOptions, liveConfig } from './join/live-config.ts';
export type { LiveFile } from './join/live-files.ts';
export { ABSENT_SERVICE_FILES } from './join/service/fixed-files.ts';
export { type ListedFile, type ListedUnit, listServiceConfig, type ServiceListing } from './join/service/listing.ts';
export { serviceConfig } from './join/service/service-config.ts';
export type { ServiceSite, Workflow } from './join/service/site.ts';
export { outlineBoots } from './join/strategies.ts';
export type { ProfilePlace } from './join/strategy.ts';
export { workerIgnition } from './join/worker-config.ts';
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
export { type ConfigDiagnostic, isUpstream, type Mode, splitMessages } from './text/findings.ts';
export type { SourceText } from './text/lookup.ts';
export type { ConfigText } from './text/read-text.ts';
