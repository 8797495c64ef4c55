// Where routers run, and whether clients can reach them there.
import type { IngressControllerFacts, LabelExpression } from '../facts/facts.ts';
import { type AdvisedChange, type Finding, shellWord } from './advice.ts';
import { haproxySketch, isSketchable } from './haproxy.ts';
import { pinnedIngressController } from './recommended-objects.ts';
import { CONTROL_PLANE_LABEL, joinNames, type Surroundings } from './surroundings.ts';

type Backend = Parameters<typeof haproxySketch>[1][number];

export function adviseIngress(around: Surroundings): Finding[] {
  return [
    ...floatingRouter(around),
    ...remoteRouter(around),
    ...around.controllers.flatMap((controller) => expressions(controller, around)),
    ...around.controllers.filter(({ name }) => name !== 'default').flatMap((one) => shard(one, around)),
  ];
}

function pinned(why: string): AdvisedChange {
  return { kind: 'manifest', name: 'ingresscontroller-default.yaml', object: pinnedIngressController(), why };
}

/** The DNS records of a cluster whose API and routers are on its only control-plane node. */
export function clusterRecords(around: Surroundings): AdvisedChange[] {
  const { domain, appsDomain } = around;
  if (domain === undefined || appsDomain === undefined) return [];
  const addresses = around.addressesOf(around.controlPlane);
  const uses: readonly (readonly [string, string])[] = [
    [`api.${domain}`, 'the API, for people and programs'],
    [`api-int.${domain}`, 'the API and the machine config server, for nodes'],
    [`*.${appsDomain}`, 'applications, through the routers'],
  ];
  return uses
    .filter(([name]) => around.record(name) === undefined)
    .map(([name, why]) => ({ kind: 'dns', name, addresses, why }));
}

/** Platforms without an address that follows a router. */
const WITHOUT_BALANCER: Readonly<Record<string, 'warning' | 'info'>> = {
  None: 'warning',
  // An external platform may have a load balancer.
  External: 'info',
};

function floatingRouter(around: Surroundings): Finding[] {
  const { facts, workers, controlPlane, appsDomain } = around;
  const [worker] = workers;
  const severity = WITHOUT_BALANCER[facts.platform ?? ''];
  if (severity === undefined || worker === undefined || !around.isSingleNode || !around.mayRouteOnWorkers) return [];
  const own = around.addressesOf(controlPlane);
  const record = appsDomain === undefined ? undefined : around.record(`*.${appsDomain}`);
  // If the name has another address, there is a load balancer, or the record follows the router by hand.
  if (record?.some((address) => !own.includes(address))) return [];
  const node = controlPlane[0]?.name ?? 'the control-plane node';
  return [
    {
      severity,
      code: 'router-floats',
      message: `the cluster has one router, and nothing keeps it on ${node}: it may move to ${joinNames(workers.map(({ name }) => name))}, while *.${appsDomain ?? 'apps'} leads to ${own.length === 0 ? node : joinNames(own)}`,
      path: worker.path,
      help: 'Keep the router on the control plane; or put a load balancer in front of all nodes, and let the name lead there.',
      manifests: [
        pinned('Keeps the router where DNS leads, on the control-plane node, when workers join a single-node cluster.'),
        ...clusterRecords(around),
      ],
    },
  ];
}

function remoteRouter(around: Surroundings): Finding[] {
  const { remote, facts } = around;
  const [first] = remote;
  // The rule above covers single nodes.
  if (first === undefined || !around.mayRouteOnWorkers || (around.isSingleNode && facts.platform === 'None')) return [];
  const { ingressVIPs = [] } = facts;
  const address = ingressVIPs.length === 0 ? 'the address of the routers' : joinNames(ingressVIPs);
  return [
    {
      severity: 'warning',
      code: 'router-on-remote-node',
      message: `routers may run on ${joinNames(remote.map(({ name }) => name))}, outside every machine network, where ${address} cannot follow`,
      path: first.networkPath,
      help: 'Keep the default routers on the control plane, or on local nodes by a label that remote ones do not have.',
      manifests: [
        pinned('Keeps the default routers in the machine network, because their address cannot move elsewhere.'),
      ],
    },
  ];
}

/** Conditions that can also be written as equal labels. */
function asLabels(expressions: readonly LabelExpression[]): Record<string, string> | undefined {
  const entries = expressions.map(({ key, operator, values = [] }) =>
    operator === 'In' && values.length === 1 ? ([key, values[0] ?? ''] as const) : undefined,
  );
  return entries.every((entry) => entry !== undefined) ? Object.fromEntries(entries) : undefined;
}

