// Joining through the service: every machine starts it locally, imports the cluster into it, and is installed by it as any other host.

import {
  type ClusterFacts,
  mergedMirrors,
  registriesConf,
  type ServiceCredentials,
  type ServicePlan,
  servicePlan,
  type WorkerUserData,
} from '@coreiso/nodes-config';
import { goJson } from '@coreiso/peers/go';
import { OpenshiftError } from '../../errors.ts';
import { clusterSettings, PROXY_DROP_IN, REGISTRIES_CONF, writtenMirrors } from '../cluster-files.ts';
import type { LiveFile } from '../live-files.ts';
import { bootSentence, type JoinStrategy, type NodesPlan, type ProfilePlace } from '../strategy.ts';
import { environmentText } from './environment.ts';
import { serviceConfig } from './service-config.ts';
import type { ServiceSettings } from './service-settings.ts';

/** Every machine is its own service host. */
const LOCALHOST = '127.0.0.1';
const READABLE = 0o644;
const PRIVATE = 0o600;
/** Default if the architecture of the machines is unknown, as upstream guesses it. */
const DEFAULT_ARCHITECTURE = 'x86_64';

/** Without these facts the service cannot import the cluster. */
const SERVICE_FACTS = ['clusterId', 'version', 'releaseImage', 'apiServerUrl', 'pullSecret'] as const;

export const service: JoinStrategy = {
  outcome:
    'Machines that boot it start the service of the installer, which OVERWRITES the disk that their root device hints choose.',
  facts: ['workerUserData'],

  obstacle(_, cluster) {
    const missing = SERVICE_FACTS.filter((fact) => !cluster[fact]).join(', ');
    if (missing === '') return undefined;
    const help = 'read them from the cluster, or add them to the cluster facts';
    return { code: 'OPENSHIFT_MISSING_FACTS', message: `join service needs the cluster facts ${missing}: ${help}` };
  },

  prepare(config, { cluster = {}, credentials, expires }) {
    if (credentials === undefined) throw new TypeError('credentials must be given for join service');
    if (expires !== undefined && isoSeconds(expires) !== credentials.tokens.expires)
      throw new RangeError(
        'expires must be the time at which the tokens of the credentials expire: makeCredentials takes it',
      );
    return { service: servicePlan(config, cluster), credentials, expires: credentials.tokens.expires };
  },

  boots: ({ expires, service: plan }, host) => ({
    first: `${bootSentence(host)}; it starts the installer's service from the release image, and until ${expires} that service OVERWRITES the disk that fits its hints and reboots`,
    second: `from the disk it fetches its config from the cluster ${plan?.clusterName}, and reboots once more into the system of the cluster; an administrator approves its two certificate requests`,
    later:
      'from the disk it is a node of the cluster; from the image it is INSTALLED AGAIN, as long as the image has not expired',
  }),

  whole: (plan, profiles) => serviceConfig(addNodesSite(plan, profiles)),
};

/** The expiry of tokens has whole seconds. */
function isoSeconds(time: Date): string {
  if (Number.isNaN(time.getTime())) throw new RangeError('expires must be a valid Date');
  return `${time.toISOString().slice(0, 19)}Z`;
}

function addNodesSite(plan: NodesPlan, profiles: ProfilePlace): ServiceSettings {
  const { service: known, credentials, cluster, hosts } = plan;
  if (known === undefined || credentials === undefined)
    throw new OpenshiftError('OPENSHIFT_MISSING_FACTS', 'the plan has no settings of a service');
  const isChosen = profiles === 'chosen-at-boot';
  const tree = plan.files.filter(({ path }) => isChosen || !path.startsWith('/etc/assisted/network/'));
  return {
    workflow: 'addnodes',
    rendezvousAddress: LOCALHOST,
    architecture: plan.architecture ?? DEFAULT_ARCHITECTURE,
    releaseImage: known.releaseImage,
    version: known.version,
    title: `This machine becomes a node of the cluster ${known.clusterName}.`,
    required: { controlPlane: 0, arbiter: 0, worker: hosts.length },
    imageType: 'full-iso',
    mirrors: mergedMirrors(writtenMirrors(cluster)),
    hasTrustBundle: (cluster.trustBundle ?? '') !== '',
    hasStaticNetwork: isChosen && hosts.some(({ network }) => network !== undefined),
    sshKey: plan.sshKey,
    files: [...tree, ...addNodesFiles(known, credentials, cluster)],
    credentials,
  };
}

function addNodesFiles(known: ServicePlan, { tokens }: ServiceCredentials, cluster: ClusterFacts): LiveFile[] {
  const config = '/etc/assisted/clusterconfig';
  return [
    ...Object.entries(known.manifests).map(([name, contents]) => ({
      path: `/etc/assisted/manifests/${name}`,
      mode: PRIVATE,
      contents,
    })),
    {
      path: '/etc/assisted/add-nodes.env',
      mode: READABLE,
      contents: environmentText({
        CLUSTER_ID: known.clusterId,
        CLUSTER_NAME: known.clusterName,
        CLUSTER_API_VIP_DNS_NAME: known.apiName,
        AUTH_TOKEN_EXPIRY: tokens.expires ?? '',
      }),
    },
    {
      path: `${config}/import-cluster-config.json`,
      mode: READABLE,
      contents: goJson({ networking: { userManagedNetworking: known.isUserManagedNetworking } }, 2),
    },
    {
      path: `${config}/worker-ignition-endpoint.json`,
      mode: READABLE,
      contents: goJson(ignitionEndpoint(cluster.workerUserData), 2),
    },
    ...settingsOf(cluster),
    { path: '/root/.docker/config.json', mode: PRIVATE, contents: known.dockerConfig },
  ];
}

/** The files of proxy and mirrors exist even if they are empty. */
function settingsOf(cluster: ClusterFacts): LiveFile[] {
  const given = clusterSettings(cluster).filter(({ path }) => path !== REGISTRIES_CONF);
  const hasProxy = given.some(({ path }) => path === PROXY_DROP_IN);
  const registries = registriesConf(writtenMirrors(cluster));
  return [
    ...given,
    ...(hasProxy ? [] : [{ path: PROXY_DROP_IN, mode: PRIVATE, contents: '[Manager]\n' }]),
    { path: REGISTRIES_CONF, mode: READABLE, contents: registries },
  ];
}

/** It is useful only with a certificate authority. */
function ignitionEndpoint(userData: WorkerUserData | undefined): object | null {
  const authority = userData?.ignition.security?.tls?.certificateAuthorities?.[0]?.source;
  if (authority == null) return null;
  const url = userData?.ignition.config?.merge?.[0]?.source ?? '';
  return { ca_certificate: authority.slice(authority.indexOf(',') + 1), url };
}
