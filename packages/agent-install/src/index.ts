export type { CertifiedKey } from './credentials/certificates.ts';
export { type CredentialOptions, type Credentials, makeCredentials } from './credentials/credentials.ts';
export type { SignerKey } from './credentials/keys.ts';
export { adminKubeconfig, type ClusterName } from './credentials/kubeconfig.ts';
export { AgentInstallError, type AgentInstallErrorCode } from './errors.ts';
export {
  type ClusterDirectory,
  type DirectoryOptions,
  type DirectoryOutcome,
  type MadeManifests,
  makeManifests,
  readDirectory,
} from './given-manifests/directory.ts';
export type { ImageFile } from './given-manifests/fencing.ts';
export { type ImageFacts, imageFacts, imageFiles } from './given-manifests/image-files.ts';
export type { ManifestDiagnostic } from './given-manifests/read-manifest.ts';
export { type MirroredRegistry, readRegistries } from './given-manifests/registries.ts';
export { agentConfigOf, type OsImage, planAgentConfig } from './image/agent-config.ts';
export { type AgentSite, type AgentSiteSources, readSite } from './image/agent-site.ts';
export { type AgentFile, type AgentImage, type AgentImageOptions, buildAgentImage } from './image/build.ts';
export { imageState } from './image/image-state.ts';
export { signerKeyOf } from './image/signer-key.ts';
export type { Release } from './manifests/release.ts';
export { type RenderedSite, renderManifests } from './manifests/render.ts';
export { type ClusterPlan, type PlannedCounts, type PlannedHost, planCluster, type Rendezvous } from './plan/plan.ts';
export {
  type InstallConfig,
  type InstallConfigOptions,
  parseInstallConfig,
  parseInstallConfigOrThrow,
} from './site/install-config.ts';
export { parseSite, type Site, type SiteDiagnostic, type SiteFile, type SiteSources } from './site/site.ts';
export { agentConfigTemplate } from './site/template.ts';
export {
  AGENT_STATE_FILE,
  type AgentState,
  type AgentStateHost,
  type AgentStateOptions,
  agentStateOf,
  editedFiles,
  type RememberedSources,
  readAgentState,
  rememberedSources,
} from './state/agent-state.ts';
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
export { renderZtpSite } from './ztp/render.ts';
export { parseZtpSite, parseZtpSiteOrThrow, type ZtpHost, type ZtpSite } from './ztp/site.ts';
