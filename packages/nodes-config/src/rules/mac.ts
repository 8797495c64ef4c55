import { parseMac } from '@coreiso/peers/go';

const NOTATION = 'Write six pairs of hexadecimal digits, as XX:XX:XX:XX:XX:XX.';
const UNICAST = 'Use the address of the network card itself: the first octet must be even.';

/**
 * Upstream's complaint about a MAC address, with help, or undefined if it accepts the address.
 *
 * @example macProblem('52:54:00')?.message // 'address 52:54:00: invalid MAC address'
 */
export function macProblem(text: string): { readonly message: string; readonly help: string } | undefined {
  const octets = parseMac(text);
  if (octets === undefined) return { message: `address ${text}: invalid MAC address`, help: NOTATION };
  if (octets.length !== 6) return { message: 'invalid MAC address', help: NOTATION };
  const isMulticast = ((octets[0] ?? 0) & 1) === 1;
  return isMulticast ? { message: 'expected unicast mac address, found multicast', help: UNICAST } : undefined;
}

/** The pattern of the service: six pairs with colons, in any letter case. */
export function isColonMac(text: string): boolean {
  return /^(?:[0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}$/.test(text);
}
