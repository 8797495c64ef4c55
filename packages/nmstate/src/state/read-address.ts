import type { Node } from '@coreiso/diagnostics';
import { canonicalAddress, canonicalIpv6 } from '../ip.ts';
import type { Reader } from './reader.ts';
import type { AddressType } from './table.ts';

/** In canonical text. */
export function readAddress({ version }: AddressType, node: Node, reader: Reader): string | undefined {
  const kind = version === 6 ? 'IPv6' : 'IP';
  const written = reader.scalar(node);
  if (typeof written !== 'string') return reader.wrongType(node, `an ${kind} address`, `${kind} address`);
  const canonical = version === 6 ? canonicalIpv6(written) : canonicalAddress(written);
  if (canonical !== undefined) return canonical;
  const message = `\`${written}\` is not an ${kind} address`;
  const cure = written.includes('/') ? 'Write the address alone; the prefix length has a key of its own.' : undefined;
  return reader.refuse(node, 'wrong-address', message, `invalid ${kind} address syntax`, cure);
}
