export { type Clock, systemClock } from './clock.ts';
export {
  type ApprovalVerdict,
  judgeRequests,
} from './csr/approval.ts';
export type { AskedName, PlannedNode } from './csr/asked-names.ts';
export { type CertificateRequest, readRequest } from './csr/certificate-request.ts';
export type { RequestContent } from './csr/request-content.ts';
export { ClusterError, type ClusterErrorCode } from './errors.ts';
export { factsRole } from './facts/cluster-role.ts';
export { clusterConcerns } from './facts/concerns.ts';
export { type ClusterReading, type FactsOptions, factsFromCluster, readCluster } from './facts/read-cluster.ts';
export { readNetworks } from './facts/read-networks.ts';
export { redactFacts, secretMembers } from './facts/redact.ts';
export { type ExpectedHost, expectedHosts, hostsAt } from './monitor/hosts.ts';
export type { MonitorFact } from './monitor/live-story.ts';
export { type HostSummary, type MonitorOptions, monitorNodes, type NodeMonitor } from './monitor/monitor.ts';
export type { HostStage, MonitorEvent } from './monitor/progress.ts';
export type { KubeObject } from './objects.ts';
export { follow } from './reader/follow.ts';
export { clusterOverFetch, type FetchClusterOptions } from './reader/over-fetch.ts';
export type {
  ClusterReader,
  RequestApprover,
} from './reader/port.ts';
export {
  type Observation,
  ServiceClient,
  type ServiceIdentity,
  type ServiceObservation,
  type ServiceOptions,
} from './service/client.ts';
export type { ServiceFact } from './service/facts.ts';
export type { StatusAccess } from './service/live-system.ts';
export type { Line } from './transcript.ts';
export { type WaitOptions, type WaitPorts, waitForBootstrap } from './wait/bootstrap.ts';
export type { WaitEvent, WaitExit, WaitFact } from './wait/events.ts';
export { waitForInstall } from './wait/install.ts';
export type { PlannedAgent } from './wait/roster.ts';
