// Makes one plan entry per interface from the list of declared ones, as nmstate does without a host: unknown types become
// ethernet, and only `lo` exists already.
import type { Path } from '@coreiso/diagnostics';
import type { EthernetInterface, Interface, LoopbackInterface } from '../generated/types.ts';
import { kindOf, portsOf, typeOf } from '../interfaces/kinds.ts';
import type { DeclaredInterface } from '../state/read-state.ts';
import type { Findings } from '../table/state-findings.ts';
import { mergeLoopbackIp } from './ip.ts';
import {
  type DeclaredName,
  isUserspace,
  type PlannedInterface,
  PlannedInterfaces,
  planInterface,
} from './planned-interfaces.ts';

const LOOPBACK: LoopbackInterface = {
  name: 'lo',
  type: 'loopback',
  state: 'up',
  ipv4: { enabled: true, address: [{ ip: '127.0.0.1', 'prefix-length': 8 }] },
  ipv6: { enabled: true, address: [{ ip: '::1', 'prefix-length': 128 }] },
};

interface Entry {
  readonly path: Path;
  readonly iface: Interface;
}

export function declareInterfaces(declared: readonly DeclaredInterface[], findings: Findings): PlannedInterfaces {
  const kept = lastOfEachName(declared).filter(({ iface }) => iface.state !== 'unknown');
  for (const { mismatches } of kept) {
    for (const { path, place, upstream, help } of mismatches) {
      findings.from(path, place).invalid(`Invalid property for ethernet interface: ${upstream}`, help);
    }
  }
  const entries = withUndeclaredPorts(kept).map(nameProfileOfMac);
  const ignored = entries.filter(({ iface }) => iface.state === 'ignore').map(({ iface }) => iface);
  const ignoredNames = new Set(ignored.filter((iface) => !isUserspace(typeOf(iface))).map(({ name }) => name));
  const planned = entries
    .filter(({ iface }) => iface.state !== 'ignore')
    .map(({ path, iface }) => planDeclared(path, withoutPorts(iface, ignoredNames), findings));
  const isLoopbackIgnored = ignoredNames.has(LOOPBACK.name);
  if (
    !isLoopbackIgnored &&
    !planned.some(({ merged }) => merged.name === LOOPBACK.name && !isUserspace(typeOf(merged)))
  ) {
    planned.push(planInterface([], undefined, LOOPBACK, LOOPBACK));
  }
  return new PlannedInterfaces(planned, declarationOrder(declared, kept), ignored);
}

/** Keeps the last of interfaces with the same name. Outside the kernel names are separate for each type. */
function lastOfEachName(declared: readonly DeclaredInterface[]): DeclaredInterface[] {
  return [...new Map(declared.map((entry) => [storageKey(entry.iface), entry])).values()];
}

function storageKey(iface: Interface): string {
  const type = typeOf(iface);
  return isUserspace(type) ? `${type}/${iface.name}` : `/${iface.name}`;
}

/** All declarations, in order, of interfaces that were kept. */
function declarationOrder(declared: readonly DeclaredInterface[], kept: readonly DeclaredInterface[]): DeclaredName[] {
  const keys = new Set(kept.map(({ iface }) => storageKey(iface)));
  return declared
    .filter(({ iface }) => keys.has(storageKey(iface)))
    .map(({ iface, isAssumed }) => ({ name: iface.name, type: isAssumed ? undefined : typeOf(iface) }));
}

function withUndeclaredPorts(declared: readonly DeclaredInterface[]): Entry[] {
  const entries: Entry[] = [...declared];
  const known = new Set(declared.filter(({ iface }) => !isUserspace(typeOf(iface))).map(({ iface }) => iface.name));
  for (const { path, iface } of declared) {
    for (const { name, at } of portsOf(iface) ?? []) {
      if (known.has(name)) continue;
      known.add(name);
      const port: EthernetInterface = { name, type: 'ethernet', state: 'up' };
      entries.push({ path: [...path, ...at], iface: port });
    }
  }
  return entries;
}

/** Gives an interface that is matched by MAC address its declared name as profile name, so that others can refer to it. */
function nameProfileOfMac({ path, iface }: Entry): Entry {
  const isMatched = iface.identifier === 'mac-address' && iface.state === 'up' && !isUserspace(typeOf(iface));
  return isMatched && iface['profile-name'] === undefined
    ? { path, iface: { ...iface, 'profile-name': iface.name } }
    : { path, iface };
}

function withoutPorts(iface: Interface, names: ReadonlySet<string>): Interface {
  const isTouched = names.size > 0 && portsOf(iface)?.some(({ name }) => names.has(name));
  return isTouched ? (kindOf(iface).withoutPorts?.(iface, names) ?? iface) : iface;
}

function planDeclared(path: Path, declared: Interface, findings: Findings): PlannedInterface {
  const iface = withPortOfEmptyBridge(declared);
  const isLoopback = iface.name === LOOPBACK.name && !isUserspace(typeOf(iface));
  if (!isLoopback) return planInterface(path, iface, iface);
  if (iface.type !== 'loopback') {
    findings
      .from(path)
      .invalid(
        `Desired interface ${iface.name} holds different interface type than current: desired ${typeOf(iface)} vs current loopback`,
        'Write `type: loopback`.',
      );
    return planInterface(path, iface, iface);
  }
  return planInterface(path, iface, mergeLoopbackIp(iface, LOOPBACK), LOOPBACK);
}

/** Adds the port that Open vSwitch gives every bridge, with the bridge's name. */
function withPortOfEmptyBridge(iface: Interface): Interface {
  if (iface.type !== 'ovs-bridge' || iface.state !== 'up' || (portsOf(iface) ?? []).length > 0) return iface;
  return { ...iface, bridge: { ...iface.bridge, port: [{ name: iface.name }] } };
}
