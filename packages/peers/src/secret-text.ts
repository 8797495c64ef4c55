import { bytesOfBase64 } from './go/index.ts';
import { memberOf } from './members.ts';

/**
 * The text of a Secret's key, from `data` (base64, as the API returns it) or `stringData` (plain, as people write it). Undefined
 * if it is absent or invalid.
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
