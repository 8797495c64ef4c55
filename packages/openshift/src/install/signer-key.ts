import { goYaml, toPlain } from '@coreiso/diagnostics';
import { memberOf } from '@coreiso/peers/members';
import type { SignerKey } from '../credentials/keys.ts';
import { OpenshiftError } from '../errors.ts';
import { type AgentSite, requireSite } from './agent-site.ts';

/** The algorithms that the installer accepts. */
const SIZES = [2048, 3072, 4096, 5120, 6144, 7168, 8192] as const;
const CURVES = ['P-256', 'P-384', 'P-521'] as const;

/**
 * The kind of signer key in `pki` of an install config; undefined if it is not set.
 *
 * @example await makeCredentials({ clock: () => new Date(), signerKey: signerKeyOf(site) })
 */
export function signerKeyOf(site: AgentSite): SignerKey | undefined {
  requireSite(site);
  const node = site.directory.installFiles?.installConfig.values.pki;
  const pki = node && toPlain(node, goYaml);
  if (pki === undefined || pki === null) return undefined;
  const key = memberOf(pki, 'signerCertificates', 'key');
  const algorithm = memberOf(key, 'algorithm');
  // As in the installer, parameters of the other algorithm are a contradiction.
  const [rsa, ecdsa] = [memberOf(key, 'rsa'), memberOf(key, 'ecdsa')];
  if (algorithm === 'RSA' && ecdsa === undefined) {
    const asked = Number(memberOf(rsa, 'keySize') ?? 2048);
    const size = SIZES.find((one) => one === asked);
    if (size !== undefined) return { algorithm, size };
  }
  if (algorithm === 'ECDSA' && rsa === undefined) {
    const asked = String(memberOf(ecdsa, 'curve') ?? 'P384');
    const curve = CURVES.find((one) => one.replace('-', '') === asked.replace('-', ''));
    if (curve !== undefined) return { algorithm, curve };
  }
  throw new OpenshiftError(
    'OPENSHIFT_UNKNOWN_PKI',
    'pki of the install config asks for an unknown kind of key; remove it to get RSA with 2048 bits',
  );
}
