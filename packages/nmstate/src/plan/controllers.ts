// Assigns ports to controllers: port lists of controllers and the `controller` property of ports must agree.

import type { Interface, InterfaceType, OvsInterface } from '../generated/types.ts';
import { parentOf, portsOf, typeOf } from '../interfaces/kinds.ts';
import { memoize } from '../memoize.ts';
import type { Findings } from '../table/state-findings.ts';
import { isUp, type PlannedInterface, type PlannedInterfaces, planInterface } from './planned-interfaces.ts';

/** Whether an interface can have addresses: a port cannot, unless its controller is a VRF or it belongs to Open vSwitch itself. */
export function canHoldIp(iface: Interface, controllerType: InterfaceType | undefined): boolean {
  return !iface.controller || iface.type === 'ovs-interface' || controllerType === 'vrf';
}

export function checkControllerProperties(interfaces: PlannedInterfaces, findings: Findings): void {
  const wanted = interfaces
    .kernelInterfaces()
    .filter(({ desired, merged }) => desired?.controller !== undefined && isUp(merged));
  for (const { desired, merged, path } of wanted) {
    const name = desired?.controller;
    if (!name) continue;
    const at = findings.from([...path, 'controller']);
    const controller = interfaces.controller(name);
    if (controller === undefined) {
      at.invalid(`Interface ${merged.name} desired controller ${name} not found`, `Declare ${name}.`);
      continue;
    }
    if (controller.desired !== undefined && portNamesOf(controller.desired)?.has(merged.name) === false) {
      at.invalid(
        `Interface ${merged.name} has controller ${name} but not listed in port list of controller interface`,
        `List ${merged.name} there, or leave out \`controller\`.`,
      );
    }
  }
  const owners = portOwners(interfaces);
  for (const { desired, merged, path } of wanted) {
    const owner = owners.get(merged.name);
    if (owner === undefined || owner === desired?.controller) continue;
    const message =
      desired?.controller === ''
        ? `Interface ${merged.name} desired to detach controller via controller property set to '', but still been listed as port of controller ${owner} `
        : `Interface ${merged.name} has controller property set to ${desired?.controller}, but been listed as port of controller ${owner} `;
    findings.from([...path, 'controller']).invalid(message);
  }
}

/** Cached, because many ports may have the same controller. */
const portNamesOf = memoize((controller: Interface) => {
  const ports = portsOf(controller);
  return ports && new Set(ports.map(({ name }) => name));
});

/** Port → the controller that lists it. */
function portOwners(interfaces: PlannedInterfaces): Map<string, string> {
  const owners = new Map<string, string>();
  for (const { desired, merged } of interfaces.all()) {
    if (desired === undefined || !isUp(merged)) continue;
    for (const { name } of portsOf(merged) ?? []) owners.set(name, merged.name);
  }
  return owners;
}

export function checkPortsListedTwice(interfaces: PlannedInterfaces, findings: Findings): void {
  for (const { desired, path } of interfaces.all()) {
    if (desired === undefined || !isUp(desired)) continue;
    const seen = new Set<string>();
    for (const { name, at } of portsOf(desired) ?? []) {
      if (seen.has(name) && interfaces.names.find(name).includes(name)) {
        findings
          .from([...path, ...at])
          .invalid(
            `Controller ${desired.name} (${typeOf(desired)}) has multiple ports pointing to the same kernel interface ${name}`,
          );
      }
      seen.add(name);
    }
  }
}

export function attachPorts(interfaces: PlannedInterfaces, findings: Findings): void {
  for (const { desired, merged, path } of interfaces.all()) {
    if (desired === undefined || desired.state === 'absent') continue;
    for (const { name, at } of portsOf(desired) ?? []) {
      const port = interfaces.kernel(name);
      if (port !== undefined) attach(port, merged);
      else if (merged.type === 'ovs-bridge') addInternalPort(interfaces, name, merged.name, [...path, ...at]);
      else
        findings.from([...path, ...at]).invalid(`Controller interface ${merged.name} is holding unknown port ${name}`);
    }
  }
}

function addInternalPort(
  interfaces: PlannedInterfaces,
  name: string,
  controller: string,
  path: PlannedInterface['path'],
): void {
  const iface: OvsInterface = { name, type: 'ovs-interface', state: 'up', controller };
  const planned = planInterface(path, iface, iface);
  planned.controllerType = 'ovs-bridge';
  interfaces.add(planned);
  interfaces.order.push({ name, type: 'ovs-interface' });
}

/** Attaches ports that name their controller but are not in its list. */
export function attachByProperty(interfaces: PlannedInterfaces): void {
  for (const planned of interfaces.kernelInterfaces()) {
    const { desired, merged } = planned;
    if (desired === undefined || !isUp(merged) || !desired.controller) continue;
    const controller = interfaces.controller(desired.controller)?.merged;
    if (controller !== undefined) attach(planned, controller);
  }
}

function attach(port: PlannedInterface, controller: Interface): void {
  port.controllerType = typeOf(controller);
  if (port.apply !== undefined) port.apply = { ...port.apply, controller: controller.name };
  port.merged = { ...port.merged, controller: controller.name };
  if (!canHoldIp(port.merged, port.controllerType)) port.merged = { ...port.merged, ipv4: undefined, ipv6: undefined };
}

export function checkOverbooked(interfaces: PlannedInterfaces, findings: Findings): void {
  const owners = new Map<string, string>();
  for (const { desired, merged, path } of interfaces.all()) {
    if (desired === undefined || !isUp(merged)) continue;
    for (const { name, at } of portsOf(merged) ?? []) {
      const owner = owners.get(name);
      if (owner !== undefined) {
        findings
          .from([...path, ...at])
          .invalid(`Port ${name} is overbooked by two controller: ${merged.name}, ${owner}`, 'List the port once.');
      } else {
        owners.set(name, merged.name);
      }
    }
  }
}

/** IP over InfiniBand has no Ethernet header, so only an active-backup bond can have it as a port. */
export function checkInfinibandPorts(interfaces: PlannedInterfaces, findings: Findings): void {
  for (const { desired, merged, path } of interfaces.kernelInterfaces()) {
    if (desired === undefined) continue;
    const names = (portsOf(merged) ?? []).map(({ name }) => name);
    const infiniband = names.filter((name) => interfaces.kernel(name)?.merged.type === 'infiniband');
    const isAllowed = merged.type === 'bond' && merged['link-aggregation']?.mode === 'active-backup';
    if (infiniband.length === 0 || isAllowed) continue;
    findings
      .from(path)
      .invalid(
        `InfiniBand interface ${JSON.stringify(infiniband).replaceAll(',', ', ')} cannot use as port of ${merged.name}. Only active-backup bond allowed.`,
      );
  }
}

/** Refuses interfaces on top of an absent one. A physical card always stays. */
export function checkOrphans(interfaces: PlannedInterfaces, findings: Findings): void {
  for (const { desired, merged, path } of interfaces.kernelInterfaces()) {
    const parent =
      desired === undefined || !isUp(merged) || merged.type === 'ovs-interface' ? undefined : parentOf(merged);
    const below = parent === undefined ? undefined : interfaces.kernel(parent);
    if (below?.apply === undefined || below.merged.state !== 'absent' || typeOf(below.merged) === 'ethernet') continue;
    findings
      .from(path)
      .invalid(`Interface ${merged.name} cannot be in up state as its parent ${parent} has been marked as absent`);
  }
}
