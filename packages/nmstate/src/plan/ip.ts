// Checks, drops and fills in IP settings of an interface as nmstate does.

import { canonicalIpv6, formatAddress, isLinkLocal, parseAddress } from '@coreiso/peers/ip';
import type { InterfaceIpAddr, InterfaceIpv4, InterfaceIpv6, LoopbackInterface } from '../generated/types.ts';
import type { Findings } from '../table/state-findings.ts';
import type { Family } from './planned-interfaces.ts';

const FOREVER = 'forever';
const USE_DEFAULT_METRIC = -1;
const HIGHEST_METRIC = 0xffff_ffff;
const TOKEN_PREFIX = '2001:db8';

type InterfaceIp = InterfaceIpv4 & InterfaceIpv6;

/** Whether addresses come from the network. */
export function isAutomatic(family: Family, ip: InterfaceIp | undefined): boolean {
  return ip?.enabled === true && (ip.dhcp === true || (family === 'ipv6' && ip.autoconf === true));
}

/** Whether the interface has only static addresses. */
export function isStatic(family: Family, ip: InterfaceIp | undefined): boolean {
  return ip?.enabled === true && !isAutomatic(family, ip) && (ip.address ?? []).length > 0;
}

/** `lo` as other interfaces see it: it keeps its current settings unless the state changes them. */
export function mergeLoopbackIp(desired: LoopbackInterface, current: LoopbackInterface): LoopbackInterface {
  return {
    ...desired,
    ipv4: { ...current.ipv4, ...orEmpty(desired.ipv4) },
    ipv6: { ...current.ipv6, ...orEmpty(desired.ipv6) },
  };
}

function orEmpty<T extends object>(values: T | undefined): Partial<T> {
  return values ?? {};
}

export function sanitiseIpv4(ip: InterfaceIpv4, findings: Findings): InterfaceIpv4 {
  const isAuto = isAutomatic('ipv4', ip);
  checkAddresses(ip.address ?? [], 4, findings.at('address'));
  const sanitised: InterfaceIpv4 = {
    ...ip,
    ...(ip.enabled === true ? {} : { dhcp: undefined, 'prefix-route-metric': undefined }),
    address: ip.enabled === true ? ip.address?.filter((entry) => !isDynamic(entry) && !isForeign(entry)) : undefined,
    forwarding: ip.enabled !== true && ip.forwarding === true ? undefined : ip.forwarding,
    'dhcp-custom-hostname': ip['dhcp-send-hostname'] === false ? undefined : ip['dhcp-custom-hostname'],
    ...(isAuto ? {} : { 'auto-route-metric': undefined }),
  };
  return ip.enabled === true ? sanitiseMetrics(sanitised, findings) : sanitised;
}

function sanitiseMetrics(ip: InterfaceIpv4, findings: Findings): InterfaceIpv4 {
  const { 'prefix-route-metric': prefix, 'auto-route-metric': auto } = ip;
  const differ = prefix !== undefined && auto !== undefined && BigInt(prefix) !== BigInt(auto);
  if (differ && prefix !== USE_DEFAULT_METRIC && auto !== USE_DEFAULT_METRIC) {
    findings
      .at('prefix-route-metric')
      .notSupported(
        `Different value of ipv4.auto-route-metric (${auto}) and ipv4.prefix-route-metric (${prefix}) are not supported yet by NetworkManager`,
        'Give both the same value, or leave one out.',
      );
  }
  for (const [key, metric] of [
    ['prefix-route-metric', prefix],
    ['auto-route-metric', auto],
  ] as const) {
    if (metric !== undefined && (metric < USE_DEFAULT_METRIC || metric > HIGHEST_METRIC)) {
      findings.at(key).invalid(`Invalid value for ipv4.${key}: ${metric}, should be in range of [-1;4294967295]`);
    }
  }
  return {
    ...ip,
    'prefix-route-metric': prefix === USE_DEFAULT_METRIC ? (auto ?? prefix) : prefix,
    'auto-route-metric': auto === USE_DEFAULT_METRIC ? (prefix ?? auto) : auto,
  };
}

export function sanitiseIpv6(ip: InterfaceIpv6, findings: Findings): InterfaceIpv6 {
  checkAddresses(ip.address ?? [], 6, findings.at('address'));
  const isEnabled = ip.enabled === true;
  return {
    ...ip,
    ...(isEnabled ? {} : { dhcp: undefined, autoconf: undefined }),
    address: isEnabled
      ? ip.address?.filter((entry) => !isDynamic(entry) && !isForeign(entry) && !isLinkLocalAddress(entry))
      : undefined,
    'dhcp-custom-hostname': ip['dhcp-send-hostname'] === false ? undefined : ip['dhcp-custom-hostname'],
    'auto-route-metric': isEnabled && ip.autoconf === false ? undefined : ip['auto-route-metric'],
    token:
      ip.token === undefined
        ? undefined
        : sanitiseToken(ip.token, isEnabled && ip.autoconf === false, findings.at('token')),
  };
}

/** Formats the interface part of an address as nmstate does: adds a network and removes it again. */
function sanitiseToken(token: string, isWithoutAutoconf: boolean, findings: Findings): string | undefined {
  const isNone = token === '' || token === '::';
  if (isWithoutAutoconf && !isNone) {
    findings.invalid(
      `Desired IPv6 token '${token}' cannot be applied with IPv6 autoconf disabled, you may remove IPv6 token by setting as empty string or \`::\``,
    );
  }
  if (isNone) return '::';
  const address = canonicalIpv6(token) === undefined ? undefined : parseAddress(token);
  if (address === undefined) {
    findings.invalid(`Desired IPv6 token '${token}' is not a valid IPv6 address: invalid IPv6 address syntax`);
    return undefined;
  }
  if (address.value >> 64n !== 0n) {
    findings.invalid(`Desired IPv6 token should be lead by 64 bits 0. But got ${token}`);
    return undefined;
  }
  const withNetwork = { version: 6, value: address.value | (0x2001_0db8n << 96n) } as const;
  return formatAddress(withNetwork).slice(TOKEN_PREFIX.length);
}

function checkAddresses(addresses: readonly InterfaceIpAddr[], version: 4 | 6, findings: Findings): void {
  const bits = version === 4 ? 32 : 128;
  const other = version === 4 ? 6 : 4;
  addresses.forEach((entry, index) => {
    if (parseAddress(entry.ip)?.version === version) return;
    findings.at(index, 'ip').invalid(`Got IPv${other} address ${addressText(entry)} in ipv${version} config section`);
  });
  addresses.forEach((entry, index) => {
    const length = entry['prefix-length'];
    if (length <= bits) return;
    findings
      .at(index, 'prefix-length')
      .invalid(`Invalid IPv${version} network prefix length '${length}', should be in the range of 0 to ${bits}`);
  });
}

function addressText(entry: InterfaceIpAddr): string {
  const text = `${entry.ip}/${entry['prefix-length']}`;
  if (!isDynamic(entry)) return text;
  return `${text} valid_life_time ${entry['valid-life-time']} preferred_lft ${entry['preferred-life-time'] ?? FOREVER}`;
}

/** Whether an address expires, so that it was not set by hand. */
function isDynamic({ 'valid-life-time': lifetime }: InterfaceIpAddr): boolean {
  return lifetime !== undefined && lifetime !== FOREVER;
}

/** Whether another program manages the address. */
function isForeign({ protocol }: InterfaceIpAddr): boolean {
  return typeof protocol === 'number';
}

function isLinkLocalAddress({ ip }: InterfaceIpAddr): boolean {
  const address = parseAddress(ip);
  return address !== undefined && isLinkLocal(address);
}
