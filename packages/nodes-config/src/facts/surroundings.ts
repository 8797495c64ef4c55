// The surroundings of new nodes: topology, virtual addresses, routers, egress, pools, boot images. Upstream reads
// none of them; absent values and values of another form are left out.
import { type Outcome, parseJson, succeed } from '@coreiso/diagnostics';
import { isObject, listOf, memberOf, textOf } from '@coreiso/peers/members';
import { osStreamOf, readBootImages } from './boot-images.ts';
import type {
  ClusterFacts,
  ClusterNetworks,
  ClusterNode,
  EgressIPFacts,
  IngressControllerFacts,
  LabelExpression,
  MachineConfigPoolFacts,
  NodeNetwork,
} from './facts.ts';
import { collectObjects, type KubeObject, ObjectStore } from './objects.ts';

const INGRESS_NAMESPACE = 'openshift-ingress-operator';

/** The facts that only advice uses. */
export function readSurroundings(store: ObjectStore): ClusterFacts {
  const infrastructure = store.find('Infrastructure', 'cluster');
  // The operator's own object has the same kind and name, but fewer values.
  const network = store.all('Network').find((one) => textOf(one, 'status', 'networkType') !== '');
  const provisioning = store.find('Provisioning', 'provisioning-configuration');
  const controllers = store
    .all('IngressController')
    .filter((one) => ['', INGRESS_NAMESPACE].includes(textOf(one, 'metadata', 'namespace')));
  return withoutEmpty({
    machineConfigAuthority: machineConfigAuthority(store),
    controlPlaneTopology: textOf(infrastructure, 'status', 'controlPlaneTopology'),
    infrastructureTopology: textOf(infrastructure, 'status', 'infrastructureTopology'),
    apiServerInternalUrl: textOf(infrastructure, 'status', 'apiServerInternalURI'),
    ...virtualAddresses(infrastructure),
    machineNetworks: machineNetworks(infrastructure, store),
    serviceNetworks: textListOf(memberOf(network, 'status'), 'serviceNetwork'),
    networkType: textOf(network, 'status', 'networkType'),
    clusterNetworkMtu: numberOf(network, 'status', 'clusterNetworkMTU'),
    ingress: readIngress(store),
    ingressControllers: controllers.map(readIngressController),
    egressIPs: store.all('EgressIP').map(readEgressIP),
    machineConfigPools: store.all('MachineConfigPool').map(readPool),
    ...readBootImages(store),
    bareMetalHosts: store.all('BareMetalHost').map(({ metadata }) => ({
      name: textOf(metadata, 'name'),
      namespace: textOf(metadata, 'namespace'),
    })),
    watchAllNamespaces: provisioning && memberOf(provisioning, 'spec', 'watchAllNamespaces') === true,
    controlPlaneDnsmasq: store.find('MachineConfig', '50-master-dnsmasq-configuration') && true,
  });
}

/**
 * The used addresses and names of a cluster, and its networks, from Infrastructure and Network `cluster` and ConfigMap
 * `cluster-config-v1`. Accepts the same forms as `factsFromObjects`.
 *
 * @example networksFromObjects(await readFile('infrastructure.yaml', 'utf8'))
 */
export function networksFromObjects(objects: unknown): Outcome<ClusterNetworks> {
  const collected = collectObjects(objects);
  if (!collected.ok) return collected;
  const store = new ObjectStore(collected.value);
  const apiServerUrl = textOf(store.find('Infrastructure', 'cluster'), 'status', 'apiServerURL');
  const { apiServerInternalUrl, apiVIPs, ingressVIPs, machineNetworks, serviceNetworks } = readSurroundings(store);
  return succeed(
    withoutEmpty({ apiServerUrl, apiServerInternalUrl, apiVIPs, ingressVIPs, machineNetworks, serviceNetworks }),
  );
}

/** Labels and networks of a node. */
export function nodeSurroundings(node: KubeObject, store: ObjectStore): Pick<ClusterNode, 'labels' | 'networks'> {
  const labels = textsOf(memberOf(node, 'metadata', 'labels'));
  return withoutEmpty({ labels, networks: nodeNetworks(node, store) });
}