function expressions({ name, nodeExpressions = [], nodeLabels = {} }: IngressControllerFacts, around: Surroundings) {
  const [first] = nodeExpressions;
  if (first === undefined) return [];
  const equal = asLabels(nodeExpressions);
  const labels = equal === undefined ? { [CONTROL_PLANE_LABEL]: '', ...nodeLabels } : { ...nodeLabels, ...equal };
  const patch = { spec: { nodePlacement: { nodeSelector: { matchExpressions: null, matchLabels: labels } } } };
  const meaning =
    equal === undefined
      ? 'Takes the conditions away, and keeps the routers on the control plane; label other nodes and name that label to have them elsewhere.'
      : 'Says the same by labels.';
  const isGiven = around.given('IngressController').length > 0;
  const finding: Finding = {
    severity: 'error',
    code: 'node-expressions',
    message: `IngressController ${name} places its routers by matchExpressions (${first.key} ${first.operator}), which the ingress operator cannot convert and refuses`,
    path: [],
    help: `Write matchLabels in their place${isGiven ? '' : ', by the patch'}: ${JSON.stringify(labels)}.`,
    manifests: [
      {
        kind: 'command',
        command: patchCommand(name, patch),
        why: meaning,
      },
    ],
  };
  return [finding];
}

function patchCommand(name: string, patch: object): string {
  const [target, change] = [`ingresscontroller/${name}`, JSON.stringify(patch)].map(shellWord);
  return `oc patch ${target} -n openshift-ingress-operator --type merge -p ${change}`;
}

/** Routers with a domain of their own are useful only if DNS leads to them. */
function shard(controller: IngressControllerFacts, around: Surroundings): Finding[] {
  const { name, domain, isShard, dnsManaged, publishing } = controller;
  const found: Finding[] = [];
  if (isShard !== true) {
    const patch = { spec: { routeSelector: { matchLabels: { shard: name } } } };
    found.push({
      severity: 'warning',
      code: 'shard-without-selector',
      message: `IngressController ${name} takes every route of the cluster, because it selects none`,
      path: [],
      help: 'Give it a routeSelector, and its routes that label.',
      manifests: [
        {
          kind: 'command',
          command: patchCommand(name, patch),
          why: 'Leaves to it only routes with that label.',
        },
        { kind: 'command', command: `oc label route ROUTE ${shellWord(`shard=${name}`)}`, why: 'Hands a route to it.' },
      ],
    });
  }
  // Private routers are not meant to be reached from outside.
  const isFound = dnsManaged === true || publishing === 'Private' || domain === undefined;
  if (isFound || around.record(`*.${domain}`) !== undefined) return found;
  return [...found, unreachable(controller, domain, around)];
}

function unreachable(controller: IngressControllerFacts, domain: string, around: Surroundings): Finding {
  const { name, publishing } = controller;
  // The cluster's own load balancer is in front of any nodes.
  const nodes = publishing === 'LoadBalancerService' ? [] : routerNodes(controller, around);
  const [only] = nodes;
  const isOne = nodes.length === 1 && only !== undefined;
  const balancer: readonly AdvisedChange[] =
    nodes.length > 1 && isSketchable(domain, nodes)
      ? [
          {
            kind: 'file',
            name: `haproxy-${name}.cfg`,
            text: haproxySketch(domain, nodes),
            why: `A load balancer in front of the ${nodes.length} nodes that the routers of ${name} may run on.`,
          },
        ]
      : [];
  return {
    severity: 'warning',
    code: 'shard-unreachable',
    message: `nothing leads to *.${domain}: the cluster does not keep the DNS of IngressController ${name} here${isOne ? `, and its routers run on ${only.name}` : ''}`,
    path: [],
    help: isOne
      ? `Let *.${domain} lead to ${only.address}.`
      : `Put a load balancer in front of its nodes, and let *.${domain} lead there.`,
    manifests: [
      ...balancer,
      {
        kind: 'dns',
        name: `*.${domain}`,
        addresses: isOne ? [only.address] : [],
        why: isOne ? `The routers of ${name} run on this node alone.` : 'The address of the load balancer.',
      },
    ],
  };
}

/** Present and new nodes with the labels that the routers need. */
function routerNodes({ nodeLabels = {} }: IngressControllerFacts, around: Surroundings): Backend[] {
  const wanted = Object.entries(nodeLabels);
  const fits = (labels: Readonly<Record<string, string>>): boolean =>
    wanted.length > 0 && wanted.every(([key, value]) => labels[key] === value);
  const known = (around.facts.nodes ?? []).flatMap((node): Backend[] => {
    const [address] = around.addressesOf([node]);
    return fits(node.labels ?? {}) && address !== undefined ? [{ name: node.name, address }] : [];
  });
  const coming = around.workers.flatMap(({ name, addresses }): Backend[] => {
    const [first] = addresses;
    return fits({ 'kubernetes.io/hostname': name }) && first !== undefined ? [{ name, address: first.text }] : [];
  });
  return [...known, ...coming];
}
