// Upstream's checks of the cluster itself. Findings have no place in the user's text.
import { checkArgument } from '@coreiso/peers/arguments';
import { parseGoUrl } from '@coreiso/peers/go';
import type { Rule } from '../text/codes.ts';
import type { Findings } from '../text/config-findings.ts';
import { unsupported } from '../text/field-errors.ts';
import type { ClusterFacts } from './facts.ts';
import { pullSecretProblem } from './pull-secret.ts';
import { expiredCertificates, trustBundleProblem } from './trust-bundle.ts';

/**
 * The architecture of the first control-plane node, as Go names it; a node with only the label `control-plane` is ignored.
 *
 * @example clusterArchitecture(facts) // 'amd64'
 */
export function clusterArchitecture(facts: ClusterFacts): string | undefined {
  checkArgument('facts', facts, 'object');
  const { nodes = [] } = facts;
  return nodes.find(({ master }) => master)?.architecture;
}

/** The first label after `api.`, or upstream's complaint. */
export function clusterName(apiServerUrl: string): { readonly name: string } | { readonly problem: string } {
  const reading = parseGoUrl(apiServerUrl);
  if (!reading.ok) return { problem: reading.message };
  const host = hostOf(apiServerUrl);
  if (host === '') return { problem: 'cannot get cluster name: API DNS name is empty' };
  const name = /^api\.([^.]+)\..*/.exec(host)?.[1];
  return name === undefined ? { problem: `cannot get cluster name from API DNS name: ${host}` } : { name };
}

