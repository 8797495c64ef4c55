// Facts from a live cluster: the objects that upstream reads, all in parallel, parsed by the same rules as exported ones.

import { type Diagnostic, DiagnosticsError, type Outcome } from '@coreiso/diagnostics';
import { type ClusterFacts, factsFromObjects } from '@coreiso/nodes-config';
import { checkArgument, checkMethods } from '@coreiso/peers/arguments';
import { clusterDiagnostic } from '../codes.ts';
import { ClusterError } from '../errors.ts';
import { type KubeObject, textOf } from '../objects.ts';
import type { ClusterReader } from '../reader/port.ts';
import { grantHelp } from './cluster-role.ts';
import {
  CONCERNS,
  CONFIG,
  FACTS,
  INSTALL_CONFIG,
  REGISTRIES,
  type Resource,
  registryAuthorities,
  SERVICE_TOKENS,
  SURROUNDINGS,
} from './resources.ts';

/** Options of reading a cluster. */
export interface FactsOptions {
  readonly signal?: AbortSignal | undefined;
  /** Whether the nodes-config has an `sshKey`, so that the key of the cluster is not read. */
  readonly hasSshKey?: boolean | undefined;
  /** Whether nodes join through the service, so that Secret `agent-auth-token` is read for `reusableTokens`. */
  readonly needsTokens?: boolean | undefined;
}

/** The result of reading a cluster. */
export interface ClusterReading {
  /**
   * The facts, or the findings that make oc refuse, in oc's words. The last finding about a missing permission has a role that
   * grants all of them.
   */
  readonly facts: Outcome<ClusterFacts>;
  /** The objects that were read, for `clusterConcerns` and `reusableTokens`. */
  readonly objects: readonly KubeObject[];
}

/** The result of reading one resource. */
export type ResourceRead = {
  readonly resource: Resource;
  readonly objects: readonly KubeObject[];
  readonly failure?: ClusterError;
};

/**
 * Reads all facts of a cluster in parallel. Throws only if nothing can be read: no server answers, or the credentials are
 * refused.
 *
 * @example
 * const { facts } = await readCluster(cluster);
 * if (facts.ok) console.log(facts.value.version);
 */
export async function readCluster(cluster: ClusterReader, options: FactsOptions = {}): Promise<ClusterReading> {
  checkMethods('cluster', cluster, ['get', 'list']);
  checkArgument('options', options, 'object');
  const { signal, hasSshKey = false, needsTokens = false } = options;
  const wanted = [
    ...FACTS.filter(({ name }) => !(hasSshKey && name === '99-worker-ssh')),
    ...(needsTokens ? [SERVICE_TOKENS] : []),
  ];
  const readAll = (resources: readonly Resource[]): Promise<readonly ResourceRead[]> =>
    Promise.all(resources.map((resource) => readOne(cluster, resource, signal)));
  const [facts, around, concerns, [registries], [installConfig]] = await Promise.all([
    readAll(wanted),
    readAll(SURROUNDINGS),
    readAll(CONCERNS),
    readAll([REGISTRIES]),
    readAll([INSTALL_CONFIG]),
  ]);
  const standIn = installConfig === undefined ? [] : [installConfig];
  const objects = [...facts, ...standIn, ...around, ...concerns].flatMap((read) => read.objects);
  const refused = refusalsOf(
    [...facts, ...(facts.some(isReplaced) ? standIn : [])],
    [...standIn, ...around, ...concerns, ...(registries ? [registries] : [])],
  );
  if (refused.length > 0) return { facts: { ok: false, diagnostics: refused }, objects };
  const statuses = facts.flatMap(forbiddenStatus);
  const trust = await readTrust(cluster, registries?.objects ?? [], signal);
  const read = [...facts, ...standIn, ...around].flatMap((one) => one.objects);
  return { facts: factsFromObjects([...read, ...trust, ...statuses]), objects };
}

/**
 * The facts of a live cluster, as `factsFromObjects` gives them for exported objects. Throws a `ClusterError` if the cluster
 * cannot be read, and a `DiagnosticsError` if oc would refuse its data.
 *
 * @example
 * const facts = await factsFromCluster(await clusterFromKubeconfig());
 */
export async function factsFromCluster(cluster: ClusterReader, options: FactsOptions = {}): Promise<ClusterFacts> {
  const { facts } = await readCluster(cluster, options);
  if (!facts.ok) throw new DiagnosticsError(facts.diagnostics);
  return facts.value;
}

