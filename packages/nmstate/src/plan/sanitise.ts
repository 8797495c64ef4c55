import type { BaseInterface, Interface } from '../generated/types.ts';
import { kindOf, typeOf } from '../interfaces/kinds.ts';
import type { Findings } from '../table/state-findings.ts';
import { canHoldIp } from './controllers.ts';
import { sanitiseIpv4, sanitiseIpv6 } from './ip.ts';
import { isUp, type PlannedInterface } from './planned-interfaces.ts';

const HIGHEST_MTU = 0xffff_ffff;
/** RFC 8200 section 5: the lowest MTU of IPv6. */
const LOWEST_IPV6_MTU = 1280;

/** The last check of an interface: refuses invalid settings and drops unused ones. */
export function sanitise(planned: PlannedInterface, findings: Findings): void {
  if (planned.apply === undefined) return;
  const { desired, current, controllerType } = planned;
  let iface = current === undefined ? planned.apply : withLoopbackDefaults(planned.apply, findings);
  checkMptcp(iface, findings);
  if (desired?.mtu !== undefined && desired.mtu > HIGHEST_MTU) {
    findings
      .at('mtu')
      .invalid(
        `Desired MTU ${desired.mtu} for interface ${desired.name} is bigger than maximum supported MTU ${HIGHEST_MTU}`,
      );
  }
  checkCanHoldIp(planned, iface, findings);
  const kind = kindOf(iface);
  if (planned.merged.state !== 'absent') iface = kind.check?.(iface, findings) ?? iface;
  if (isUp(iface) && controllerType === 'hsr') iface = { ...iface, ipv4: { enabled: false }, ipv6: { enabled: false } };
  iface = sanitiseBase(iface, planned, findings);
  planned.apply = kind.sanitise?.(iface, findings) ?? iface;
}

function sanitiseBase(iface: Interface, { desired, controllerType }: PlannedInterface, findings: Findings): Interface {
  const { ipv4, ipv6, mtu } = iface;
  const sanitised: Interface = {
    ...iface,
    'mac-address': iface['mac-address']?.replace(/[a-z]/g, (letter) => letter.toUpperCase()),
    ipv4: ipv4 && sanitiseIpv4(ipv4, findings.at('ipv4')),
    ipv6: ipv6 && sanitiseIpv6(ipv6, findings.at('ipv6')),
    'wait-ip': canHoldIp(iface, controllerType) ? iface['wait-ip'] : undefined,
  };
  if (ipv6?.enabled === true && mtu !== undefined && mtu < LOWEST_IPV6_MTU) {
    findings
      .at('mtu')
      .invalid(
        `MTU should be >= ${LOWEST_IPV6_MTU} when IPv6 is enabled on interface ${iface.name}, but got mtu: ${mtu}`,
      );
  }
  if (desired?.dispatch !== undefined && kindOf(iface).isUserspace) {
    findings
      .at('dispatch')
      .invalid(`User space interface ${iface.name}/${typeOf(iface)} is not allow to hold dispatch configurations`);
  }
  for (const { name, state } of iface['alt-names'] ?? []) {
    if (state !== 'absent' && name === iface.name) {
      findings.at('alt-names').invalid(`Alternative name cannot be the same with interface name ${name}`);
    }
  }
  return sanitised;
}

/** Fills in settings of `lo`, which exists already: a family without `enabled` stays as it is. */
function withLoopbackDefaults(iface: Interface, findings: Findings): Interface {
  const { ipv4, ipv6 } = iface;
  const filled: Interface = {
    ...iface,
    ipv4: ipv4 && { ...ipv4, enabled: ipv4.enabled ?? true },
    ipv6: ipv6 && { ...ipv6, enabled: ipv6.enabled ?? true },
  };
  checkWaitIp(filled, findings.at('wait-ip'));
  return filled;
}

function checkWaitIp(iface: Interface, findings: Findings): void {
  const wait: BaseInterface['wait-ip'] = iface['wait-ip'];
  for (const [family, word] of [
    ['ipv4', 'IPv4'],
    ['ipv6', 'IPv6'],
  ] as const) {
    const isAwaited = wait === family || wait === 'ipv4+ipv6';
    if (!isAwaited || iface[family]?.enabled === true) continue;
    findings.invalid(`Cannot set 'wait-ip: ${wait}' with ${word} disabled. Interface: ${iface.name}(${typeOf(iface)})`);
  }
}

function checkMptcp(iface: Interface, findings: Findings): void {
  const flags = iface.mptcp?.['address-flags'] ?? [];
  if (!flags.includes('signal') || !flags.includes('fullmesh')) return;
  findings.at('mptcp', 'address-flags').invalid("MPTCP flags mustn't have both signal and fullmesh");
}

function checkCanHoldIp(
  { desired, merged, controllerType }: PlannedInterface,
  iface: Interface,
  findings: Findings,
): void {
  if (desired === undefined || !isUp(merged) || canHoldIp(iface, controllerType)) return;
  const family = iface.ipv4?.enabled === true ? 'ipv4' : iface.ipv6?.enabled === true ? 'ipv6' : undefined;
  if (family === undefined) return;
  findings
    .at(family)
    .invalid(
      `Interface ${iface.name} cannot have IP enabled as it is attached to controller ${iface.controller} where IP is not allowed on its port`,
      `Move the addresses to ${iface.controller}.`,
    );
}
