import { pemText } from '@coreiso/diagnostics/der';
import { encodeBase64 } from '@coreiso/diagnostics/go';
import type { ServiceTokens } from '@coreiso/nodes-config';
import { KeyPair } from './keys.ts';

const HEADER = { alg: 'ES256', typ: 'JWT' } as const;

/** The tokens of one image; the key that signs them is kept nowhere. */
export async function makeTokens(expires: Date | undefined): Promise<ServiceTokens> {
  const keys = await KeyPair.make({ algorithm: 'ECDSA', curve: 'P-256' });
  const exp = expires === undefined ? {} : { exp: Math.floor(expires.getTime() / 1000) };
  const token = async (scheme: string): Promise<string> => {
    const signed = `${part(HEADER)}.${part({ auth_scheme: scheme, ...exp })}`;
    return `${signed}.${base64Url(await keys.signRaw(new TextEncoder().encode(signed)))}`;
  };
  const publicKey = pemText('EC PUBLIC KEY', keys.publicKeyInfo);
  return {
    agent: await token('agentAuth'),
    user: await token('userAuth'),
    watcher: await token('watcherAuth'),
    publicKey: encodeBase64(new TextEncoder().encode(publicKey)),
    expires: expires === undefined ? undefined : `${expires.toISOString().slice(0, 19)}Z`,
  };
}

/** A part of a token, RFC 7519 section 3. */
function part(value: object): string {
  return base64Url(new TextEncoder().encode(JSON.stringify(value)));
}

function base64Url(bytes: Uint8Array): string {
  return encodeBase64(bytes).replace(/[+/=]/g, (digit) => ({ '+': '-', '/': '_' })[digit] ?? '');
}
