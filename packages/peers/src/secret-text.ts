import { bytesOfBase64 } from './go/index.ts';
import { memberOf } from './members.ts';

/**
 * What a Secret has under a key: base64 as the API gives it, or plain where a person wrote it. Undefined where it is absent or
 * neither.
 *
 * @example secretText(secret, '.dockerconfigjson') ?? ''
 */
export function secretText(secret: unknown, key: string): string | undefined {
  const plain = memberOf(secret, 'stringData', key);
  if (typeof plain === 'string') return plain;
  const encoded = memberOf(secret, 'data', key);
  const bytes = typeof encoded === 'string' ? bytesOfBase64(encoded) : undefined;
  return bytes && new TextDecoder().decode(bytes);
}
