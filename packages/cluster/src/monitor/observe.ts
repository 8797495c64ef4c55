// One poll of all sources about a host on its way into the cluster.
import { secretText } from '@coreiso/peers/secret-text';
import { type CertificateRequest, readRequest } from '../csr/certificate-request.ts';
import { ClusterError, reasonOf } from '../errors.ts';
import type { KubeObject } from '../objects.ts';
import type { ClusterReader } from '../reader/port.ts';
import type { Observation, ServiceObservation } from '../service/client.ts';

const NODES = '/api/v1/nodes';
const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const TOKENS = '/api/v1/namespaces/openshift-config/secrets/agent-auth-token';

/** Whether a kubelet speaks TLS on its port, and the result of the probe. */
export interface KubeletObservation {
  readonly isRunning: boolean;
  /** The message of the probe. */
  readonly detail: string;
}

/** The result of polling the cluster: each list, or the reason for its absence. */
export interface ClusterObservation {
  readonly nodes: Observation<readonly KubeObject[]>;
  readonly requests: Observation<readonly CertificateRequest[]>;
}

/** The result of polling one host. */
export interface HostObservation extends ClusterObservation {
  readonly service: ServiceObservation;
  readonly kubelet: KubeletObservation;
}

/** Polls nodes and certificate requests; throws only if the signal aborts. */
export async function observeCluster(cluster: ClusterReader, signal?: AbortSignal): Promise<ClusterObservation> {
  const [nodes, requests] = await Promise.all([
    listObjects(cluster, NODES, signal),
    listObjects(cluster, REQUESTS, signal),
  ]);
  return { nodes, requests: requests.ok ? { ok: true, value: requests.value.map(readRequest) } : requests };
}

async function listObjects(
  cluster: ClusterReader,
  path: string,
  signal: AbortSignal | undefined,
): Promise<Observation<readonly KubeObject[]>> {
  try {
    const { items } = await cluster.list(path, { signal });
    return { ok: true, value: items };
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof ClusterError)) throw error;
    return { ok: false, reason: reasonOf(error), ...(error.status === undefined ? {} : { status: error.status }) };
  }
}

/**
 * The token of the service on a node, from the cluster's own Secret; empty for clusters of version 4.17, which had none. Throws
 * `CLUSTER_NOT_PREPARED` for a Secret without it, and the API's answer if there is no Secret.
 */
export async function watcherToken(cluster: ClusterReader, signal?: AbortSignal): Promise<string> {
  const secret = await cluster.get(TOKENS, { signal });
  const [agent, user, watcher] = ['agentAuthToken', 'userAuthToken', 'watcherAuthToken'].map((key) =>
    secretText(secret, key),
  );
  const name = 'auth token secret openshift-config/agent-auth-token';
  if (!agent) {
    throw new ClusterError('CLUSTER_NOT_PREPARED', `${name} does not contain the key agentAuthToken or is empty`);
  }
  if (user === undefined && watcher === undefined) return '';
  if (!user || !watcher) {
    const keys = 'agentAuthToken, userAuthToken, or watcherAuthToken';
    throw new ClusterError(
      'CLUSTER_NOT_PREPARED',
      `${name} is missing one or more required keys (${keys}) or they are empty`,
    );
  }
  return watcher;
}
