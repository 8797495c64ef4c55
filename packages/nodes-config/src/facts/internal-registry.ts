// Clusters without another registry keep their release on the control plane; an InternalReleaseImage shows that. New
// nodes pull from there, by a name that resolves to the control plane, with separate credentials and a certificate
// that the cluster's root has signed.
import { isObject, memberOf, textOf } from '@coreiso/peers/members';
import { secretText } from '@coreiso/peers/secret-text';
import type { Findings } from '../text/config-findings.ts';
import type { ClusterFacts } from './facts.ts';
import type { ObjectStore } from './objects.ts';

const PORT = 22625;
const NAMESPACE = 'openshift-machine-config-operator';
const SECRET = 'internal-release-image-registry-auth';
/** The registry's user until the password is changed for the first time. */
const FIRST_USER = 'openshift';

/** The registry of a cluster that has no other one, with its credentials and authority. */
export interface InternalRegistry {
  /** `api-int.NAME.DOMAIN:22625` */
  readonly registry: string;
  /** `user:password` in base64; undefined if the cluster does not provide it. */
  readonly auth: string | undefined;
  /** PEM certificates. */
  readonly authority: string;
}

/** Reads the registry from objects; undefined if the cluster has another registry. */
export function readInternalRegistry(store: ObjectStore): InternalRegistry | undefined {
  if (store.find('InternalReleaseImage', 'cluster') === undefined) return undefined;
  const infrastructure = store.find('Infrastructure', 'cluster');
  const [internal, external] = ['apiServerInternalURI', 'apiServerURL'].map((name) =>
    hostOf(textOf(infrastructure, 'status', name)),
  );
  // If the internal name is absent, it follows from the external one.
  const host = internal || external?.replace(/^api\./, 'api-int.') || '';
  if (host === '') return undefined;
  const secret = store.find('Secret', SECRET, NAMESPACE);
  const password = secretText(secret, 'password') ?? '';
  return {
    registry: `${host}:${PORT}`,
    auth: password === '' ? undefined : base64(`${userOf(secretText(secret, 'htpasswd') ?? '')}:${password}`),
    authority: textOf(store.find('ConfigMap', 'root-ca', 'kube-system'), 'data', 'ca.crt'),
  };
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : '';
}

/** While the password changes there are two users; the new one is last. */
function userOf(htpasswd: string): string {
  const users = htpasswd.split('\n').flatMap((line) => /^([^:\s]+):/.exec(line)?.[1] ?? []);
  return users.at(-1) ?? FIRST_USER;
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

/**
 * The pull secret with the registry's credentials. Some clusters have them in their own pull secret, others only in
 * that of their nodes.
 */
export function withInternalRegistry(pullSecret: string, { registry, auth }: InternalRegistry): string {
  const secret = parsed(pullSecret);
  const auths = memberOf(secret, 'auths');
  if (auth === undefined || !isObject(secret) || !isObject(auths) || Object.hasOwn(auths, registry)) return pullSecret;
  return JSON.stringify({ ...secret, auths: { ...auths, [registry]: { auth } } });
}

/**
 * Nodes that cannot pull from the registry never join; if they can, the site's load balancer has to forward its port.
 */
export function checkInternalRegistry(
  { internalRegistry: registry, pullSecret = '' }: ClusterFacts,
  findings: Pick<Findings, 'own' | 'note'>,
): void {
  if (registry === undefined) return;
  const code = 'nodes-config/internal-registry';
  const auths = memberOf(parsed(pullSecret), 'auths');
  if (!isObject(auths) || !Object.hasOwn(auths, registry)) {
    const message = `the cluster keeps its release in a registry of its own, ${registry}, and the pull secret has no credentials for it: new nodes could not pull their system`;
    const help = `Read the facts with permission for Secret ${SECRET} in ${NAMESPACE}, or add its user and password to the pull secret as the entry ${registry}.`;
    findings.own({ code, message, help }, 'elsewhere');
    return;
  }
  const message = `the cluster keeps its release in a registry of its own: new nodes pull their system from ${registry}`;
  const help = `Make sure that they reach it: the load balancer of ${registry.replace(/:\d+$/, '')} has to forward port ${PORT} to the control plane.`;
  findings.note('info', { code, message, help }, 'elsewhere');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Its errors are reported where it is embedded.
    return undefined;
  }
}
