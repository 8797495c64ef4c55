// IP addresses as text. Rust's `IpAddr` and Go's `net.ParseIP` accept the same texts: no zone, no prefix length, no leading zeros
// in IPv4. They print IPv4-mapped addresses differently.

const IPV4_BITS = 32;
const IPV6_BITS = 128;
const GROUPS = 8;

/** An address as a number of 32 or 128 bits. */
export interface IpAddress {
  readonly version: 4 | 6;
  readonly value: bigint;
}

/**
 * Reads an address; undefined if the text is not one.
 *
 * @example parseAddress('10.0.0.1') // { version: 4, value: 0x0a000001n }
 */
export function parseAddress(text: string): IpAddress | undefined {
  const isIpv6 = looksLikeIpv6(text);
  const value = isIpv6 ? parseIpv6(text) : parseIpv4(text);
  return value === undefined ? undefined : { version: isIpv6 ? 6 : 4, value };
}

function parseIpv4(text: string): bigint | undefined {
  const octets = text.split('.');
  if (octets.length !== 4) return undefined;
  let value = 0;
  for (const octet of octets) {
    if (!/^(?:0|[1-9][0-9]{0,2})$/.test(octet) || Number(octet) > 255) return undefined;
    value = value * 256 + Number(octet);
  }
  return BigInt(value);
}

/** RFC 4291 section 2.2: groups of hexadecimal digits; `::` may replace one run of zeros; the last 32 bits may be written as IPv4. */
function parseIpv6(text: string): bigint | undefined {
  const [before = '', after, ...more] = text.split('::');
  if (more.length > 0) return undefined;
  const head = parseGroups(before, after === undefined);
  const tail = after === undefined ? [] : parseGroups(after, true);
  if (head === undefined || tail === undefined) return undefined;
  const missing = GROUPS - head.length - tail.length;
  if (after === undefined ? missing !== 0 : missing < 1) return undefined;
  return joinGroups([...head, ...new Array<number>(missing).fill(0), ...tail]);
}

function parseGroups(text: string, isEnd: boolean): number[] | undefined {
  if (text === '') return [];
  const groups: number[] = [];
  const parts = text.split(':');
  for (const [index, part] of parts.entries()) {
    if (isEnd && index === parts.length - 1 && part.includes('.')) {
      const ipv4 = parseIpv4(part);
      if (ipv4 === undefined) return undefined;
      groups.push(Number(ipv4 >> 16n), Number(ipv4 & 0xffffn));
    } else if (/^[0-9a-fA-F]{1,4}$/.test(part)) {
      groups.push(Number.parseInt(part, 16));
    } else {
      return undefined;
    }
  }
  return groups;
}

function joinGroups(groups: readonly number[]): bigint {
  return groups.reduce((value, group) => (value << 16n) | BigInt(group), 0n);
}

/**
 * Formats an address as Rust does, and as RFC 5952 requires.
 *
 * @example formatAddress({ version: 6, value: 1n }) // '::1'
 */
export function formatAddress({ version, value }: IpAddress): string {
  if (version === 4) return formatIpv4(Number(value));
  // RFC 5952 section 5: an IPv4-mapped address shows its IPv4 part.
  if (isMapped(value)) return `::ffff:${formatIpv4(Number(value & IPV4_MASK))}`;
  const groups = Array.from({ length: GROUPS }, (_, index) =>
    Number((value >> BigInt(16 * (GROUPS - 1 - index))) & 0xffffn),
  );
  const { start, length } = longestZeros(groups);
  const texts = groups.map((group) => group.toString(16));
  if (length < 2) return texts.join(':');
  return `${texts.slice(0, start).join(':')}::${texts.slice(start + length).join(':')}`;
}

function formatIpv4(value: number): string {
  return [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255].join('.');
}

/** RFC 5952 section 4.2.3: the longest run, or the first of several. */
function longestZeros(groups: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  let start = 0;
  for (const [index, group] of groups.entries()) {
    if (group !== 0) start = index + 1;
    else if (index + 1 - start > best.length) best = { start, length: index + 1 - start };
  }
  return best;
}

const IPV4_MASK = 0xffff_ffffn;

/** RFC 4291 section 2.5.5.2. */
function isMapped(value: bigint): boolean {
  return value >> 32n === 0xffffn;
}

/**
 * The text of an address as Rust prints it; undefined if the text is not an address.
 *
 * @example canonicalAddress('FE80:0::1') // 'fe80::1'
 */
