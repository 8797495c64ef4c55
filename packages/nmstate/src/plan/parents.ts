import type { Interface } from '../generated/types.ts';
import { kindOf, parentOf, typeOf } from '../interfaces/kinds.ts';
import { profileUuid } from '../keyfile/open-profile.ts';
import type { Findings } from '../table/state-findings.ts';
import { isUp, type PlannedInterfaces } from './planned-interfaces.ts';

/** Replaces profile names and alternative names of parents by kernel names. */
export function resolveParents(interfaces: PlannedInterfaces, findings: Findings): void {
  for (const planned of interfaces.kernelInterfaces()) {
    const { desired, path } = planned;
    const parent = desired === undefined || !isUp(desired) ? undefined : parentOf(desired);
    if (desired === undefined || parent === undefined) continue;
    const found = interfaces.names.find(parent);
    if (found.includes(parent)) continue;
    if (found.length > 1) {
      findings
        .from(path)
        .invalid(
          `Interface ${desired.name} (${typeOf(desired)}) defined with parent ${parent} but multiple interfaces are sharing the this profile name`,
        );
    } else if (found[0] !== undefined) {
      planned.desired = withParent(desired, found[0]);
      planned.merged = withParent(planned.merged, found[0]);
      if (planned.apply !== undefined) planned.apply = withParent(planned.apply, found[0]);
    }
  }
}

/** Refers to parents that are matched by address by the UUIDs of their profiles, because their real names are unknown. */
export function referToParentsByUuid(interfaces: PlannedInterfaces): void {
  for (const planned of interfaces.kernelInterfaces()) {
    const parent = planned.apply === undefined ? undefined : parentOf(planned.apply);
    const below = parent === undefined ? undefined : interfaces.kernel(parent)?.merged;
    if (planned.apply === undefined || below === undefined || (below.identifier ?? 'name') === 'name') continue;
    planned.apply = withParent(planned.apply, profileUuid(typeOf(below), below.name));
  }
}

function withParent(iface: Interface, parent: string): Interface {
  return kindOf(iface).withParent?.(iface, parent) ?? iface;
}
