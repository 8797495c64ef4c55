// Errors that only the service on the machines would report, after the image is made and booted.
import type { Path } from '@coreiso/diagnostics';
import { mergedMirrors } from '../../facts/mirrors.ts';
import { dividedImage, mirroredRegistries, releaseImageMirror } from '../../facts/release.ts';
import type { InstallConfigValues } from '../../generated/values.ts';
import {
  clusterNameRefusal,
  controlPlaneRefusal,
  credentialsRefusal,
  domainRefusal,
  ntpRefusal,
  pullSecretRefusal,
  type Refusal,
  sshKeyRefusal,
} from '../../rules/registration.ts';
import { type NetworkList, networkRefusal } from '../../rules/registration-networks.ts';
import { noProxyRefusal, proxyRefusal } from '../../rules/registration-proxy.ts';
import { activePlatform } from '../install-config-table.ts';
import { registryOfImage } from './mirrors.ts';
import type { RuleFindings } from './rule-findings.ts';

/** The release to install, as far as it is known. */
export interface ServiceRelease {
  readonly image: string | undefined;
  /** The architecture of the release image; undefined if it is that of the machines. */
  readonly architecture: string | undefined;
  readonly version: string;
}

/** Applies the rules of the service. */
export function checkService(values: InstallConfigValues, release: ServiceRelease, findings: RuleFindings): void {
  const { metadata, baseDomain, platform, sshKey, pullSecret, proxy, controlPlane } = values;
  const refuse = (path: Path, refusal: Refusal | undefined): void => findings.refused(path, refusal);
  refuse(['metadata', 'name'], clusterNameRefusal(metadata.name, activePlatform(platform)));
  refuse(['baseDomain'], domainRefusal(metadata.name, baseDomain));
  refuse(['sshKey'], sshKeyRefusal(sshKey));
  refuse(['pullSecret'], pullSecretRefusal(pullSecret));
  refuse(['proxy', 'httpProxy'], proxyRefusal('HTTP', proxy?.httpProxy ?? ''));
  refuse(['proxy', 'httpsProxy'], proxyRefusal('HTTPS', proxy?.httpsProxy ?? ''));
  refuse(['proxy', 'noProxy'], noProxyRefusal(proxy?.noProxy ?? ''));
  for (const [index, source] of (platform.baremetal?.additionalNTPServers ?? []).entries())
    refuse(['platform', 'baremetal', 'additionalNTPServers', index], ntpRefusal(source));
  const masters = {
    platform: activePlatform(platform),
    architecture: release.architecture ?? controlPlane?.architecture ?? '',
    version: release.version,
  };
  refuse(['controlPlane', 'replicas'], controlPlaneRefusal(controlPlane?.replicas ?? 0, masters));
  checkNetworks(values, findings);
  checkReleaseRegistries(values, release.image, findings);
}

function checkNetworks({ networking, platform }: InstallConfigValues, findings: RuleFindings): void {
  if (networking === undefined) return;
  const name = (['baremetal', 'vsphere', 'nutanix'] as const).find((one) => platform[one] !== undefined);
  const { apiVIPs = [], ingressVIPs = [] } = (name && platform[name]) ?? {};
  const refusal = networkRefusal({
    machineNetworks: networking.machineNetwork.flatMap(({ cidr }) => cidr ?? []),
    clusterNetworks: networking.clusterNetwork.flatMap(({ cidr }) => cidr ?? []),
    serviceNetworks: networking.serviceNetwork,
    apiVips: apiVIPs,
    ingressVips: ingressVIPs,
    // On other platforms, the service does not know the load balancer.
    hasOwnLoadBalancer: platform.baremetal?.loadBalancer?.type === 'UserManaged',
  });
  if (refusal === undefined) return;
  const lists: Record<NetworkList, Path> = {
    machineNetworks: ['networking', 'machineNetwork'],
    clusterNetworks: ['networking', 'clusterNetwork'],
    serviceNetworks: ['networking', 'serviceNetwork'],
    apiVips: ['platform', name ?? '', 'apiVIPs'],
    ingressVips: ['platform', name ?? '', 'ingressVIPs'],
  };
  const { list, index } = refusal;
  findings.refused([...lists[list], ...(index === undefined ? [] : [index])], refusal);
}

/** The repositories of releases, if the release image is unknown. */
const RELEASES = ['quay.io/openshift-release-dev/ocp-release', 'quay.io/okd/scos-release'];
/** The registry that needs no credentials if nothing is mirrored. */
const OPEN = 'quay.io';

/**
 * The service requires entries in the pull secret for the registries of the release and of its first mirror, whether
 * or not these require credentials.
 */
function checkReleaseRegistries(
  { imageContentSources, imageDigestSources, pullSecret }: InstallConfigValues,
  releaseImage: string | undefined,
  findings: RuleFindings,
): void {
  const name = imageDigestSources.length > 0 ? 'imageDigestSources' : 'imageContentSources';
  const entries = name === 'imageDigestSources' ? imageDigestSources : imageContentSources;
  const mirrors = mergedMirrors(entries);
  const open = (mirroredRegistries(mirrors) || OPEN).split(',');
  const images = releaseImage === undefined ? RELEASES.map((image) => `${image}:any`) : [releaseImage];
  for (const image of images) {
    const mirror = releaseImageMirror(image, mirrors);
    const index = entries.findIndex(({ source, mirrors: places }) => image.startsWith(source) && places.length > 0);
    if (mirror === '') continue;
    findings.refused([name, index, 'mirrors', 0], credentialsRefusal(registryOfImage(mirror), pullSecret, open));
    if (releaseImage !== undefined && !image.includes('@')) {
      const message = `the release image ${image} is named by its tag, and mirrors are used for digests alone: the installation fetches it from ${registryOfImage(image)}, not from ${mirror}`;
      const help = `Name the release by its digest, as \`oc adm release info\` prints it: ${dividedImage(image).source}@sha256:…`;
      findings.doubt('mirrors', message, [name, index, 'source'], help);
    }
  }
  if (releaseImage !== undefined)
    findings.refused(['pullSecret'], credentialsRefusal(registryOfImage(releaseImage), pullSecret, open));
}