export function canonicalAddress(text: string): string | undefined {
  return looksLikeIpv6(text) ? canonicalIpv6(text) : canonicalIpv4(text);
}

/**
 * The text of an address as Go's `net.IP` prints it: IPv4-mapped addresses as IPv4.
 *
 * @example canonicalAddressAsGo('::ffff:10.0.0.1') // '10.0.0.1'
 */
export function canonicalAddressAsGo(text: string): string | undefined {
  const address = parseAddress(text);
  if (address === undefined) return undefined;
  return address.version === 6 && isMapped(address.value)
    ? formatIpv4(Number(address.value & IPV4_MASK))
    : formatAddress(address);
}

/**
 * Reads an address as Go's `net.IP` compares it: IPv4-mapped addresses as IPv4.
 *
 * @example parseAddressAsGo('::ffff:10.0.0.1') // { version: 4, value: 0x0a000001n }
 */
export function parseAddressAsGo(text: string): IpAddress | undefined {
  const address = parseAddress(text);
  return address?.version === 6 && isMapped(address.value)
    ? { version: 4, value: address.value & BigInt(IPV4_MASK) }
    : address;
}

/**
 * Like `canonicalAddress`, for IPv6 only.
 *
 * @example canonicalIpv6('10.0.0.1') // undefined
 */
export function canonicalIpv6(text: string): string | undefined {
  const value = looksLikeIpv6(text) ? parseIpv6(text) : undefined;
  return value === undefined ? undefined : formatAddress({ version: 6, value });
}

/**
 * Like `canonicalAddress`, for IPv4 only, which has a single spelling.
 *
 * @example canonicalIpv4('10.0.0.01') // undefined
 */
export function canonicalIpv4(text: string): string | undefined {
  return parseIpv4(text) === undefined ? undefined : text;
}

/**
 * The number of bits in an address of a family.
 *
 * @example addressBits(4) // 32
 */
export function addressBits(version: 4 | 6): number {
  return version === 4 ? IPV4_BITS : IPV6_BITS;
}

/**
 * The network of an address: its host bits are cleared.
 *
 * @example networkOf({ version: 4, value: 0x0a000001n }, 8) // { version: 4, value: 0x0a000000n }
 */
export function networkOf(address: IpAddress, prefixLength: number): IpAddress {
  const hostBits = BigInt(addressBits(address.version) - prefixLength);
  return { version: address.version, value: (address.value >> hostBits) << hostBits };
}

/**
 * Whether an address is link-local (RFC 4291 section 2.5.6: fe80::/10).
 *
 * @example isLinkLocal({ version: 6, value: 0xfe80n << 112n }) // true
 */
export function isLinkLocal({ version, value }: IpAddress): boolean {
  return version === 6 && value >> 118n === 0xfe80n >> 6n;
}

/**
 * Whether a text has a colon. Programs that do not parse addresses recognise IPv6 by it.
 *
 * @example looksLikeIpv6('::1') // true
 */
export function looksLikeIpv6(text: string): boolean {
  return text.includes(':');
}

/** An address with its host bits, and the prefix length of its network. */
export interface Cidr {
  readonly address: IpAddress;
  readonly prefixLength: number;
}

/**
 * Reads `address/length` as Go's `net.ParseCIDR` does; undefined if the text is something else.
 *
 * @example parseCidr('10.0.0.1/8') // { address: { version: 4, value: 0x0a000001n }, prefixLength: 8 }
 */
export function parseCidr(text: string): Cidr | undefined {
  const slash = text.indexOf('/');
  const address = slash === -1 ? undefined : parseAddress(text.slice(0, slash));
  const length = text.slice(slash + 1);
  if (address === undefined || !/^[0-9]{1,3}$/.test(length) || Number(length) > addressBits(address.version))
    return undefined;
  return { address, prefixLength: Number(length) };
}

/**
 * Formats a network as Go does.
 *
 * @example formatCidr({ address: { version: 6, value: 0n }, prefixLength: 64 }) // '::/64'
 */
export function formatCidr({ address, prefixLength }: Cidr): string {
  return `${formatAddress(address)}/${prefixLength}`;
}

/**
 * Whether an address lies in a network.
 *
 * @example cidrContains({ address: { version: 4, value: 0n }, prefixLength: 0 }, { version: 4, value: 1n }) // true
 */
export function cidrContains({ address, prefixLength }: Cidr, other: IpAddress): boolean {
  return (
    address.version === other.version && networkOf(address, prefixLength).value === networkOf(other, prefixLength).value
  );
}
