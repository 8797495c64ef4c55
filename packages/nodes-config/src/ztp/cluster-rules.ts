// Checks the cluster of a site: it has the same settings as an install config, and the service applies the same rules.

import { goName } from '@coreiso/peers/go';
import { formatCidr } from '@coreiso/peers/ip';
import type { Manifest } from '../documents/written-manifests.ts';
import type { ZtpSiteValues } from '../generated/values.ts';
import { parseInstallConfig } from '../install-config/install-config.ts';
import { clusterNetworkFaults } from '../install-config/rules/cluster-networks.ts';
import { codeOf } from '../text/codes.ts';
import type { Findings } from '../text/config-findings.ts';

/** The places in a site that values of an install config come from. */
const ORIGINS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^metadata\.name/, ['metadata', 'name']],
  [/^platform\.baremetal\.apiVIPs?/, ['apiVIPs']],
  [/^platform\.baremetal\.ingressVIPs?/, ['ingressVIPs']],
  [/^platform/, ['platform']],
  [/^controlPlane\.architecture|^compute\.architecture/, ['cpuArchitecture']],
  [/^controlPlane|^compute/, ['hosts']],
];

/** A value that passes the check of a pull secret: the site does not contain the real one. */
const SOME_SECRET = '{"auths":{"registry.example.test":{"auth":"YTpi"}}}';

/** The number of machines of each role. */
export function countsOf({ hosts }: ZtpSiteValues): { readonly masters: number; readonly workers: number } {
  const count = (role: string): number => hosts.filter((host) => host.role === role).length;
  return { masters: count('master'), workers: count('worker') };
}

export function judgeCluster(values: ZtpSiteValues, findings: Findings): void {
  const { openshiftVersion } = values;
  const outcome = parseInstallConfig(installConfigOf(values), { version: openshiftVersion });
  const isCounted = checkCounts(values, findings);
  for (const found of outcome.diagnostics) {
    const { severity, message, path, help } = found;
    // An AgentClusterInstall of a hub does not support pairs with fencing.
    if (severity !== 'error' || (!isCounted && /^(?:fencing|replicas)$/.test(String(path[1])))) continue;
    findings.own({ code: codeOf(found), message, path: originOf(path), help });
  }
  const { masters, workers } = countsOf(values);
  const networks = outcome.ok ? (outcome.value.values.networking?.clusterNetwork ?? []) : [];
  for (const [index, { cidr, hostPrefix }] of networks.entries()) {
    if (cidr === undefined) continue;
    for (const { message, help, field } of clusterNetworkFaults(
      { network: cidr, hostPrefix, index },
      masters + workers,
    ))
      findings.own({
        code: 'nodes-config/cluster-network',
        message,
        help,
        path: ['networking', 'clusterNetwork', index, field],
      });
  }
  checkRelease(values, findings);
  checkObjectNames(values, findings);
}

/** Checks the number of machines in the control plane. */
function checkCounts(values: ZtpSiteValues, findings: Findings): boolean {
  const { masters } = countsOf(values);
  if (masters === 1 || (masters >= 3 && masters <= 5)) return true;
  const message = `a control plane has 1, 3, 4 or 5 machines, not ${masters}`;
  findings.own({
    code: 'nodes-config/replicas',
    message,
    path: ['hosts'],
    help: 'Give so many hosts the role master.',
  });
  return false;
}

function originOf(path: readonly (string | number)[]): readonly (string | number)[] {
  const names = path.filter((step) => typeof step === 'string').join('.');
  const [, origin] = ORIGINS.find(([pattern]) => pattern.test(names)) ?? [];
  return origin ?? path;
}

/** The install config that the service would generate. */
function installConfigOf(values: ZtpSiteValues): object {
  const { metadata, baseDomain, platform, sshKey, cpuArchitecture, networking, apiVIPs, ingressVIPs } = values;
  const { masters, workers } = countsOf(values);
  const architecture = goName(cpuArchitecture);
  const pool = (name: string, replicas: number): object => ({ name, replicas, architecture });
  return {
    apiVersion: 'v1',
    metadata: { name: metadata.name },
    baseDomain,
    controlPlane: pool('master', masters),
    compute: [pool('worker', workers)],
    ...(networking === undefined ? {} : { networking: networkingManifest(networking) }),
    platform:
      platform === 'None' ? { none: {} } : { baremetal: { apiVIPs: [...apiVIPs], ingressVIPs: [...ingressVIPs] } },
    pullSecret: SOME_SECRET,
    ...(sshKey === '' ? {} : { sshKey }),
  };
}

/** Networks as files write them. */
export function networkingManifest(networking: NonNullable<ZtpSiteValues['networking']>): Manifest {
  const { networkType, machineNetwork, clusterNetwork, serviceNetwork } = networking;
  return {
    ...(networkType === '' ? {} : { networkType }),
    machineNetwork: machineNetwork.flatMap(({ cidr }) => (cidr === undefined ? [] : [{ cidr: formatCidr(cidr) }])),
    clusterNetwork: clusterNetwork.flatMap(({ cidr, hostPrefix }) =>
      cidr === undefined ? [] : [{ cidr: formatCidr(cidr), ...(hostPrefix === 0 ? {} : { hostPrefix }) }],
    ),
    serviceNetwork: serviceNetwork.map(formatCidr),
  };
}

/** RFC 1123 section 2.1: a label, the form of namespace names. */
const LABEL = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/;

function checkObjectNames({ metadata, service, pullSecretName }: ZtpSiteValues, findings: Findings): void {
  const names: readonly (readonly [string, readonly string[]])[] = [
    [metadata.namespace, ['metadata', 'namespace']],
    [service.namespace, ['service', 'namespace']],
    [pullSecretName, ['pullSecretName']],
  ];
  for (const [name, path] of names) {
    if (name === '' || LABEL.test(name)) continue;
    const message = `${name} cannot be the name of a ${path.at(-1) === 'namespace' ? 'namespace' : 'Secret'}`;
    const help = 'Take lower-case letters, digits and hyphens, at most 63 of them.';
    findings.own({ code: 'nodes-config/name', message, path, help });
  }
}

function checkRelease({ openshiftVersion, releaseImage }: ZtpSiteValues, findings: Findings): void {
  if (!/^\d+\.\d+\.\d+/.test(openshiftVersion)) {
    const message = `${openshiftVersion === '' ? 'nothing' : openshiftVersion} is not a version of OpenShift`;
    const help = 'Write all of it, for example 4.20.3.';
    findings.own({ code: 'nodes-config/version', message, path: ['openshiftVersion'], help });
  }
  if (!/^[^\s/]+\/\S+$/.test(releaseImage)) {
    const message = 'there is no release image to install';
    const help = 'Write quay.io/openshift-release-dev/ocp-release@sha256:…, or where its mirror is.';
    findings.own({ code: 'nodes-config/release-image', message, path: ['releaseImage'], help });
  }
}
