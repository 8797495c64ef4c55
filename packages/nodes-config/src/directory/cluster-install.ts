// AgentClusterInstall: the size of the new cluster, and its networks.
import { writeGoYaml } from '@coreiso/diagnostics';
import { parseCidr } from '@coreiso/peers/ip';
import { isObject } from '@coreiso/peers/members';
import type { ClusterInstallValues } from '../generated/values.ts';
import { encodeSection } from '../install-config/encode.ts';
import { clusterNetworkFaults } from '../install-config/rules/cluster-networks.ts';
import type { Mode } from '../text/config-findings.ts';
import { forbidden, required, unsupported } from '../text/field-errors.ts';
import type { ConfigSource } from '../text/read-text.ts';
import type { ClusterDirectory } from './cluster-directory.ts';
import { AGENT_CLUSTER_INSTALL } from './manifest-tables.ts';
import { type Judge, type Reading, readManifest, refuse, withStatus } from './read-manifest.ts';
import { oneOrMore, refuseClusterInstall } from './service-refusals.ts';

const PLATFORM_TYPES = ['BareMetal', 'VSphere', 'Nutanix', 'None', 'External'];
const OVERRIDES = 'agent-install.openshift.io/install-config-overrides';
const CLUSTER_INSTALL_STATUS = { debugInfo: { eventsURL: '', logsURL: '' }, progress: { totalPercentage: 0 } };

export function readClusterInstall(
  file: string,
  source: ConfigSource,
  mode: Mode,
): Reading<ClusterDirectory['clusterInstall']> {
  let completed: ClusterInstallValues | undefined;
  const { values, diagnostics } = readManifest(file, source, AGENT_CLUSTER_INSTALL, mode, (decoded, findings) => {
    completed = withDefaults(decoded);
    checkClusterInstall(completed, findings);
    refuseClusterInstall(completed, findings);
  });
  if (values === undefined || completed === undefined) return { value: undefined, diagnostics };
  const { spec, metadata } = completed;
  const { controlPlaneAgents, arbiterAgents, workerAgents } = spec.provisionRequirements;
  return {
    value: {
      text: writeGoYaml(withStatus(encodeSection(AGENT_CLUSTER_INSTALL, completed), CLUSTER_INSTALL_STATUS)),
      platformType: spec.platformType,
      externalName: spec.external?.platformName ?? '',
      counts: { controlPlane: controlPlaneAgents, arbiter: arbiterAgents, worker: workerAgents },
      virtualAddresses: {
        api: oneOrMore(spec.apiVIPs, spec.apiVIP),
        ingress: oneOrMore(spec.ingressVIPs, spec.ingressVIP),
      },
      overrides: parsedOverrides(metadata.annotations[OVERRIDES] ?? ''),
    },
    diagnostics,
  };
}

function parsedOverrides(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? { ...value } : {};
  } catch {
    return {};
  }
}

/** Fills in the defaults that the installer sets when it loads the manifest. */
function withDefaults(values: ClusterInstallValues): ClusterInstallValues {
  const { spec } = values;
  const { networking, platformType } = spec;
  const proper = PLATFORM_TYPES.find((type) => type.toLowerCase() === platformType) ?? platformType;
  return {
    ...values,
    spec: {
      ...spec,
      platformType: proper,
      networking: {
        ...networking,
        networkType: networking.networkType || 'OVNKubernetes',
        userManagedNetworking: networking.userManagedNetworking ?? (proper === 'None' || proper === 'External'),
      },
    },
  };
}

/** Upstream accepts negative counts, and then waits for machines that never come. */
function checkCounts(counts: object, findings: Judge): void {
  for (const [name, count] of Object.entries(counts)) {
    if (typeof count !== 'number' || count >= 0) continue;
    const path = ['spec', 'provisionRequirements', name];
    const message = `${count} is not a number of machines`;
    findings.note('error', { code: 'nodes-config/machine-count', message, path, help: 'Write 0 or more.' });
  }
}

