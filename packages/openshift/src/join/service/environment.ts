// Environment files of containers and scripts.

import { mirroredRegistries, releaseImageMirror } from '@coreiso/nodes-config';
import { canonicalAddress } from '@coreiso/peers/ip';
import { OpenshiftError } from '../../errors.ts';
import { oneLine } from '../live-files.ts';
import { releaseEntry } from './release-entry.ts';
import type { CommonSettings } from './service-settings.ts';

/** The default registry of images without a mirror. */
const DEFAULT_REGISTRY = 'quay.io';
const PORTS = { service: 8090, images: 8888, pages: 3001 } as const;

type Variables = Readonly<Record<string, string>>;

type HostSettings = Pick<CommonSettings, 'workflow' | 'credentials' | 'authentication'>;

export function rendezvousHostEnv(settings: HostSettings & { readonly rendezvousAddress: string }): string {
  const { rendezvousAddress } = settings;
  if (canonicalAddress(rendezvousAddress) === undefined) throw new TypeError('rendezvousAddress must be an IP address');
  const host = rendezvousAddress.includes(':') ? `[${rendezvousAddress}]` : rendezvousAddress;
  return hostEnv(rendezvousAddress, host, settings);
}

/** The program on the console inserts the address here, in brackets if it is IPv6. */
export function rendezvousHostTemplate(settings: CommonSettings): string {
  const address = '{{.RendezvousIP}}';
  return hostEnv(address, `{{if isIPv6 .RendezvousIP}}[${address}]{{else}}${address}{{end}}`, settings);
}

function hostEnv(address: string, host: string, { workflow, credentials, authentication }: HostSettings): string {
  const url = (port: number): string => `http://${host}:${port}/`;
  const { agent, user } = authentication === 'none' ? { agent: 'none', user: 'none' } : credentials.tokens;
  return `# Where machines find the service of the installation.\n${environmentText({
    NODE_ZERO_IP: address,
    SERVICE_BASE_URL: url(PORTS.service),
    IMAGE_SERVICE_BASE_URL: url(PORTS.images),
    PULL_SECRET_TOKEN: agent,
    USER_AUTH_TOKEN: user,
    WORKFLOW_TYPE: workflow,
    AIUI_APP_API_URL: url(PORTS.service),
    AIUI_URL: url(PORTS.pages),
  })}`;
}

export const DATABASE_ENV: string = environmentText({
  POSTGRESQL_DATABASE: 'installer',
  POSTGRESQL_PASSWORD: 'admin',
  POSTGRESQL_USER: 'admin',
});

export function serviceEnv({
  workflow,
  architecture,
  releaseImage,
  version,
  mirrors,
  credentials,
  authentication,
}: CommonSettings): string {
  const { tokens, infraEnvId } = credentials;
  return environmentText({
    AUTH_TYPE: authentication === 'none' ? 'none' : 'agent-installer-local',
    DB_HOST: '127.0.0.1',
    DB_NAME: 'installer',
    DB_PASS: 'admin',
    DB_PORT: '5432',
    DB_USER: 'admin',
    DEPLOY_TARGET: 'onprem',
    DISK_ENCRYPTION_SUPPORT: 'true',
    DUMMY_IGNITION: 'false',
    ENABLE_SINGLE_NODE_DNSMASQ: 'true',
    EPHEMERAL_INSTALLER_CLUSTER_TLS_CERTS_OVERRIDE_DIR: '/opt/agent/tls',
    HW_VALIDATOR_REQUIREMENTS: 'TO_BE_REPLACED_BY_SYSTEMD',
    INSTALL_INVOKER: 'agent-installer',
    IPV6_SUPPORT: 'true',
    TNA_CLUSTERS_SUPPORT: 'true',
    TNF_CLUSTERS_SUPPORT: 'true',
    LOG_LEVEL: 'debug',
    NTP_DEFAULT_SERVER: '',
    PUBLIC_CONTAINER_REGISTRIES: mirroredRegistries(mirrors) || DEFAULT_REGISTRY,
    RELEASE_IMAGES: JSON.stringify([releaseEntry(releaseImage, version, architecture)]),
    OPENSHIFT_INSTALL_RELEASE_IMAGE_MIRROR: releaseImageMirror(releaseImage, mirrors),
    STORAGE: 'filesystem',
    INFRA_ENV_ID: infraEnvId,
    EC_PUBLIC_KEY_PEM: tokens.publicKey,
    USER_AUTH_TOKEN: tokens.user,
    WATCHER_AUTH_TOKEN: tokens.watcher,
    HOST_STAGE_WAITING_FOR_CONTROL_PLANE_TIMEOUT: '90m',
    // The domain of applications may have changed since the cluster was installed.
    DISABLED_HOST_VALIDATIONS: workflow === 'addnodes' ? 'apps-domain-name-resolved-correctly' : '',
  });
}

/** The image service requires the address of a live image, but never fetches it. */
export function imagesEnv({ version, architecture, osImage }: CommonSettings): string {
  const { url, version: build } = osImage ?? {
    url: `file:///coreos/coreos-${architecture}.iso`,
    version: 'unknown',
  };
  const image = { openshift_version: version, cpu_architecture: architecture, url, version: build };
  return environmentText({
    ASSISTED_SERVICE_HOST: `localhost:${PORTS.service}`,
    ASSISTED_SERVICE_SCHEME: 'http',
    OS_IMAGES: JSON.stringify([image]),
  });
}

export function startClusterEnv({ required }: CommonSettings): string {
  return environmentText({
    REQUIRED_MASTER_NODES: String(required.controlPlane),
    REQUIRED_ARBITER_NODES: String(required.arbiter),
    REQUIRED_WORKER_NODES: String(required.worker),
  });
}

/** Lines that both systemd and podman read: everything after the first `=` is the value. */
export function environmentText(variables: Variables): string {
  return Object.entries(variables)
    .map(([name, value]) => `${name}=${plainValue(oneLine(value, name), name)}\n`)
    .join('');
}

/** The release that podman runs: podman takes a name that begins with a dash for an option, and blanks end it. */
export function releaseEnv({ releaseImage }: Pick<CommonSettings, 'releaseImage'>): string {
  if (!/^[\w[][\w.:@/[\]-]*$/.test(oneLine(releaseImage, 'releaseImage'))) {
    const help = 'use the image of the ClusterVersion object';
    throw new OpenshiftError(
      'OPENSHIFT_UNUSABLE_FACTS',
      `the cluster fact releaseImage is not the name of an image: ${help}`,
    );
  }
  return environmentText({ RELEASE_IMAGE: releaseImage });
}

/** Only systemd treats backslashes as escapes, up to the line end and beyond, and drops quotes around a value. */
function plainValue(text: string, name: string): string {
  if (!/^[\s"']|\\|\s$/.test(text)) return text;
  throw new OpenshiftError(
    'OPENSHIFT_UNUSABLE_FACTS',
    `${name} has a backslash, a quote in front, or a blank at an end: systemd and podman read it differently`,
  );
}
