// A host plan and cluster facts, with the queries that all rules use.
import { checkArgument } from '@coreiso/peers/arguments';
import { parseAddress, parseCidr } from '@coreiso/peers/ip';
import { textOf } from '@coreiso/peers/members';
import type { ClusterFacts, ClusterNode, IngressControllerFacts } from '../facts/facts.ts';
import { workerEndpoint } from '../facts/facts.ts';
import { type KubeObject, ObjectStore } from '../facts/objects.ts';
import { nodeSurroundings, readSurroundings } from '../facts/surroundings.ts';
import { type AdvisedHost, type HostView, isInside, viewHost } from './host-view.ts';

/** When hosts become nodes: `install` while their cluster is made, `add` afterwards. */
export type Day = 'install' | 'add';

export interface Situation {
  readonly hosts: readonly AdvisedHost[];
  readonly facts: ClusterFacts;
  readonly day: Day;
  /** Objects that will be applied, or that are part of the installation. */
  readonly objects: readonly KubeObject[];
  /** Names of hosts that are known to be remote, regardless of their addresses. */
  readonly remoteHosts: readonly string[];
}

/** The label of control-plane nodes. A single node has it, too; workers never do. */
export const CONTROL_PLANE_LABEL = 'node-role.kubernetes.io/master';

/** Labels that every new worker has, besides its name. */
const WORKER_LABELS: Readonly<Record<string, string>> = {
  'node-role.kubernetes.io/worker': '',
  'kubernetes.io/os': 'linux',
  'node.openshift.io/os_id': 'rhel',
};

/** Platforms on which keepalived keeps virtual addresses on a node. */
const WITH_VIRTUAL_ADDRESSES: ReadonlySet<string> = new Set(['BareMetal', 'VSphere', 'Nutanix', 'OpenStack']);

export class Surroundings {
  readonly facts: ClusterFacts;
  readonly day: Day;
  readonly objects: readonly KubeObject[];
  readonly hosts: readonly HostView[];
  /** Hosts that become workers. */
  readonly workers: readonly HostView[];
  /** Workers outside every machine network. */
  readonly remote: readonly HostView[];
  /** The controllers as they will be: objects that will be applied replace those of the cluster. */
  readonly controllers: readonly IngressControllerFacts[];
  readonly controlPlane: readonly ClusterNode[];

  constructor({ hosts, facts, day, objects, remoteHosts }: Situation) {
    this.facts = withObjects(facts, objects);
    this.day = day;
    this.objects = objects;
    this.hosts = hosts.map(viewHost);
    this.workers = this.hosts.filter(({ role }) => role === undefined || role === '' || role === 'worker');
    this.controlPlane = (this.facts.nodes ?? []).filter(({ master }) => master === true);
    const networks = this.#nodeNetworks();
    this.remote = this.workers.filter((host) => remoteHosts.includes(host.name) || isRemote(host, networks));
    this.controllers = this.facts.ingressControllers ?? [];
  }

  /** The objects of a kind that will be applied. */
  given(kind: string): readonly KubeObject[] {
    return this.objects.filter((object) => textOf(object, 'kind') === kind);
  }

  get isSingleNode(): boolean {
    const { controlPlaneTopology } = this.facts;
    return controlPlaneTopology === undefined
      ? this.controlPlane.length === 1
      : controlPlaneTopology === 'SingleReplica';
  }

  /** Whether the cluster keeps virtual addresses on its nodes. */
  get hasVirtualAddresses(): boolean {
    const { apiVIPs = [], ingressVIPs = [], loadBalancer, platform = '' } = this.facts;
    const isKept = WITH_VIRTUAL_ADDRESSES.has(platform) && loadBalancer !== 'UserManaged';
    return isKept && apiVIPs.length + ingressVIPs.length > 0;
  }

  /** `<name>.<base>`, from the name of the API. */
  get domain(): string | undefined {
    return /^https:\/\/api\.([^:/]+)/.exec(this.facts.apiServerUrl ?? '')?.[1];
  }

  /** Names that a node resolves: the server of its config, and the API. */
  get namesToResolve(): readonly string[] {
    const { workerUserData, apiServerInternalUrl = '' } = this.facts;
    const internal = URL.canParse(apiServerInternalUrl) ? new URL(apiServerInternalUrl).hostname : undefined;
    const derived = this.domain === undefined ? undefined : `api-int.${this.domain}`;
    // Nodes of clusters with virtual addresses resolve that name themselves once they have their config.
    const names = [
      workerEndpoint(workerUserData)?.hostname,
      this.hasVirtualAddresses ? undefined : (internal ?? derived),
    ];
    return [...new Set(names.filter((name) => name !== undefined && isName(name)))] as string[];
  }

