import { parseInstallConfig, splitMessages, topologyOf } from '@coreiso/nodes-config';
import { compareLines, type Recordings, type Verdict } from '../../../../test/support/replay.ts';
import { type ManifestPlatform, topologyManifests } from './topology-manifests.ts';

interface Row {
  readonly input: {
    readonly platform: ManifestPlatform['type'];
    readonly controlPlane: number;
    readonly arbiter: number;
    readonly compute: number;
    readonly fencing?: boolean;
    readonly cpuPartitioningMode?: string;
  };
  readonly controlPlaneTopology?: string;
  readonly infrastructureTopology?: string;
  readonly ingressPlacement?: string;
  readonly cpuPartitioning?: string;
  readonly mastersSchedulable?: boolean;
  readonly agentInstaller?: { readonly accepted: boolean; readonly errors?: readonly string[] };
  readonly manifests?: Readonly<Partial<Record<'ingress' | 'infrastructure' | 'scheduler', string | null>>>;
}

/** Replays the table of machine counts and platforms, and the manifests of each row. */
export async function* replayTopology(recordings: Recordings): AsyncGenerator<Verdict> {
  for (const path of recordings.paths(/(?:^|\/)table\.json$/)) {
    const { rows }: { rows: readonly Row[] } = JSON.parse(recordings.text(path));
    const manifests = path.replace(/table\.json$/, 'manifests.json');
    const texts: Record<string, string> = recordings.paths().includes(manifests)
      ? JSON.parse(recordings.text(manifests))
      : {};
    for (const row of rows) yield { name: JSON.stringify(row.input), differences: differencesOf(row, texts) };
  }
}

/** Settings that the recorded clusters share. */
const VIPS = { apiVIPs: ['192.0.2.2'], ingressVIPs: ['192.0.2.3'] };
const PLATFORMS: Readonly<Record<ManifestPlatform['type'], ManifestPlatform>> = {
  none: { type: 'none' },
  external: { type: 'external', platformName: 'coastal' },
  baremetal: { type: 'baremetal', ...VIPS },
  vsphere: {
    type: 'vsphere',
    ...VIPS,
    vcenters: [{ server: 'vc.example.test', datacenters: ['dc1'] }],
    failureDomains: [
      {
        name: 'fd1',
        region: 'r1',
        zone: 'z1',
        server: 'vc.example.test',
        topology: {
          computeCluster: '/dc1/host/c1',
          datacenter: 'dc1',
          datastore: '/dc1/datastore/ds1',
          folder: '/dc1/vm/lantern',
          networks: ['vm-net'],
        },
      },
    ],
  },
  aws: { type: 'aws', region: 'us-east-1' },
};

function differencesOf(row: Row, texts: Readonly<Record<string, string>>): string[] {
  const { platform, controlPlane, arbiter, compute, cpuPartitioningMode } = row.input;
  const machines = { controlPlane, arbiter, compute };
  const topology = topologyOf(machines, platform, { cpuPartitioningMode });
  const values: readonly (readonly [ours: unknown, recorded: unknown])[] = [
    [topology.controlPlane, row.controlPlaneTopology],
    [topology.infrastructure, row.infrastructureTopology],
    [topology.ingressPlacement, row.ingressPlacement],
    [topology.cpuPartitioning, row.cpuPartitioning],
    [topology.mastersSchedulable, row.mastersSchedulable],
  ];
  const differences = values.flatMap(([ours, real]) =>
    real === undefined ? [] : compareLines([String(ours)], [String(real)]),
  );
  const ours = topologyManifests({
    name: 'lantern',
    baseDomain: 'example.test',
    infrastructureName: 'lantern-x7k2p',
    machines,
    machineNetworks: ['192.0.2.0/24'],
    platform: PLATFORMS[platform],
    cpuPartitioningMode,
  });
  if (row.agentInstaller !== undefined) {
    const outcome = parseInstallConfig(installConfig(row.input), { version: '4.20.3', mode: 'compatible' });
    const errors = [...splitMessages(outcome.diagnostics).upstream].sort();
    const recorded = [...(row.agentInstaller.errors ?? [])].sort();
    differences.push(...compareLines(errors, recorded).map((line) => `agent installer: ${line}`));
  }
  for (const name of ['infrastructure', 'ingress', 'scheduler'] as const) {
    const real = texts[row.manifests?.[name] ?? ''];
    if (real === undefined) continue;
    differences.push(...compareLines(ours[name].split('\n'), real.split('\n')).map((line) => `${name}: ${line}`));
  }
  return differences;
}

/** The recorded cluster as a file. */
function installConfig({
  platform,
  controlPlane,
  arbiter,
  compute,
  fencing,
  cpuPartitioningMode,
}: Row['input']): object {
  const { type, ...values } = PLATFORMS[platform];
  const vcenters = [{ server: 'vc.example.test', user: 'u', password: 'p', datacenters: ['dc1'] }];
  const credential = (name: string, address: string) => ({ hostName: name, username: 'u', password: 'p', address });
  const credentials = [
    credential('lantern-1', 'redfish+https://198.51.100.1:8000/redfish/v1/Systems/1'),
    credential('lantern-2', 'redfish+https://198.51.100.2:8000/redfish/v1/Systems/1'),
  ];
  return {
    apiVersion: 'v1',
    baseDomain: 'example.test',
    metadata: { name: 'lantern' },
    controlPlane: { name: 'master', replicas: controlPlane, ...(fencing ? { fencing: { credentials } } : {}) },
    ...(arbiter > 0 ? { arbiter: { name: 'arbiter', replicas: arbiter } } : {}),
    compute: [{ name: 'worker', replicas: compute }],
    networking: { machineNetwork: [{ cidr: '192.0.2.0/24' }] },
    platform: { [type]: { ...values, ...(type === 'vsphere' ? { vcenters } : {}) } },
    pullSecret: '{"auths":{"releases.example.test":{"auth":"dXNlcjpwYXNz"}}}',
    ...(cpuPartitioningMode === undefined ? {} : { cpuPartitioningMode }),
  };
}
