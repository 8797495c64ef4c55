// Go's net.ParseMAC.
import { hex } from './bytes.ts';

/** Octets of an EUI-48, an EUI-64 and an InfiniBand address. */
const LENGTHS: ReadonlySet<number> = new Set([6, 8, 20]);

/**
 * Reads a MAC address in every notation of Go 1.26: groups of two with colons or dashes, groups of four with dots, or bare
 * digits.
 *
 * @example parseMac('5254.00e7.0572')?.length // 6
 */
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

/**
 * A MAC address in lower case with colons, the notation that the boot script and the service compare.
 *
 * @example canonicalMac('52-54-00-E7-05-72') // '52:54:00:e7:05:72'
 */
export function canonicalMac(text: string): string | undefined {
  const octets = parseMac(text);
  return octets && hex(octets).replace(/..(?!$)/g, '$&:');
}
