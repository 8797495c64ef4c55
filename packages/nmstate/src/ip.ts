// IP addresses as text, as Rust's standard library reads and prints them. The only file that knows `ip-address`.
import { Address4, Address6 } from 'ip-address';

const IPV4_BITS = 32;
const IPV6_BITS = 128;

/** An address as a number of 32 or 128 bits. */
export interface IpAddress {
  readonly version: 4 | 6;
  readonly value: bigint;
}

/** Reads one address: no zone, no prefix length, no leading zeros in IPv4. */
export function parseAddress(text: string): IpAddress | undefined {
  const isIpv6 = text.includes(':');
  // The library would read a zone and a prefix length as well.
  if (!(isIpv6 ? /^[0-9a-fA-F:.]+$/ : /^[0-9.]+$/).test(text)) return undefined;
  try {
    const address = isIpv6 ? new Address6(text) : new Address4(text);
    return { version: isIpv6 ? 6 : 4, value: address.bigInt() };
  } catch {
    return undefined;
  }
}

export function formatAddress({ version, value }: IpAddress): string {
  if (version === 4) return Address4.fromBigInt(value).correctForm();
  // RFC 5952 section 5: an IPv4-mapped address shows its IPv4 part.
  if (value >> 32n === 0xffffn) return `::ffff:${Address4.fromBigInt(value & 0xffff_ffffn).correctForm()}`;
  return Address6.fromBigInt(value).correctForm();
}

export function canonicalAddress(text: string): string | undefined {
  const address = parseAddress(text);
  return address && formatAddress(address);
}

export function canonicalIpv6(text: string): string | undefined {
  const address = parseAddress(text);
  return address?.version === 6 ? formatAddress(address) : undefined;
}

export function canonicalIpv4(text: string): string | undefined {
  const address = parseAddress(text);
  return address?.version === 4 ? formatAddress(address) : undefined;
}

export function addressBits(version: 4 | 6): number {
  return version === 4 ? IPV4_BITS : IPV6_BITS;
}

/** The network an address lies in: its host bits cleared. */
export function networkOf(address: IpAddress, prefixLength: number): IpAddress {
  const hostBits = BigInt(addressBits(address.version) - prefixLength);
  return { version: address.version, value: (address.value >> hostBits) << hostBits };
}

/** Whether a network holds an address of the same family. */
export function contains(network: IpAddress, prefixLength: number, address: IpAddress): boolean {
  return (
    network.version === address.version &&
    networkOf(address, prefixLength).value === networkOf(network, prefixLength).value
  );
}

/** RFC 4291 section 2.5.6: fe80::/10. */
export function isLinkLocal({ version, value }: IpAddress): boolean {
  return version === 6 && value >> 118n === 0xfe80n >> 6n;
}

/** How nmstate tells the families apart wherever it does not read the address. */
export function looksLikeIpv6(text: string): boolean {
  return text.includes(':');
}
