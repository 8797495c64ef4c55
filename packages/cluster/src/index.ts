export { type Clock, systemClock } from './clock.ts';
export {
  type ApprovalCheck,
  type ApprovalVerdict,
  judgeRequests,
} from './csr/approval.ts';
export type { AskedName, PlannedNode } from './csr/asked-names.ts';
export { type CertificateRequest, readRequest } from './csr/certificate-request.ts';
export type { RequestContent } from './csr/request-content.ts';
export { ClusterError, type ClusterErrorCode } from './errors.ts';
export { clusterConcerns } from './facts/concerns.ts';
export { type ClusterReading, type FactsOptions, factsFromCluster, readCluster } from './facts/read-cluster.ts';
export { readNetworks } from './facts/read-networks.ts';
export { redactFacts, secretMembers } from './facts/redact.ts';
export type { TranscriptLine } from './monitor/compatible.ts';
export { type ExpectedHost, expectedHosts, hostsAt } from './monitor/hosts.ts';
export type { MonitorFact } from './monitor/live-story.ts';
export { type HostSummary, type MonitorOptions, monitorNodes, type NodeMonitor } from './monitor/monitor.ts';
export type { KubeletObservation } from './monitor/observe.ts';
export type { HostStage, MonitorEvent } from './monitor/progress.ts';
export { monitorTranscript, type TimedLine } from './monitor/transcript.ts';
export type { KubeObject } from './objects.ts';
export type { Fetch } from './reader/answer.ts';
export { type Followed, follow } from './reader/follow.ts';
export { clusterOverFetch, type FetchClusterOptions } from './reader/over-fetch.ts';
export type {
  ClusterReader,
  ListOptions,
  ObjectList,
  ReadOptions,
  RequestApprover,
  WatchEvent,
  WatchOptions,
} from './reader/port.ts';
export {
  type Answer,
  ServiceClient,
  type ServiceIdentity,
  type ServiceObservation,
  type ServiceOptions,
} from './service/client.ts';
export type { ServiceFact } from './service/facts.ts';
export type { StatusAccess } from './service/live-system.ts';
export type { Level, Line } from './transcript.ts';
export { type WaitOptions, type WaitPorts, waitForBootstrap } from './wait/bootstrap.ts';
export type { WaitEvent, WaitExit, WaitFact, WaitFailureCode, WaitLine, WaitStage } from './wait/events.ts';
export { type InstallOptions, type InstallPorts, waitForInstall } from './wait/install.ts';
export type { PlannedAgent } from './wait/roster.ts';