/** The authority of the machine config server's certificate: a separate one since 4.19, the cluster's root before. */
function machineConfigAuthority(store: ObjectStore): string {
  const own = store.find('ConfigMap', 'machine-config-server-ca', 'openshift-machine-config-operator');
  const root = store.find('ConfigMap', 'root-ca', 'kube-system');
  return textOf(own, 'data', 'ca-bundle.crt') || textOf(root, 'data', 'ca.crt');
}

/** The member of `platformStatus` that is named after the platform. */
function platformOf(infrastructure: KubeObject | undefined, ...path: readonly string[]): KubeObject | undefined {
  const platform = memberOf(infrastructure, ...path);
  return isObject(platform) ? Object.values(platform).find(isObject) : undefined;
}

function virtualAddresses(
  infrastructure: KubeObject | undefined,
): Pick<ClusterFacts, 'apiVIPs' | 'ingressVIPs' | 'loadBalancer'> {
  const status = platformOf(infrastructure, 'status', 'platformStatus');
  const addresses = (list: string, single: string): readonly string[] => {
    const several = textListOf(status, list);
    const one = textOf(status, single);
    return several.length > 0 || one === '' ? several : [one];
  };
  return {
    apiVIPs: addresses('apiServerInternalIPs', 'apiServerInternalIP'),
    ingressVIPs: addresses('ingressIPs', 'ingressIP'),
    loadBalancer: textOf(status, 'loadBalancer', 'type'),
  };
}

/** From the Infrastructure if the platform stores them there, else from the install config that the cluster stores. */
function machineNetworks(infrastructure: KubeObject | undefined, store: ObjectStore): readonly string[] {
  const known = [
    platformOf(infrastructure, 'status', 'platformStatus'),
    platformOf(infrastructure, 'spec', 'platformSpec'),
  ].map((platform) => textListOf(platform, 'machineNetworks'));
  const [first] = known.filter((networks) => networks.length > 0);
  if (first !== undefined) return first;
  const installConfig = textOf(store.find('ConfigMap', 'cluster-config-v1', 'kube-system'), 'data', 'install-config');
  const read = collectObjects(installConfig);
  const [config] = read.ok ? read.value : [];
  return listOf(config, 'networking', 'machineNetwork').flatMap((entry) => textOf(entry, 'cidr') || []);
}

function readIngress(store: ObjectStore): ClusterFacts['ingress'] {
  const ingress = store.find('Ingress', 'cluster');
  const read = withoutEmpty({
    domain: textOf(ingress, 'spec', 'domain'),
    defaultPlacement: textOf(ingress, 'status', 'defaultPlacement'),
  });
  return Object.keys(read).length === 0 ? undefined : read;
}

/** A group of routers, from an object of the cluster or one that will be applied. */
export function readIngressController(controller: KubeObject): IngressControllerFacts {
  const selector = memberOf(controller, 'spec', 'nodePlacement', 'nodeSelector');
  const isShard = ['routeSelector', 'namespaceSelector'].some((name) => {
    const selects = memberOf(controller, 'spec', name);
    return isObject(selects) && Object.keys(selects).length > 0;
  });
  return {
    name: textOf(controller, 'metadata', 'name'),
    ...withoutEmpty({
      domain: textOf(controller, 'spec', 'domain') || textOf(controller, 'status', 'domain'),
      replicas: numberOf(controller, 'spec', 'replicas'),
      nodeLabels: textsOf(memberOf(selector, 'matchLabels')),
      nodeExpressions: listOf(selector, 'matchExpressions').map(readExpression),
      isShard: isShard || undefined,
      publishing:
        textOf(controller, 'status', 'endpointPublishingStrategy', 'type') ||
        textOf(controller, 'spec', 'endpointPublishingStrategy', 'type'),
      dnsManaged: condition(controller, 'DNSManaged'),
    }),
  };
}

function readExpression(expression: unknown): LabelExpression {
  const values = textListOf(expression, 'values');
  return {
    key: textOf(expression, 'key'),
    operator: textOf(expression, 'operator'),
    ...(values.length === 0 ? {} : { values }),
  };
}

function condition(object: KubeObject, type: string): boolean | undefined {
  const found = listOf(object, 'status', 'conditions').find((one) => textOf(one, 'type') === type);
  return found === undefined ? undefined : textOf(found, 'status') === 'True';
}

