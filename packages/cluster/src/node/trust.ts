// The only change to a kubeconfig: an authority of the new cluster's routes is added to those that it trusts.

import { randomBytes } from 'node:crypto';
import { rename, rm, stat, writeFile } from 'node:fs/promises';
import type { ScalarNode } from '@coreiso/diagnostics';
import { checkArgument } from '@coreiso/peers/arguments';
import { pemBlocks } from '@coreiso/peers/der';
import { bytesOfBase64 } from '@coreiso/peers/go';
import { ClusterError } from '../errors.ts';
import { readKubeconfigFile } from './kubeconfig-file.ts';
import type { Section } from './section.ts';

/**
 * Adds certificates to those that each cluster of a kubeconfig trusts, at the front and without duplicates. The rest of the file
 * stays as it is, and the file is replaced atomically.
 *
 * @example
 * await trustAuthority('auth/kubeconfig', pem);
 */
export async function trustAuthority(kubeconfig: string, pem: string): Promise<void> {
  checkArgument('pem', pem, 'text');
  if (!holdsCertificate(pem)) {
    throw refusal('ca-bundle.crt from default-ingress-cert configmap not valid PEM format');
  }
  const file = await readKubeconfigFile(kubeconfig);
  if (file === undefined) throw refusal(`there is no kubeconfig at ${kubeconfig}`);
  const { text } = file.document;
  const bundles = new Map<ScalarNode, string>();
  for (const entry of file.root?.sections('clusters') ?? []) {
    const { data, bundle } = trustOf(entry);
    if (!bundle.includes(pem.trim())) bundles.set(data, bundle);
  }
  let changed = '';
  let from = 0;
  // Entries may share one text by an alias, and have another order than their targets.
  for (const [data, bundle] of [...bundles].toSorted(([a], [b]) => a.start - b.start)) {
    const whole = Buffer.from(`${pem.trimEnd()}\n${bundle}`).toString('base64');
    changed += `${text.slice(from, data.start)}${propertiesOf(text.slice(data.start, data.end))}${whole}`;
    from = data.end;
  }
  if (from > 0) await replace(file.path, `${changed}${text.slice(from)}`);
}

/** The anchor and the tag before a value: aliases need the anchor, and the tag stays correct. */
function propertiesOf(node: string): string {
  return /^(?:[&!]\S*\s+)*/.exec(node)?.[0] ?? '';
}

function trustOf(entry: Section): { readonly data: ScalarNode; readonly bundle: string } {
  const data = entry.member('cluster')?.section('cluster').member('certificate-authority-data');
  const encoded = data?.string('certificate-authority-data');
  if (data?.node.kind !== 'scalar' || encoded === undefined) {
    const help = 'Put the certificates themselves into it: certificate-authority-data.';
    return entry.refuse('kubeconfig CertificateAuthorityData not found', help);
  }
  const bundle = new TextDecoder().decode(bytesOfBase64(encoded));
  if (!holdsCertificate(bundle)) {
    const help = 'Encode the PEM file with `base64 -w0`.';
    return data.refuse('cluster CA found in kubeconfig not valid PEM format', help);
  }
  return { data: data.node, bundle };
}

function holdsCertificate(pem: string): boolean {
  return pemBlocks(pem).some(({ label }) => label === 'CERTIFICATE');
}

function refusal(message: string): ClusterError {
  return new ClusterError('CLUSTER_KUBECONFIG', message);
}

/** The file contains the administrator's key: the new file has the old permissions from its first byte. */
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
