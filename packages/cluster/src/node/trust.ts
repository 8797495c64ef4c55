// The one change that is made to a kubeconfig: an authority of the new cluster's routes is added to those that it trusts.
import { randomBytes } from 'node:crypto';
import { rename, rm, stat, writeFile } from 'node:fs/promises';
import { type MappingNode, member } from '@coreiso/diagnostics';
import { pemBlocks } from '@coreiso/diagnostics/der';
import { bytesOfBase64 } from '@coreiso/diagnostics/go';
import { ClusterError } from '../errors.ts';
import { type KubeconfigFile, readKubeconfigFile } from './kubeconfig-file.ts';

/**
 * Puts certificates in front of those that each cluster of a kubeconfig trusts; those that are there already are not added again.
 * Nothing else of the file changes, and it is replaced as a whole or not at all.
 *
 * @example
 * await trustAuthority('auth/kubeconfig', pem);
 */
export async function trustAuthority(kubeconfig: string, pem: string): Promise<void> {
  if (typeof pem !== 'string') throw new TypeError('pem must be the text of certificates');
  if (!holdsCertificate(pem)) {
    throw refusal('ca-bundle.crt from default-ingress-cert configmap not valid PEM format');
  }
  const file = await readKubeconfigFile(kubeconfig);
  if (file === undefined) throw refusal(`there is no kubeconfig at ${kubeconfig}`);
  const { text } = file.document;
  let changed = '';
  let from = 0;
  for (const { node } of file.items('clusters')) {
    const { data, bundle } = trustedBy(file, node);
    if (bundle.includes(pem.trim())) continue;
    const whole = Buffer.from(`${pem.trimEnd()}\n${bundle}`).toString('base64');
    changed += `${text.slice(from, data.start)}${whole}`;
    from = data.end;
  }
  if (from > 0) await replace(file.path, `${changed}${text.slice(from)}`);
}

function trustedBy(file: KubeconfigFile, entry: MappingNode) {
  const cluster = member(entry, 'cluster')?.value;
  const data = cluster?.kind === 'mapping' ? member(cluster, 'certificate-authority-data')?.value : undefined;
  if (data?.kind !== 'scalar') {
    const cure = 'Put the certificates themselves into it: certificate-authority-data.';
    return file.refuse(entry, ['clusters'], 'kubeconfig CertificateAuthorityData not found', cure);
  }
  const bundle = new TextDecoder().decode(bytesOfBase64(data.text));
  if (!holdsCertificate(bundle)) {
    const cure = 'Encode the PEM file with `base64 -w0`.';
    return file.refuse(data, ['clusters'], 'cluster CA found in kubeconfig not valid PEM format', cure);
  }
  return { data, bundle };
}

function holdsCertificate(pem: string): boolean {
  return pemBlocks(pem).some(({ label }) => label === 'CERTIFICATE');
}

function refusal(message: string): ClusterError {
  return new ClusterError('CLUSTER_KUBECONFIG', message);
}

/** The administrator's key is in it: the new file is as closed as the old from its first byte. */
async function replace(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const { mode } = await stat(path);
    await writeFile(temporary, text, { mode: mode & 0o600, flag: 'wx' });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw new ClusterError('CLUSTER_KUBECONFIG', `${path} cannot be changed: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
