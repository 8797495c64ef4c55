// Finds workers outside the machine networks, and other problems in the surroundings of a site's hosts.

import { formatCidr } from '@coreiso/peers/ip';
import { adviseNodes } from '../advice/advise.ts';
import type { AdvisedHost } from '../advice/host-view.ts';
import {
  disabledValidations,
  pinnedIngressController,
  SERVICE_SETTINGS_ANNOTATION,
} from '../advice/recommended-objects.ts';
import { remoteHosts } from '../advice/surroundings.ts';
import type { ClusterFacts } from '../facts/facts.ts';
import type { ZtpSiteValues } from '../generated/values.ts';
import type { Host } from '../rules/host.ts';
import { codeOf, type FindingCode } from '../text/codes.ts';
import type { Findings } from '../text/config-findings.ts';
import { topologyOf } from '../topology/topology.ts';
import { countsOf } from './cluster-rules.ts';
import type { ExtraManifest } from './extra.ts';

/** Findings that rendering solves, and those that the rules about hosts have already reported. */
const SETTLED: ReadonlySet<FindingCode> = new Set([
  'nodes-config/keepalived-on-remote-node',
  'nodes-config/unwatched-hosts',
  'nodes-config/no-default-route',
  'nodes-config/no-dns-server',
]);

/** Returns the names of remote workers, and reports problems that coreiso's manifests do not solve. */
export function judgeSurroundings(
  values: ZtpSiteValues,
  hosts: readonly Host[],
  extra: readonly ExtraManifest[],
  findings: Findings,
): ReadonlySet<string> {
  const plan = {
    hosts: hosts.map(({ hostname, path, role, networkConfig }) => ({
      name: hostname,
      path,
      role,
      network: networkConfig && { state: networkConfig },
    })),
  };
  const facts = factsOf(values);
  checkControlPlane(plan.hosts, facts, findings);
  const named = values.hosts.filter(({ remote }) => remote === true).map(({ hostname }) => hostname);
  const local = new Set(values.hosts.filter(({ remote }) => remote === false).map(({ hostname }) => hostname));
  const remote = remoteHosts(plan, facts, named).filter((name) => !local.has(name));
  const given = extra.flatMap(({ objects }) => objects);
  const manifests = remote.length === 0 ? given : [...renderedObjects(values), ...given];
  for (const found of adviseNodes(plan, facts, {
    day: 'install',
    manifests,
    remoteHosts: remote,
  })) {
    const { severity, message, path, help } = found;
    const code = codeOf(found);
    if (SETTLED.has(code)) continue;
    const at = path.length > 0 ? path : code.endsWith('node-manifest') || extra.length > 0 ? ['extraManifests'] : path;
    findings.note(severity, { code, message, path: at, help });
  }
  return new Set(remote);
}

/** The control plane keeps the virtual addresses, and has to be in their networks. */
function checkControlPlane(hosts: readonly AdvisedHost[], facts: ClusterFacts, findings: Findings): void {
  const masters = hosts.filter(({ role }) => role === 'master');
  const outside = remoteHosts({ hosts: masters.map((host) => ({ ...host, role: 'worker' })) }, facts);
  for (const { name, path } of masters) {
    if (!outside.includes(name)) continue;
    const message = `${name} belongs to the control plane and is outside every machine network`;
    const help = 'Give it an address of a machine network, or add its network to `networking.machineNetwork`.';
    findings.own({ code: 'nodes-config/machine-network', message, path: [...path, 'networkConfig'], help });
  }
}

/** The rendered objects that advice looks for; the site's own objects come after them and replace them. */
function renderedObjects({ service }: ZtpSiteValues): object[] {
  const settings = disabledValidations(service.namespace);
  const { name } = settings['metadata'] as { readonly name: string };
  const annotations = { [SERVICE_SETTINGS_ANNOTATION]: name };
  return [
    pinnedIngressController(),
    settings,
    { kind: 'AgentServiceConfig', metadata: { name: 'agent', annotations } },
  ];
}

/** The facts that the new cluster will have. */
function factsOf(values: ZtpSiteValues): ClusterFacts {
  const { metadata, baseDomain, platform, networking, apiVIPs, ingressVIPs } = values;
  const { masters, workers } = countsOf(values);
  const topology = topologyOf({ controlPlane: masters, compute: workers }, platform === 'None' ? 'none' : 'baremetal');
  const domain = `${metadata.name}.${baseDomain}`;
  return {
    platform,
    apiServerUrl: `https://api.${domain}:6443`,
    apiServerInternalUrl: `https://api-int.${domain}:6443`,
    controlPlaneTopology: topology.controlPlane,
    infrastructureTopology: topology.infrastructure,
    ingress: { domain: `apps.${domain}`, defaultPlacement: topology.ingressPlacement },
    apiVIPs,
    ingressVIPs,
    machineNetworks: (networking?.machineNetwork ?? []).flatMap(({ cidr }) =>
      cidr === undefined ? [] : [formatCidr(cidr)],
    ),
  };
}
