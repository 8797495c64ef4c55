// The plan of a new cluster: its machines, the rendezvous host, addresses, topology, and the actions of each machine.
import type { ClusterPlan } from '@coreiso/nodes-config';
import { CLUSTER } from '../texts/cluster.ts';
import type { Block, Facts, Sentence, Table, View } from './blocks.ts';
import { stepsOf } from './boots.ts';

/** For more hosts, only the view of one host shows their boots. */
const MOST_OUTLINES = 12;

export function clusterView(plan: ClusterPlan | undefined): View {
  if (plan === undefined) {
    return { blocks: [{ kind: 'sentence', tone: 'hint', text: CLUSTER.empty }], hidesSecrets: false };
  }
  const { hosts, topology, unlisted } = plan;
  const differences = topology.proposed?.differences ?? [];
  const blocks: Block[] = [
    facts(plan),
    ...differences.map((text): Sentence => ({ kind: 'sentence', tone: 'warning', text })),
    ...(hosts.length === 0 ? [] : [hostTable(plan)]),
    ...(unlisted === 0 ? [] : [{ kind: 'sentence', tone: 'plain', text: CLUSTER.unlisted(unlisted) } as const]),
    ...hosts.slice(0, MOST_OUTLINES).map(({ name, boots }): Block => {
      return { kind: 'section', title: CLUSTER.bootsOf(name), blocks: [stepsOf(boots, `boots/${name}`)] };
    }),
  ];
  return { blocks, hidesSecrets: false };
}

function facts({ domain, platform, machines, rendezvous, virtualAddresses, topology }: ClusterPlan): Facts {
  const { controlPlane, arbiter, compute } = machines;
  const counts = [
    CLUSTER.controlPlane(controlPlane),
    ...(arbiter === 0 ? [] : [CLUSTER.arbiter(arbiter)]),
    ...(compute === 0 ? [] : [CLUSTER.compute(compute)]),
  ];
  const { address, host, reason } = rendezvous;
  const at = (addresses: readonly string[]): string => {
    if (addresses.length > 0) return addresses.join(', ');
    return controlPlane === 1 ? CLUSTER.ownNode : CLUSTER.ownBalancer;
  };
  const rows: readonly (readonly [key: string, name: string, value: string])[] = [
    ['domain', CLUSTER.domain, domain],
    ['platform', CLUSTER.platform, platform],
    ['machines', CLUSTER.machines, counts.join(', ')],
    ['leader', CLUSTER.leader, address === undefined ? CLUSTER.noLeader : CLUSTER.leaderValue(address, host)],
    ['reason', CLUSTER.reason, reason],
    ['api', CLUSTER.api, CLUSTER.nameAt(`api.${domain}`, at(virtualAddresses.api))],
    ['ingress', CLUSTER.ingress, CLUSTER.nameAt(`*.apps.${domain}`, at(virtualAddresses.ingress))],
    ['topology', CLUSTER.topology, CLUSTER.topologies[topology.controlPlane]],
    ['placement', CLUSTER.ingressOn, CLUSTER.placements[topology.ingressPlacement]],
    ['workloads', CLUSTER.workloads, CLUSTER.workloadsValue(topology.mastersSchedulable)],
    ...(topology.cpuPartitioning === 'None'
      ? []
      : [['partitioning', CLUSTER.partitioning, topology.cpuPartitioning] as const]),
  ];
  return { kind: 'facts', rows: rows.map(([key, name, value]) => ({ key: `cluster/${key}`, name, value })) };
}

function hostTable({ hosts }: ClusterPlan): Table {
  const rows = hosts.map(({ name, role, addresses, isRendezvous }) => {
    const cells = [
      name,
      role === '' ? CLUSTER.anyRole : role,
      addresses.length === 0 ? CLUSTER.fromSite : addresses.join(', '),
      isRendezvous ? CLUSTER.leads : '',
    ];
    return { key: `host/${name}`, cells };
  });
  return { kind: 'table', caption: CLUSTER.hosts, columns: CLUSTER.columns, rows };
}
