import { IsoError } from '../errors.ts';
import { type ImageReference, placeOf } from './reference.ts';

/** Finds a pull secret's credentials for a place: the entry with the longest matching prefix, as in podman. */
export type FindCredentials = (reference: ImageReference) => string | undefined;

/**
 * Reads a pull secret, `.dockerconfigjson` or `auth.json`. Credentials are `user:password` in base64. Errors never
 * contain them.
 */
export function credentialsOf(pullSecret: string | undefined): FindCredentials {
  if (pullSecret === undefined) return () => undefined;
  const entries = new Map<string, string>();
  for (const [key, value] of Object.entries(authsOf(pullSecret))) {
    const auth = authOf(value);
    // Old clients wrote URLs: https://registry.example/v1/
    const place = key.replace(/^https?:\/\//, '').replace(/\/(?:v[12]\/?)?$/, '');
    if (auth !== undefined) entries.set(place, auth);
  }
  return (reference) => {
    for (let place = placeOf(reference); place !== ''; place = place.slice(0, Math.max(0, place.lastIndexOf('/')))) {
      const auth = entries.get(place);
      if (auth !== undefined) return auth;
    }
    return undefined;
  };
}

function authsOf(pullSecret: string): object {
  let value: unknown;
  try {
    value = JSON.parse(pullSecret);
  } catch {
    // The parser's message would quote the secret.
    throw pullSecretError('is not JSON');
  }
  const auths = typeof value === 'object' && value !== null && 'auths' in value ? value.auths : undefined;
  if (typeof auths !== 'object' || auths === null) throw pullSecretError('has no member auths');
  return auths;
}

function authOf(entry: unknown): string | undefined {
  if (typeof entry !== 'object' || entry === null) throw pullSecretError('has an entry that is not an object');
  const { auth, username, password } = entry as Readonly<Record<string, unknown>>;
  if (typeof auth === 'string' && auth !== '') return auth;
  if (typeof username !== 'string' || typeof password !== 'string') return undefined;
  return btoa(String.fromCharCode(...new TextEncoder().encode(`${username}:${password}`)));
}

function pullSecretError(why: string): IsoError {
  return new IsoError('ISO_REMOTE', `the pull secret ${why}`);
}
