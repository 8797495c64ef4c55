import type { ServiceCredentials } from '@coreiso/nodes-config';
import { checkArgument } from '@coreiso/peers/arguments';
import { type Authority, type CertifiedKey, signAuthority, signClient, type Validity } from './certificates.ts';
import { KeyPair, type SignerKey } from './keys.ts';
import { hashPassword, makePassword } from './password.ts';
import { makeTokens } from './tokens.ts';

/** All secrets of a new cluster, as plain data: store it to make the same images again. */
export interface Credentials extends ServiceCredentials {
  /** The client certificate of `system:admin`. It is in no image. */
  readonly admin: ServiceCredentials['signers'][keyof ServiceCredentials['signers']];
  /** The password of user kubeadmin. Images contain only its hash. */
  readonly password: string;
  /** Start and end of the certificates' validity, in ISO 8601. */
  readonly validity: { readonly notBefore: string; readonly notAfter: string };
}

const TEN_YEARS = 10 * 365 * 24 * 3600 * 1000;
const TOKEN_LIFETIME = 48 * 3600 * 1000;
const DEFAULT_KEY: SignerKey = { algorithm: 'RSA', size: 2048 };

/**
 * Makes new credentials for one cluster from the platform's random numbers.
 *
 * @example const credentials = await makeCredentials({ clock: () => new Date() })
 */
export async function makeCredentials(options: {
  /** Start of the validity of certificates, and of tokens that expire. */
  readonly clock: () => Date;
  /** Tokens of `add-nodes` are valid for 48 hours; those of `install`, the default, never expire. */
  readonly workflow?: 'install' | 'add-nodes' | undefined;
  /** Expiry of the tokens, if it differs from the workflow's default. */
  readonly expires?: Date | undefined;
  /** Kind of the signers' keys (default: RSA with 2048 bits). */
  readonly signerKey?: SignerKey | undefined;
}): Promise<Credentials> {
  checkArgument('options', options, 'object');
  const { clock, workflow, expires, signerKey } = options;
  if (typeof clock !== 'function') throw new TypeError('clock must be a function that returns a Date');
  const now = new Date(Math.floor(clock().getTime() / 1000) * 1000);
  if (Number.isNaN(now.getTime())) throw new RangeError('clock must return a valid Date');
  if (expires !== undefined && Number.isNaN(expires.getTime())) throw new RangeError('expires must be a valid Date');
  const validity: Validity = { notBefore: now, notAfter: new Date(now.getTime() + TEN_YEARS) };
  const sign = async (name: keyof ServiceCredentials['signers']): Promise<[Authority, CertifiedKey]> => {
    const authority = {
      name: { unit: 'openshift', commonName: name },
      keys: await KeyPair.make(signerKey ?? DEFAULT_KEY),
    };
    return [authority, await signAuthority(authority, validity)];
  };
  const [[adminSigner, adminKubeconfig], [, lb], [, localhost], [, serviceNetwork]] = await Promise.all([
    sign('admin-kubeconfig-signer'),
    sign('kube-apiserver-lb-signer'),
    sign('kube-apiserver-localhost-signer'),
    sign('kube-apiserver-service-network-signer'),
  ]);
  const client = {
    name: { organization: 'system:masters', commonName: 'system:admin' },
    keys: await KeyPair.make(DEFAULT_KEY),
  };
  const password = makePassword();
  const end = expires ?? (workflow === 'add-nodes' ? new Date(now.getTime() + TOKEN_LIFETIME) : undefined);
  return {
    signers: {
      'admin-kubeconfig-signer': adminKubeconfig,
      'kube-apiserver-lb-signer': lb,
      'kube-apiserver-localhost-signer': localhost,
      'kube-apiserver-service-network-signer': serviceNetwork,
    },
    admin: await signClient(adminSigner, client, validity),
    password,
    passwordHash: await hashPassword(password),
    tokens: await makeTokens(end),
    infraEnvId: crypto.randomUUID(),
    validity: { notBefore: now.toISOString(), notAfter: validity.notAfter.toISOString() },
  };
}

/** Refuses credentials that this module did not make. */
export function requireCredentials(credentials: Credentials): void {
  if (credentials?.signers === undefined || credentials.tokens === undefined)
    throw new TypeError('credentials must be what makeCredentials returns');
}
