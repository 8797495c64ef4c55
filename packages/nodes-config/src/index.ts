export type { Advice } from './advice/advice.ts';
export { type AdviceOptions, adviseNodes, manifestFiles } from './advice/advise.ts';
export { egressAssignableNodes } from './advice/egress.ts';
export { haproxySketch } from './advice/haproxy.ts';
export type { AdvisedHost } from './advice/host-view.ts';
export {
  pinnedIngressController,
  remoteWorkerManifests,
  shardedIngressController,
} from './advice/recommended-objects.ts';
export { skippedChecks } from './advice/skipped-checks.ts';
export { remoteHosts } from './advice/surroundings.ts';
export type { ClusterDirectory, Texts } from './directory/cluster-directory.ts';
export { type DirectoryOptions, type MadeManifests, makeManifests, readDirectory } from './directory/directory.ts';
export { namedRelease } from './directory/named-release.ts';
export { readRegistries } from './directory/registries.ts';
export { detectKind } from './documents/detect-kind.ts';
export { parseInfraEnv, parseInfraEnvOrThrow } from './documents/infraenv.ts';
export { parseNMStateConfig, parseNMStateConfigOrThrow } from './documents/nmstate-config.ts';
export { type NodesConfigOptions, parseNodesConfig, parseNodesConfigOrThrow } from './documents/nodes-config.ts';
export type {
  AgentConfig,
  DocumentKind,
  InfraEnv,
  NMStateConfigs,
  NodesConfig,
} from './documents/types.ts';
export type { Manifest } from './documents/written-manifests.ts';
export { NodesConfigError, type NodesConfigErrorCode } from './errors.ts';
export { clusterArchitecture } from './facts/check-facts.ts';
export { factExpiries } from './facts/expiries.ts';
export {
  type ClusterFacts,
  type ClusterNetworks,
  type ImageMirror,
  type WorkerUserData,
  workerEndpoint,
} from './facts/facts.ts';
export { factsFromObjects } from './facts/facts-from-objects.ts';
export { mergedMirrors, registriesConf } from './facts/mirrors.ts';
export { parseClusterFacts, parseClusterFactsOrThrow } from './facts/parse-facts.ts';
export { mirroredRegistries, releaseImageMirror } from './facts/release.ts';
export { networksFromObjects } from './facts/surroundings.ts';
export { distinctCertificates } from './facts/trust-bundle.ts';
export type { InstallConfigValues, ZtpSiteValues } from './generated/values.ts';
export { type HostForm, hostFromForm, hostToForm } from './host-form.ts';
export { authTokenSecret, reusableTokens } from './hosts/auth-token-secret.ts';
export type { BootOutline } from './hosts/boot-outline.ts';
export type { PlannedFile } from './hosts/file-tree.ts';
export { hostsByPrecedence } from './hosts/order.ts';
export { type HostPlan, type HostPlans, planHosts } from './hosts/plan-hosts.ts';
export { requireSafeNames } from './hosts/safe-names.ts';
export type { ServiceCredentials } from './hosts/service-credentials.ts';
export { distinctNoProxy, type ServicePlan, servicePlan } from './hosts/service-plan.ts';
export { type BootResult, type Machine, simulateBoot } from './hosts/simulate.ts';
export {
  type InstallConfig,
  type InstallConfigOptions,
  parseInstallConfig,
  parseInstallConfigOrThrow,
} from './install-config/install-config.ts';
export { parseAgentConfig, parseAgentConfigOrThrow } from './install-files/agent-config.ts';
export { type InstallFiles, type InstallSources, parseInstallFiles } from './install-files/install-files.ts';
export { agentConfigTemplate } from './install-files/template.ts';
export {
  type ClusterPlan,
  planCluster,
} from './installation/cluster-plan.ts';
export { type ImageFacts, imageFacts, imageFiles } from './installation/image-files.ts';
export { readUnconfigured, type UnconfiguredSite } from './installation/unconfigured.ts';
export { type ReleaseImage, shownVersion } from './manifests/release.ts';
export { renderManifests } from './manifests/render.ts';
export {
  type Host,
  hostData,
} from './rules/host.ts';
export { samples } from './samples/samples.ts';
export { type FileDiagnostic, isUpstream, type Mode, splitMessages } from './text/config-findings.ts';
export type { SourceText } from './text/lookup.ts';
export type { ConfigSource } from './text/read-text.ts';
export {
  type Topology,
  topologyOf,
} from './topology/topology.ts';
export { renderZtpSite } from './ztp/render.ts';
export { parseZtpSite, parseZtpSiteOrThrow, type ZtpSite } from './ztp/site.ts';
