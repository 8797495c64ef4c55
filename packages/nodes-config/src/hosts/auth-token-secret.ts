// Tokens of images that add nodes are stored in a Secret of the cluster, so that a watcher can call the service on
// any of the machines.

import { writeGoYaml } from '@coreiso/diagnostics';
import { checkArgument } from '@coreiso/peers/arguments';
import { decodeBase64, encodeBase64 } from '@coreiso/peers/go';
import { textOf } from '@coreiso/peers/members';
import { collectObjects, ObjectStore } from '../facts/objects.ts';
import type { ServiceCredentials } from './service-credentials.ts';

const NAMESPACE = 'openshift-config';
const NAME = 'agent-auth-token';
/** Tokens have to be valid for at least this long to be used in an image. */
const LEAST_LIFETIME = 24 * 3600 * 1000;

/**
 * The manifest of Secret `agent-auth-token`, for an administrator to apply. Secret.
 *
 * @example await writeFile('agent-auth-token.yaml', authTokenSecret(tokens, new Date()), { mode: 0o600 })
 */
export function authTokenSecret(tokens: ServiceCredentials['tokens'], now: Date): string {
  checkArgument('tokens', tokens, 'object');
  if (!(now instanceof Date)) throw new TypeError('now must be a Date');
  const data = {
    agentAuthToken: tokens.agent,
    authTokenPublicKey: tokens.publicKey,
    userAuthToken: tokens.user,
    watcherAuthToken: tokens.watcher,
  };
  const encoded = Object.entries(data).map(([key, value]) => [key, encodeBase64(value)]);
  return writeGoYaml({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      annotations: { expiresAt: tokens.expires ?? '', updatedAt: `${now.toISOString().slice(0, 19)}Z` },
      name: NAME,
      namespace: NAMESPACE,
    },
    type: 'Opaque',
    data: Object.fromEntries(encoded),
  });
}

/**
 * The tokens of Secret `agent-auth-token`, as `oc get` prints it, or why they cannot be reused. They must be valid for another
 * day, because an image inherits the rest of their lifetime. Not an `Outcome`, because a cluster without the Secret is not a
 * mistake in a text.
 *
 * @example const reuse = reusableTokens(await readFile('agent-auth-token.yaml'), new Date())
 */
export function reusableTokens(
  objects: unknown,
  now: Date,
):
  | { readonly ok: true; readonly tokens: ServiceCredentials['tokens'] }
  | { readonly ok: false; readonly reason: string } {
  const collected = collectObjects(objects);
  const secret = collected.ok ? new ObjectStore(collected.value).find('Secret', NAME, NAMESPACE) : undefined;
  if (secret === undefined) return { ok: false, reason: `there is no Secret ${NAMESPACE}/${NAME}` };
  const value = (key: string): string => {
    const reading = decodeBase64(textOf(secret, 'data', key));
    return reading.ok ? new TextDecoder().decode(reading.bytes) : '';
  };
  const [agent, user, watcher, publicKey] = [
    value('agentAuthToken'),
    value('userAuthToken'),
    value('watcherAuthToken'),
    value('authTokenPublicKey'),
  ];
  const place = `auth token secret ${NAMESPACE}/${NAME}`;
  const refuse = (reason: string): { readonly ok: false; readonly reason: string } => ({
    ok: false,
    reason: `${place} ${reason}`,
  });
  if ([agent, user, watcher].includes(''))
    return refuse(
      'is missing one or more required keys (agentAuthToken, userAuthToken, or watcherAuthToken) or they are empty',
    );
  if (publicKey === '') return refuse('does not contain the key authTokenPublicKey or is empty');
  const expires = expiryOf(user);
  if (expires === undefined) return refuse('holds tokens without an expiry date');
  if (now.getTime() > expires.getTime() - LEAST_LIFETIME)
    return refuse(`holds tokens that are valid only until ${expires.toISOString()}`);
  return {
    ok: true,
    tokens: { agent, user, watcher, publicKey, expires: `${expires.toISOString().slice(0, 19)}Z` },
  };
}

/** The claim `exp` of a token. Its signature is not checked. */
function expiryOf(token: string): Date | undefined {
  const reading = decodeBase64(token.split('.')[1] ?? '', { alphabet: 'url', padding: 'optional' });
  try {
    const { exp } = JSON.parse(new TextDecoder().decode(reading.ok ? reading.bytes : new Uint8Array())) as {
      exp?: unknown;
    };
    return typeof exp === 'number' && Number.isSafeInteger(exp) ? new Date(exp * 1000) : undefined;
  } catch {
    return undefined;
  }
}
