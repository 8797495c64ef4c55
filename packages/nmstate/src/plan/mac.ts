// MAC addresses that are copied from another interface of the document.

import type { HsrInterface, InterfaceType } from '../generated/types.ts';
import { typeOf } from '../interfaces/kinds.ts';
import type { Findings } from '../table/state-findings.ts';
import { isUp, type PlannedInterface, type PlannedInterfaces } from './planned-interfaces.ts';

/** The types that can copy a MAC address; nmstate ignores the key on others. */
export const MAC_COPIERS: ReadonlySet<InterfaceType> = new Set(['bond', 'linux-bridge', 'ovs-interface']);

export function copyMacAddresses(interfaces: PlannedInterfaces, findings: Findings): void {
  for (const planned of interfaces.kernelInterfaces()) {
    const source = planned.desired === undefined ? undefined : planned.merged['copy-mac-from'];
    if (source === undefined || !MAC_COPIERS.has(typeOf(planned.merged))) continue;
    const mac = macOf(source, planned, interfaces, findings.from([...planned.path, 'copy-mac-from']));
    if (mac !== undefined) setMac(planned, mac);
  }
}

function macOf(
  source: string,
  { merged }: PlannedInterface,
  interfaces: PlannedInterfaces,
  findings: Findings,
): string | undefined {
  const found = interfaces.names.find(source);
  if (found.length > 1) {
    findings.invalid(`copy-mac-from ${source} of iface ${merged.name} matches multiple interfaces`);
    return undefined;
  }
  const iface = found[0] === undefined ? undefined : interfaces.kernel(found[0])?.merged;
  if (iface === undefined) {
    findings.invalid(
      `Failed to find interface ${source} for copy-mac-from of iface ${merged.name}`,
      'Declare it, and `up`.',
    );
    return undefined;
  }
  const mac = iface['permanent-mac-address'] || iface['mac-address'];
  if (mac) return mac;
  findings.invalid(
    `Failed to find mac address of interface ${source} for copy-mac-from of iface ${merged.name}`,
    `Add the \`mac-address\` of ${source}: without a host to ask it must be in the state.`,
  );
  return undefined;
}

/** A PRP interface and its two ports must look like one interface, so all three have the same MAC address. */
export function copyPrpMacAddresses(interfaces: PlannedInterfaces, findings: Findings): void {
  const all = interfaces.kernelInterfaces();
  for (const { desired, path } of all) {
    if (desired?.type === 'hsr' && desired.hsr?.protocol === 'prp')
      checkPrpMac(desired, interfaces, findings.from([...path, 'hsr']));
  }
  for (const { desired, merged } of all) {
    if (desired === undefined || merged.type !== 'hsr' || !isUp(merged) || merged.hsr?.protocol !== 'prp') continue;
    const mac = prpMac(merged, interfaces);
    if (mac === undefined) continue;
    for (const name of [merged.name, merged.hsr.port1, merged.hsr.port2]) {
      const planned = interfaces.kernel(name);
      if (planned === undefined) continue;
      planned.merged = { ...planned.merged, state: 'up' };
      if (planned.apply !== undefined) planned.apply = { ...planned.apply, state: 'up' };
      setMac(planned, mac);
    }
  }
}

function checkPrpMac(iface: HsrInterface, interfaces: PlannedInterfaces, findings: Findings): void {
  const ports = [iface.hsr?.port1, iface.hsr?.port2].map((name) => interfaces.find(name ?? '', undefined)?.desired);
  const macs = [iface, ...ports].flatMap((entry) => entry?.['mac-address'] ?? []);
  if (new Set(macs).size > 1)
    findings.invalid(`HSR ports on interface ${iface.name} cannot have different MAC addresses`);
}

function prpMac(iface: HsrInterface, interfaces: PlannedInterfaces): string | undefined {
  const [first, second] = [iface.hsr?.port1, iface.hsr?.port2].map((name) => interfaces.kernel(name ?? '')?.merged);
  return (
    iface['mac-address'] ??
    first?.['mac-address'] ??
    second?.['mac-address'] ??
    first?.['permanent-mac-address'] ??
    second?.['permanent-mac-address']
  );
}

function setMac(planned: PlannedInterface, mac: string): void {
  if (planned.apply !== undefined) planned.apply = { ...planned.apply, 'mac-address': mac };
}
