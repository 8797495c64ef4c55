import type { ServiceCredentials } from '@coreiso/nodes-config';
import { pemText } from '@coreiso/peers/der';
import { encodeBase64 } from '@coreiso/peers/go';
import { KeyPair } from './keys.ts';

const HEADER = { alg: 'ES256', typ: 'JWT' } as const;

/** The tokens of one image; the key that signs them is not stored. */
export async function makeTokens(expires: Date | undefined): Promise<ServiceCredentials['tokens']> {
  const keys = await KeyPair.make({ algorithm: 'ECDSA', curve: 'P-256' });
  const exp = expires === undefined ? {} : { exp: Math.floor(expires.getTime() / 1000) };
  const token = async (scheme: string): Promise<string> => {
    const signed = unsigned({ auth_scheme: scheme, ...exp });
    return `${signed}.${base64Url(await keys.signRaw(new TextEncoder().encode(signed)))}`;
  };
  const publicKey = pemText('EC PUBLIC KEY', keys.publicKeyInfo);
  return {
    agent: await token('agentAuth'),
    user: await token('userAuth'),
    watcher: await token('watcherAuth'),
    publicKey: encodeBase64(publicKey),
    expires: expires === undefined ? undefined : `${expires.toISOString().slice(0, 19)}Z`,
  };
}

/** Placeholder for a token that is not made yet; its signature is never valid. */
export function unsignedToken(scheme: string): string {
  return `${unsigned({ auth_scheme: scheme })}.`;
}

/** The signed part of a token, RFC 7515 section 3.1. */
function unsigned(claims: object): string {
  return [HEADER, claims].map((part) => base64Url(JSON.stringify(part))).join('.');
}

function base64Url(content: Uint8Array | string): string {
  return encodeBase64(content).replace(/[+/=]/g, (digit) => ({ '+': '-', '/': '_' })[digit] ?? '');
}
