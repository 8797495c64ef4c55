// Why the service on the machines refuses ready-made manifests: the rules for an install config, reported at the
// lines of the manifests.
import type { Path } from '@coreiso/diagnostics';
import { type Cidr, parseCidr } from '@coreiso/peers/ip';
import { trustBundleProblem } from '../facts/trust-bundle.ts';
import type { ClusterDeploymentValues, ClusterInstallValues, InfraEnvValues } from '../generated/values.ts';
import {
  clusterNameRefusal,
  controlPlaneRefusal,
  domainRefusal,
  ntpRefusal,
  pullSecretRefusal,
  refuseAt,
  sshKeyRefusal,
} from '../rules/registration.ts';
import { type NetworkList, networkRefusal } from '../rules/registration-networks.ts';
import { noProxyRefusal, proxyRefusal } from '../rules/registration-proxy.ts';
import type { Judge } from './read-manifest.ts';

/** Checks an AgentClusterInstall; its networks are checked only if all of them can be read. */
export function refuseClusterInstall({ spec }: ClusterInstallValues, findings: Judge): void {
  refuseAt(findings, ['spec', 'sshPublicKey'], sshKeyRefusal(spec.sshPublicKey));
  refuseProxy(spec.proxy, findings);
  const { controlPlaneAgents } = spec.provisionRequirements;
  // An AgentClusterInstall does not name the architecture of the machines.
  const masters = { platform: spec.platformType.toLowerCase(), architecture: 'amd64', version: '' };
  const counts = ['spec', 'provisionRequirements', 'controlPlaneAgents'];
  refuseAt(findings, counts, controlPlaneRefusal(controlPlaneAgents, masters));
  refuseNetworks(spec, findings);
}

function refuseNetworks(spec: ClusterInstallValues['spec'], findings: Judge): void {
  const { networking, apiVIPs, ingressVIPs, apiVIP, ingressVIP, loadBalancer } = spec;
  const cidrs = (texts: readonly string[]): readonly Cidr[] => texts.flatMap((text) => parseCidr(text) ?? []);
  const refusal = networkRefusal({
    machineNetworks: cidrs(networking.machineNetwork.map(({ cidr }) => cidr)),
    clusterNetworks: cidrs(networking.clusterNetwork.map(({ cidr }) => cidr)),
    serviceNetworks: cidrs(networking.serviceNetwork),
    apiVips: oneOrMore(apiVIPs, apiVIP),
    ingressVips: oneOrMore(ingressVIPs, ingressVIP),
    hasOwnLoadBalancer: loadBalancer?.type === 'UserManaged',
  });
  if (refusal === undefined) return;
  const lists: Record<NetworkList, Path> = {
    machineNetworks: ['spec', 'networking', 'machineNetwork'],
    clusterNetworks: ['spec', 'networking', 'clusterNetwork'],
    serviceNetworks: ['spec', 'networking', 'serviceNetwork'],
    apiVips: ['spec', apiVIPs.length > 0 ? 'apiVIPs' : 'apiVIP'],
    ingressVips: ['spec', ingressVIPs.length > 0 ? 'ingressVIPs' : 'ingressVIP'],
  };
  const { list, index } = refusal;
  const isEntry = index !== undefined && !['apiVIP', 'ingressVIP'].includes(String(lists[list][1]));
  refuseAt(findings, [...lists[list], ...(isEntry ? [index] : [])], refusal);
}

/** The list, or else the older field with one address. */
export function oneOrMore(list: readonly string[], one: string): readonly string[] {
  return list.length > 0 || one === '' ? list : [one];
}

/** Checks an InfraEnv. */
export function refuseInfraEnv({ spec }: InfraEnvValues, findings: Judge): void {
  refuseAt(findings, ['spec', 'sshAuthorizedKey'], sshKeyRefusal(spec.sshAuthorizedKey));
  refuseProxy(spec.proxy, findings);
  for (const [index, source] of spec.additionalNTPSources.entries())
    refuseAt(findings, ['spec', 'additionalNTPSources', index], ntpRefusal(source));
  const problem = spec.additionalTrustBundle === '' ? undefined : trustBundleProblem(spec.additionalTrustBundle);
  if (problem?.kind !== 'too-long') return;
  const help = 'Keep the certificates of your own registries and proxies.';
  refuseAt(findings, ['spec', 'additionalTrustBundle'], { text: problem.message, help });
}

interface Proxy {
  readonly httpProxy: string;
  readonly httpsProxy: string;
  readonly noProxy: string;
}

function refuseProxy(proxy: Proxy | undefined, findings: Judge): void {
  if (proxy === undefined) return;
  refuseAt(findings, ['spec', 'proxy', 'httpProxy'], proxyRefusal('HTTP', proxy.httpProxy));
  refuseAt(findings, ['spec', 'proxy', 'httpsProxy'], proxyRefusal('HTTPS', proxy.httpsProxy));
  refuseAt(findings, ['spec', 'proxy', 'noProxy'], noProxyRefusal(proxy.noProxy));
}

/** Checks a ClusterDeployment; the platform decides whether its name may have dots. */
export function refuseDeployment({ spec }: ClusterDeploymentValues, platform: string, findings: Judge): void {
  refuseAt(findings, ['spec', 'clusterName'], clusterNameRefusal(spec.clusterName, platform.toLowerCase()));
  refuseAt(findings, ['spec', 'baseDomain'], domainRefusal(spec.clusterName, spec.baseDomain));
}

/** Checks a pull secret that the installer accepts. */
export function refusePullSecret(secret: string, path: Path, findings: Judge): void {
  refuseAt(findings, path, pullSecretRefusal(secret));
}