/** The image config and the certificates that it names. */
async function readTrust(
  cluster: ClusterReader,
  config: readonly KubeObject[],
  signal: AbortSignal | undefined,
): Promise<readonly KubeObject[]> {
  const name = textOf(config[0], 'spec', 'additionalTrustedCA', 'name');
  if (name === '') return config;
  return [...config, ...(await readOne(cluster, registryAuthorities(name), signal)).objects];
}

/** Reads one resource; throws only if the cluster cannot be read at all. */
export async function readOne(
  cluster: ClusterReader,
  resource: Resource,
  signal: AbortSignal | undefined,
): Promise<ResourceRead> {
  const { path, kind, namespace, name } = resource;
  try {
    const found =
      name === undefined ? (await cluster.list(path, { signal })).items : [await cluster.get(path, { signal })];
    // Items of a list lack their kind; the namespace distinguishes two secrets with one name.
    return { resource, objects: found.map((object) => complete(object, kind, namespace)) };
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof ClusterError)) throw error;
    const isAnswer = error.code === 'CLUSTER_NOT_FOUND' || error.code === 'CLUSTER_FORBIDDEN';
    if (!isAnswer && error.code !== 'CLUSTER_API') throw error;
    return { resource, objects: [], failure: error };
  }
}

function complete(object: KubeObject, kind: string, namespace: string | undefined): KubeObject {
  const { metadata } = object;
  return { ...object, kind, metadata: { ...(metadata as object), ...(namespace === undefined ? {} : { namespace }) } };
}

/** Whether the install config replaces the resource. */
function isReplaced({ resource, failure }: ResourceRead): boolean {
  return failure?.code === 'CLUSTER_FORBIDDEN' && resource.refusal === 'replaced';
}

/**
 * The API's own messages for resources that the workflow requires. If a permission is missing, one role grants all missing ones,
 * including those that are only `welcome`. Throws if the cluster has no OpenShift at all.
 */
export function refusalsOf(
  needed: readonly ResourceRead[],
  welcome: readonly ResourceRead[] = [],
): readonly Diagnostic[] {
  requireOpenShift(needed);
  const refused = needed.flatMap(refusalOf);
  const last = refused.findLastIndex(({ code }) => code === 'cluster/forbidden');
  const forbidden = [...needed, ...welcome].filter(({ failure }) => failure?.code === 'CLUSTER_FORBIDDEN');
  return refused.map((finding, index) => {
    if (index !== last) return finding;
    const missing = forbidden.map(({ resource }) => resource);
    return { ...finding, help: grantHelp(missing, finding.message) };
  });
}

function refusalOf({ resource, failure }: ResourceRead): Diagnostic[] {
  if (failure === undefined) return [];
  const isAbsent = failure.code === 'CLUSTER_NOT_FOUND';
  const isForbidden = failure.code === 'CLUSTER_FORBIDDEN';
  if (isAbsent ? resource.absence === 'tolerated' : isForbidden && resource.refusal !== 'refused') return [];
  const code = isForbidden ? 'cluster/forbidden' : isAbsent ? 'cluster/not-found' : 'cluster/api';
  return [clusterDiagnostic({ code, message: failure.message, path: [resource.path] })];
}

/** Every OpenShift has the objects of its config API group. */
function requireOpenShift(reads: readonly ResourceRead[]): void {
  const own = reads.filter(({ resource }) => resource.group === CONFIG && resource.absence === 'refused');
  if (own.length === 0 || !own.every(({ failure }) => failure?.code === 'CLUSTER_NOT_FOUND')) return;
  const kinds = own.map(({ resource }) => resource.kind).join(', ');
  throw new ClusterError(
    'CLUSTER_NOT_OPENSHIFT',
    `this is not an OpenShift cluster: it has no ${kinds}; check the kubeconfig and its context`,
  );
}

/** A tolerated refusal, in the same form as in exported objects. */
function forbiddenStatus({ resource, failure }: ResourceRead): KubeObject[] {
  if (failure?.code !== 'CLUSTER_FORBIDDEN') return [];
  const details = { kind: resource.plural, ...(resource.name && { name: resource.name }) };
  return [{ kind: 'Status', reason: 'Forbidden', code: 403, message: failure.message, details }];
}
