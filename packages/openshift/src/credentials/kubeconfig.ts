import { writeGoYaml } from '@coreiso/diagnostics';
import { checkArgument } from '@coreiso/peers/arguments';
import { encodeBase64 } from '@coreiso/peers/go';
import { type Credentials, requireCredentials } from './credentials.ts';

/** Signers of the API's own certificates, in the order of the bundle. */
const SERVERS = [
  'kube-apiserver-localhost-signer',
  'kube-apiserver-service-network-signer',
  'kube-apiserver-lb-signer',
] as const;

/**
 * The text of `auth/kubeconfig`, the login of `system:admin` to the new cluster. Secret.
 *
 * @example adminKubeconfig(credentials, { name: 'reef', baseDomain: 'example.test' })
 */
export function adminKubeconfig(
  credentials: Credentials,
  cluster: { readonly name: string; readonly baseDomain: string },
): string {
  requireCredentials(credentials);
  checkArgument('cluster', cluster, 'object');
  const { name, baseDomain } = cluster;
  checkArgument('cluster.name', name, 'text');
  checkArgument('cluster.baseDomain', baseDomain, 'text');
  const bundle = SERVERS.map((signer) => credentials.signers[signer].certificate).join('');
  const { certificate, key } = credentials.admin;
  return writeGoYaml({
    clusters: [
      {
        cluster: {
          'certificate-authority-data': encodeBase64(bundle),
          server: `https://api.${name}.${baseDomain.replace(/\.$/, '')}:6443`,
        },
        name,
      },
    ],
    contexts: [{ context: { cluster: name, user: 'admin' }, name: 'admin' }],
    'current-context': 'admin',
    preferences: {},
    users: [
      {
        name: 'admin',
        user: { 'client-certificate-data': encodeBase64(certificate), 'client-key-data': encodeBase64(key) },
      },
    ],
  });
}