function readEgressIP(egress: KubeObject): EgressIPFacts {
  const assigned = listOf(egress, 'status', 'items').map((item) => [textOf(item, 'egressIP'), textOf(item, 'node')]);
  return {
    name: textOf(egress, 'metadata', 'name'),
    addresses: textListOf(memberOf(egress, 'spec'), 'egressIPs'),
    ...(assigned.length === 0 ? {} : { assigned: Object.fromEntries(assigned) }),
  };
}

function readPool(pool: KubeObject): MachineConfigPoolFacts {
  const sources = listOf(pool, 'spec', 'configuration', 'source').map((source) => textOf(source, 'name'));
  return {
    name: textOf(pool, 'metadata', 'name'),
    ...withoutEmpty({
      nodeLabels: textsOf(memberOf(pool, 'spec', 'nodeSelector', 'matchLabels')),
      sources,
      osStream: osStreamOf(pool),
    }),
  };
}

/** From the network operator's state, else from the annotations of OVN-Kubernetes on the node. */
function nodeNetworks(node: KubeObject, store: ObjectStore): readonly NodeNetwork[] {
  const state = memberOf(store.find('NodeNetworkState', textOf(node, 'metadata', 'name')), 'status', 'currentState');
  const interfaces = listOf(state, 'interfaces').filter(isObject);
  const seen = interfaces.flatMap((one) => interfaceNetworks(one, interfaces));
  if (seen.length > 0) return seen;
  const annotations = memberOf(node, 'metadata', 'annotations');
  const all = jsonOf(textOf(annotations, 'k8s.ovn.org/host-cidrs'));
  const primary = jsonOf(textOf(annotations, 'k8s.ovn.org/node-primary-ifaddr'));
  const addresses = Array.isArray(all) ? all : isObject(primary) ? Object.values(primary) : [];
  return addresses.flatMap((address) => (typeof address === 'string' && address !== '' ? [{ address }] : []));
}

function interfaceNetworks(one: KubeObject, interfaces: readonly KubeObject[]): NodeNetwork[] {
  if (textOf(one, 'state') !== 'up' || textOf(one, 'type') === 'loopback') return [];
  const mtu = numberOf(one, 'mtu');
  const vlan = vlanOf(one, interfaces);
  return ['ipv4', 'ipv6'].flatMap((family) =>
    listOf(one, family, 'address').flatMap((address) => {
      const [ip, length] = [textOf(address, 'ip'), numberOf(address, 'prefix-length')];
      if (ip === '' || length === undefined || /^fe80:/i.test(ip)) return [];
      return [{ address: `${ip}/${length}`, ...(mtu === undefined ? {} : { mtu }), vlan }];
    }),
  );
}

/** Its own VLAN, or that of a port of its bridge: OVN-Kubernetes puts a bridge above the node's interface. */
function vlanOf(one: KubeObject, interfaces: readonly KubeObject[]): number {
  const own = numberOf(one, 'vlan', 'id');
  if (own !== undefined) return own;
  const name = textOf(one, 'name');
  const bridge = interfaces.find(
    (other) =>
      textOf(other, 'type') === 'ovs-bridge' &&
      listOf(other, 'bridge', 'port').some((port) => textOf(port, 'name') === name),
  );
  const ports = listOf(bridge, 'bridge', 'port').map((port) => textOf(port, 'name'));
  const below = interfaces.find((other) => ports.includes(textOf(other, 'name')) && textOf(other, 'type') === 'vlan');
  return numberOf(below, 'vlan', 'id') ?? 0;
}

function jsonOf(text: string): unknown {
  return text !== '' && parseJson(text).ok ? JSON.parse(text) : undefined;
}

function numberOf(value: unknown, ...path: readonly string[]): number | undefined {
  const number = memberOf(value, ...path);
  return typeof number === 'number' ? number : undefined;
}

function textListOf(value: unknown, name: string): readonly string[] {
  return listOf(value, name).filter((item) => typeof item === 'string');
}

function textsOf(value: unknown): Readonly<Record<string, string>> {
  const entries = isObject(value) ? Object.entries(value) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The values without members that are undefined, or empty texts, lists or maps. */
function withoutEmpty<T extends object>(values: T): Defined<T> {
  const isEmpty = (value: unknown): boolean =>
    value === undefined || value === '' || (typeof value === 'object' && Object.keys(value ?? {}).length === 0);
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !isEmpty(value))) as Defined<T>;
}