  get appsDomain(): string | undefined {
    return this.facts.ingress?.domain ?? (this.domain === undefined ? undefined : `apps.${this.domain}`);
  }

  /** Addresses that nodes use to reach each other. */
  addressesOf(nodes: readonly ClusterNode[]): string[] {
    return nodes.flatMap(({ addresses = [] }) =>
      addresses.filter(({ type }) => type === 'InternalIP').map(({ address }) => address),
    );
  }

  /** The addresses that the site's DNS is known to return; undefined if unknown. */
  record(name: string): readonly string[] | undefined {
    const { dnsRecords = {} } = this.facts;
    const wildcard = name.replace(/^[^.]+/, '*');
    return dnsRecords[name] ?? dnsRecords[wildcard];
  }

  controller(name: string): IngressControllerFacts | undefined {
    return this.controllers.find((one) => one.name === name);
  }

  /** Whether routers of the default group may run on a new worker. */
  get mayRouteOnWorkers(): boolean {
    const labels = Object.entries(this.controller('default')?.nodeLabels ?? {});
    if (labels.length > 0) return labels.every(([name, value]) => WORKER_LABELS[name] === value);
    return this.facts.ingress?.defaultPlacement !== 'ControlPlane';
  }

  /** Machine networks; if unknown, the networks that the control plane is attached to. */
  #nodeNetworks(): readonly string[] {
    const { machineNetworks = [] } = this.facts;
    const attached = this.controlPlane.flatMap(({ networks = [] }) => networks.map(({ address }) => address));
    return (machineNetworks.length > 0 ? machineNetworks : attached).filter((text) => parseCidr(text) !== undefined);
  }
}

/** The facts as they will be once these objects are applied. A given object replaces the one with the same name. */
function withObjects(facts: ClusterFacts, objects: readonly KubeObject[]): ClusterFacts {
  const store = new ObjectStore(objects);
  const given = readSurroundings(store);
  const { ingressControllers, egressIPs, machineConfigPools, bareMetalHosts } = given;
  return {
    ...facts,
    ...given,
    ...(ingressControllers && { ingressControllers: replaced(facts.ingressControllers, ingressControllers) }),
    ...(egressIPs && { egressIPs: replaced(facts.egressIPs, egressIPs) }),
    ...(machineConfigPools && { machineConfigPools: replaced(facts.machineConfigPools, machineConfigPools) }),
    ...(bareMetalHosts && { bareMetalHosts: replaced(facts.bareMetalHosts, bareMetalHosts) }),
    ...(facts.nodes && { nodes: facts.nodes.map((node) => relabelled(node, store)) }),
  };
}

function replaced<T extends { readonly name: string }>(before: readonly T[] = [], given: readonly T[]): readonly T[] {
  const names = new Set(given.map(({ name }) => name));
  return [...before.filter(({ name }) => !names.has(name)), ...given];
}

/** Labels that are applied to a node are added to its present labels. */
function relabelled(node: ClusterNode, store: ObjectStore): ClusterNode {
  const { labels } = nodeSurroundings(store.find('Node', node.name) ?? {}, store);
  return labels === undefined ? node : { ...node, labels: { ...node.labels, ...labels } };
}

/**
 * The names of workers outside all machine networks, and of those named as remote.
 *
 * @example remoteHosts(plan, cluster, ['far-0'])
 */
export function remoteHosts(
  plan: { readonly hosts: readonly AdvisedHost[] },
  facts: ClusterFacts,
  known: readonly string[] = [],
): readonly string[] {
  checkArgument('plan.hosts', plan?.hosts, 'array');
  checkArgument('facts', facts, 'object');
  checkArgument('known', known, 'array');
  const { hosts } = plan;
  const { remote } = new Surroundings({ hosts, facts, day: 'install', objects: [], remoteHosts: known });
  return remote.map(({ name }) => name);
}

/** Only if the site assigns no address: an unknown address may be in any network. */
function isRemote({ addresses, dynamic }: HostView, networks: readonly string[]): boolean {
  const isCertain = networks.length > 0 && addresses.length > 0 && dynamic.size === 0;
  return isCertain && !addresses.some(({ address }) => isInside(address, networks));
}

function isName(host: string): boolean {
  return parseAddress(host.replace(/^\[|\]$/g, '')) === undefined;
}

/** Names for people: `a`, `a and b`, `a, b and c`. */
export function joinNames(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
