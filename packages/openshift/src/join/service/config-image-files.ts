// Files that a config image brings to a machine that does not know its site.
import { RENDEZVOUS_HOST } from './service-config.ts';

const TLS = '/opt/agent/tls';
const SIGNERS = [
  'admin-kubeconfig-signer',
  'kube-apiserver-lb-signer',
  'kube-apiserver-localhost-signer',
  'kube-apiserver-service-network-signer',
];

/** Upstream's list: required files, and optional directories. Units wait for the last file. */
export const CONFIG_IMAGE_FILES: readonly string[] = [
  ...['pull-secret', 'cluster-deployment', 'cluster-image-set', 'agent-cluster-install', 'infraenv'].map(
    (name) => `/etc/assisted/manifests/${name}.yaml`,
  ),
  ...['manifests', 'extra-manifests', 'hostconfig', 'hostnames', 'network'].map((name) => `/etc/assisted/${name}`),
  '/etc/NetworkManager/conf.d/clientid.conf',
  '/etc/issue',
  '/etc/systemd/system.conf.d/10-default-env.conf',
  '/root/.docker/config.json',
  '/usr/local/share/start-cluster/start-cluster.env',
  '/usr/local/share/assisted-service/assisted-service.env',
  `${TLS}/kubeadmin-password.hash`,
  ...SIGNERS.flatMap((name) => [`${TLS}/${name}.key`, `${TLS}/${name}.crt`]),
  RENDEZVOUS_HOST,
];

/** Optional settings of a site: time servers, mirrors with their authority, and a cluster that nodes are added to. */
export const CONFIG_IMAGE_OPTIONAL: readonly string[] = [
  '/etc/assisted/add-nodes.env',
  '/etc/assisted/clusterconfig',
  '/etc/chrony.conf',
  '/etc/containers/registries.conf',
  '/etc/pki/ca-trust/source/anchors/domain.crt',
];

/** Whether a file of a site's config is one of them. */
export function isOfConfigImage(path: string): boolean {
  return [...CONFIG_IMAGE_FILES, ...CONFIG_IMAGE_OPTIONAL].some((one) => path === one || path.startsWith(`${one}/`));
}
