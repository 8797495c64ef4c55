import { hex } from '@coreiso/diagnostics/go';

/** Octets of an EUI-48, an EUI-64 and an InfiniBand address. */
const LENGTHS: ReadonlySet<number> = new Set([6, 8, 20]);

/** A MAC address in any notation that Go 1.26 reads: groups of two with colons or dashes, of four with dots, or bare digits. */
export function parseMac(text: string): Uint8Array | undefined {
  const isGrouped =
    /^[0-9a-f]{2}(?::[0-9a-f]{2})+$/i.test(text) ||
    /^[0-9a-f]{2}(?:-[0-9a-f]{2})+$/i.test(text) ||
    /^[0-9a-f]{4}(?:\.[0-9a-f]{4})+$/i.test(text);
  if (!isGrouped && !/^[0-9a-f]+$/i.test(text)) return undefined;
  const digits = text.replace(/[:.-]/g, '');
  if (digits.length % 2 === 1 || !LENGTHS.has(digits.length / 2)) return undefined;
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

const NOTATION = 'Write six pairs of hexadecimal digits, as XX:XX:XX:XX:XX:XX.';
const UNICAST = 'Use the address of the network card itself: the first octet must be even.';

/**
 * Upstream's verdict on a MAC address and what to do about it, or undefined if it has none.
 *
 * @example macProblem('52:54:00')?.message // 'address 52:54:00: invalid MAC address'
 */
export function macProblem(text: string): { readonly message: string; readonly cure: string } | undefined {
  const octets = parseMac(text);
  if (octets === undefined) return { message: `address ${text}: invalid MAC address`, cure: NOTATION };
  if (octets.length !== 6) return { message: 'invalid MAC address', cure: NOTATION };
  const isMulticast = ((octets[0] ?? 0) & 1) === 1;
  return isMulticast ? { message: 'expected unicast mac address, found multicast', cure: UNICAST } : undefined;
}

/**
 * The one notation that the boot script and the service compare: lower case, with colons.
 *
 * @example canonicalMac('52-54-00-E7-05-72') // '52:54:00:e7:05:72'
 */
export function canonicalMac(text: string): string | undefined {
  const octets = parseMac(text);
  return octets && hex(octets).replace(/..(?!$)/g, '$&:');
}

/** The pattern of the service: six pairs with colons, letter case free. */
export function isColonMac(text: string): boolean {
  return /^(?:[0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}$/.test(text);
}