/** The host part of a URL, without port and brackets. */
function hostOf(url: string): string {
  const authority = /^(?:[a-z][a-z0-9+.-]*:)?\/\/(?:[^/?#]*@)?([^/?#]*)/i.exec(url)?.[1] ?? '';
  return /^\[(.*)\](?::\d*)?$/.exec(authority)?.[1] ?? authority.replace(/:\d*$/, '');
}

/**
 * Errors that end the inspection of the cluster, in upstream's order. The architecture is checked only with a config.
 */
export function checkCluster(
  cluster: ClusterFacts,
  cpuArchitecture: string | undefined,
  findings: Findings<ClusterStep>,
): void {
  const report = reporter(findings);
  const architecture = cpuArchitecture || (clusterArchitecture(cluster) ?? '');
  if (architecture === '' && cpuArchitecture !== undefined && cluster.nodes !== undefined) {
    report(
      'cluster',
      'cluster-architecture',
      'unable to determine target cluster architecture',
      'Set `cpuArchitecture`, or list a node that has the label node-role.kubernetes.io/master.',
    );
  }
  const userData = userDataProblem(cluster);
  if (userData !== undefined)
    report('cluster', 'worker-user-data', userData, 'Export Secret worker-user-data-managed again.');
  checkNames(cluster, report);
  const platform = platformName(cluster.platform ?? '');
  const place = cpuArchitecture ? undefined : 'elsewhere';
  for (const message of platform === undefined ? [] : platformProblems(platform, architecture)) {
    findings.upstream('platform', { code: 'nodes-config/platform', message, path: ['cpuArchitecture'] }, place);
  }
}

/** Warns of certificates in the trust bundle that have expired. */
export function warnOfExpired({ trustBundle = '' }: ClusterFacts, findings: Findings<ClusterStep>): void {
  for (const message of expiredCertificates(trustBundle, new Date())) {
    const help = 'Replace the certificate in the cluster, or remove it.';
    findings.note('warning', { code: 'nodes-config/trust-bundle', message, path: ['trustBundle'], help }, 'elsewhere');
  }
}

/** Upstream's steps that check only the cluster. */
export type ClusterStep = 'cluster' | 'platform' | 'facts';

type ClusterReport = (step: ClusterStep, code: Rule, message: string, help: string) => void;

function reporter(findings: Findings<ClusterStep>): ClusterReport {
  return (step, code, message, help) =>
    findings.upstream(step, { code: `nodes-config/${code}`, message, help }, 'elsewhere');
}

function checkNames({ platform, apiServerUrl }: ClusterFacts, report: ClusterReport): void {
  if (platform !== undefined && platformName(platform) === undefined) {
    const help = 'Nodes can be added on BareMetal, VSphere, Nutanix, None and External.';
    report('cluster', 'platform', `unable to convert platform type ${platform}`, help);
  }
  const name = apiServerUrl === undefined ? undefined : clusterName(apiServerUrl);
  if (name !== undefined && 'problem' in name)
    report('cluster', 'api-server-url', name.problem, 'Use the address https://api.NAME.DOMAIN:6443.');
}

function userDataProblem({ workerUserData }: ClusterFacts): string | undefined {
  const [authority] = workerUserData?.ignition.security?.tls?.certificateAuthorities ?? [];
  if (authority === undefined) return undefined;
  if (authority.source?.includes(',') !== true)
    return 'error while parsing ignition endpoints ca certificate, invalid data url format';
  const source = workerUserData?.ignition.config?.merge?.[0]?.source;
  return source ? undefined : 'the worker user data has a certificate authority and no config to merge';
}

/** Errors that upstream finds only while it fills the image. */
export function checkEmbedded(cluster: ClusterFacts, findings: Findings<ClusterStep>): void {
  const report = reporter(findings);
  const { pullSecret, imageDigestMirrors, repositoryDigestMirrors, releaseImage, trustBundle } = cluster;
  const secret = pullSecret === undefined ? undefined : pullSecretProblem(pullSecret);
  if (secret !== undefined)
    report('facts', 'pull-secret', `invalid PullSecret configuration: ${secret.message}`, secret.help);
  if (imageDigestMirrors?.length && repositoryDigestMirrors?.length) {
    const message =
      'invalid install-config.yaml, cannot set imageContentSources and imageDigestSources at the same time';
    report('facts', 'mirrors', message, 'Keep one of the two lists; merge the other into it.');
  }
  const release = releaseImage === undefined ? undefined : releaseProblem(releaseImage);
  if (release !== undefined) report('facts', 'release-image', release, 'Use the image of the ClusterVersion object.');
  const bundle = trustBundle ? trustBundleProblem(trustBundle) : undefined;
  if (bundle !== undefined) report('facts', 'trust-bundle', bundle.message, 'Keep PEM certificates only.');
}

function releaseProblem(image: string): string | undefined {
  if (/sha256:[0-9a-f]{64}$/.test(image)) return undefined;
  const colon = image.lastIndexOf(':');
  if (colon === -1) return `invalid release image "${image}"`;
  const tag = image.slice(colon + 1);
  return tag.split('.').length < 2 ? `invalid release image version "${tag}"` : undefined;
}

/** Platforms on which nodes can be added, as the install config spells them. */
const SUPPORTED = ['baremetal', 'vsphere', 'nutanix', 'none', 'external'] as const;

/** The platform types of the Infrastructure object, and their names in an install config. */
const NAMES: Readonly<Record<string, string>> = {
  BareMetal: 'baremetal',
  VSphere: 'vsphere',
  Nutanix: 'nutanix',
  None: 'none',
  External: 'external',
  AWS: 'aws',
  Azure: 'azure',
  GCP: 'gcp',
  IBMCloud: 'ibmcloud',
  OpenStack: 'openstack',
  PowerVS: 'powervs',
};

/** Architectures that are supported only without a platform. */
const BARE_ARCHITECTURES: ReadonlySet<string> = new Set(['ppc64le', 's390x']);

/** The install config's name of a platform type, or undefined if upstream does not know the type. */
function platformName(type: string): string | undefined {
  return Object.hasOwn(NAMES, type) ? NAMES[type] : undefined;
}

/** Upstream's complaints about a platform, for nodes of an architecture (its Go name). */
function platformProblems(name: string, architecture: string): string[] {
  const problems: string[] = [];
  if (!SUPPORTED.some((supported) => supported === name)) problems.push(unsupported(['platform'], name, SUPPORTED));
  if (BARE_ARCHITECTURES.has(architecture) && name !== 'none') {
    problems.push(
      `platform: Invalid value: "${name}": CPU architecture "${architecture}" only supports platform "none".`,
    );
  }
  return problems;
}
