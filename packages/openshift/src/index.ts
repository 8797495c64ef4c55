export { type Credentials, makeCredentials } from './credentials/credentials.ts';
export type { SignerKey } from './credentials/keys.ts';
export { adminKubeconfig } from './credentials/kubeconfig.ts';
export { OpenshiftError, type OpenshiftErrorCode } from './errors.ts';
export { buildNodesConfigImage, buildNodesImage, type NodesImage } from './images/build.ts';
export type { BuiltImage, NamedOutput } from './images/changes.ts';
export type { ImageSetOptions } from './images/image-builder.ts';
export { type ImageSet, openImages } from './images/image-set.ts';
export { type BuildReport, ReportWriter } from './images/report.ts';
export { agentConfigOf, planAgentConfig } from './install/agent-config.ts';
export { type AgentSite, readSite } from './install/agent-site.ts';
export {
  AGENT_STATE_FILE,
  type AgentState,
  agentStateOf,
  editedFiles,
  readAgentState,
  rememberedSources,
} from './install/agent-state.ts';
export { type AgentImage, type AgentImageOptions, buildAgentImage, buildConfigImage } from './install/build.ts';
export { imageState } from './install/image-state.ts';
export { signerKeyOf } from './install/signer-key.ts';
export { unconfiguredConfigOf } from './install/unconfigured.ts';
export { newStatusToken } from './join/direct/status-token.ts';
export { liveConfig } from './join/live-config.ts';
export { outlineBoots, planNodes } from './join/plan-nodes.ts';
export { GATHER_SCRIPT } from './join/service/gather-script.ts';
export type { ServiceListing } from './join/service/listing.ts';
export { JOINS, type NodesPlan, type NodesPlanOptions } from './join/strategy.ts';
export { STATUS_PORT } from './join/units.ts';
export { workerIgnition } from './join/worker-config.ts';
export { imageServer, servedFiles } from './sinks/http.ts';
export type { ImageSink, Stored, WriteOptions } from './sinks/sink.ts';