function checkClusterInstall({ spec }: ClusterInstallValues, findings: Judge): void {
  const { networking, platformType, diskEncryption, provisionRequirements } = spec;
  const networkPath = ['spec', 'networking'];
  checkCounts(provisionRequirements, findings);
  if (networking.networkType === 'OpenShiftSDN') checkSdn(networking, findings);
  if (networking.networkType === 'OVNKubernetes') {
    const machines = provisionRequirements.controlPlaneAgents + provisionRequirements.workerAgents;
    checkClusterNetworks(networking.clusterNetwork, machines, findings);
  }
  if (platformType !== '' && !PLATFORM_TYPES.includes(platformType)) {
    const path = ['spec', 'platformType'];
    const message = unsupported(path, platformType, PLATFORM_TYPES);
    const help = `Write one of ${PLATFORM_TYPES.join(', ')}.`;
    findings.upstream('platform', { code: 'nodes-config/platform', message, path, help });
  }
  if ((platformType === 'None' || platformType === 'External') && networking.userManagedNetworking === false) {
    const path = [...networkPath, 'userManagedNetworking'];
    const message = forbidden(path, `${platformType} platform requires user-managed networking`);
    findings.upstream('platform', { code: 'nodes-config/platform', message, path, help: 'Remove it.' });
  }
  if (diskEncryption === undefined) return;
  const choices = [
    { name: 'enableOn', value: diskEncryption.enableOn, known: ['none', 'all', 'masters', 'workers'] },
    { name: 'mode', value: diskEncryption.mode, known: ['tpmv2', 'tang'] },
  ];
  for (const { name, value, known } of choices) {
    if (known.includes(value)) continue;
    const path = ['spec', 'diskEncryption', name];
    // Go prints a nil pointer as `null`.
    const message = unsupported(path, value || 'null', known);
    findings.upstream('encryption', {
      code: 'nodes-config/disk-encryption',
      message,
      path,
      help: `Write one of ${known.join(', ')}.`,
    });
  }
}

type Networking = ClusterInstallValues['spec']['networking'];

function checkSdn({ clusterNetwork, serviceNetwork }: Networking, findings: Judge): void {
  const lists = [
    { name: 'clusterNetwork', networks: clusterNetwork.map(({ cidr }) => cidr) },
    { name: 'serviceNetwork', networks: serviceNetwork },
  ];
  const path = ['spec', 'networking', 'networkType'];
  for (const { name, networks } of lists) {
    for (const [index, network] of networks.entries()) {
      if (parseCidr(network) !== undefined) continue;
      const list = ['spec', 'networking', name];
      const message = required(list, 'error parsing the clusterNetwork CIDR');
      refuse(findings, 'network', message, [...list, index], 'Write an address and a prefix length.');
    }
    if (!networks.some((network) => parseCidr(network)?.address.version === 6)) continue;
    const detail = `${name} CIDR is IPv6 and is not compatible with networkType OpenShiftSDN`;
    refuse(findings, 'network', required(path, detail), path, 'Write OVNKubernetes.');
  }
}

function checkClusterNetworks(networks: Networking['clusterNetwork'], machines: number, findings: Judge): void {
  for (const [index, { cidr, hostPrefix }] of networks.entries()) {
    const path = ['spec', 'networking', 'clusterNetwork', index];
    const network = parseCidr(cidr);
    if (network === undefined) {
      const where = [...path, 'cidr'];
      const help = 'Write an address and a prefix length, such as 10.128.0.0/14.';
      refuse(findings, 'network', required(where, 'error parsing the clusterNetwork CIDR'), where, help);
      continue;
    }
    for (const { message, field, help } of clusterNetworkFaults(
      { network, written: cidr, hostPrefix, index },
      machines,
    ))
      refuse(findings, 'network', message, [...path, field], help);
  }
}
