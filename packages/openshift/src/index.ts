export type { CertifiedKey } from './credentials/certificates.ts';
export { type CredentialOptions, type Credentials, makeCredentials } from './credentials/credentials.ts';
export type { SignerKey } from './credentials/keys.ts';
export { adminKubeconfig, type ClusterName } from './credentials/kubeconfig.ts';
export { OpenshiftError, type OpenshiftErrorCode, type OpenshiftErrorOptions } from './errors.ts';
export { buildNodesImage, type NodesImage, type NodesImageOptions } from './images/build.ts';
export type { BootTarget, BuiltImage, ImageBuilder, NamedOutput, PlanChanges } from './images/changes.ts';
export { type ImageOptions, type ImageSettings, openImageBuilder } from './images/image-builder.ts';
export { type ImageSet, type ImageSetOptions, openImages } from './images/image-set.ts';
export type { BuildReport, BuildStage } from './images/report.ts';
export { agentConfigOf, type OsImage, planAgentConfig } from './install/agent-config.ts';
export { type AgentSite, type AgentSiteSources, readSite } from './install/agent-site.ts';
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
} from './install/agent-state.ts';
export { type AgentFile, type AgentImage, type AgentImageOptions, buildAgentImage } from './install/build.ts';
export { imageState } from './install/image-state.ts';
export { signerKeyOf } from './install/signer-key.ts';
export { type LiveConfigOptions, liveConfig } from './join/live-config.ts';
export type { LiveFile } from './join/live-files.ts';
export type { ListedFile, ListedUnit, ServiceListing } from './join/service/listing.ts';
export { serviceConfig } from './join/service/service-config.ts';
export type { ServiceSettings, Workflow } from './join/service/service-settings.ts';
export { outlineBoots } from './join/strategies.ts';
export type { ProfilePlace } from './join/strategy.ts';
export { STATUS_PORT } from './join/units.ts';
export { workerIgnition } from './join/worker-config.ts';
export { imageFiles, imageServer } from './sinks/http.ts';
export type { ImageSink, Stored, WriteOptions } from './sinks/sink.ts';
