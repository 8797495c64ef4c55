import { countText } from './sizes.ts';

export const CLUSTER = {
  title: 'Plan',
  empty:
    'No plan yet. Fill in install-config.yaml; without agent-config.yaml all machines take their network from DHCP.',
  domain: 'Cluster',
  platform: 'Platform',
  machines: 'Machines',
  controlPlane: (count: number) => `${count} control plane`,
  arbiter: (count: number) => countText(count, 'arbiter'),
  compute: (count: number) => countText(count, 'worker'),
  leader: 'Leads the installation',
  leaderValue: (address: string, host: string | undefined) => (host === undefined ? address : `${host}, at ${address}`),
  noLeader: 'no machine yet',
  reason: 'Because',
  api: 'API address',
  ingress: 'Ingress address',
  nameAt: (name: string, addresses: string) => `${name} at ${addresses}`,
  ownNode: 'the address of the node, by your DNS',
  ownBalancer: 'a load balancer of your own, by your DNS',
  topology: 'Control plane',
  topologies: {
    SingleReplica: 'one node; its failure stops the cluster',
    DualReplica: 'two nodes',
    HighlyAvailable: 'highly available: survives the failure of a node',
    HighlyAvailableArbiter: 'highly available with an arbiter: survives the failure of a node',
  },
  ingressOn: 'Routers run on',
  placements: { ControlPlane: 'the control plane', Workers: 'workers' },
  workloads: 'Workloads run on',
  workloadsValue: (isSchedulable: boolean) =>
    isSchedulable ? 'the control plane, as there are no workers' : 'workers',
  partitioning: 'CPU partitioning',
  hosts: 'Hosts',
  columns: ['Host', 'Role', 'Static addresses', 'Part'],
  leads: 'leads the installation',
  anyRole: 'the service decides',
  fromSite: 'from the site (DHCP)',
  unlisted: (count: number) =>
    `${countText(count, 'more machine')} that the files do not list: network from DHCP, role from the service.`,
  bootsOf: (name: string) => `Boots of ${name}`,
} as const;
