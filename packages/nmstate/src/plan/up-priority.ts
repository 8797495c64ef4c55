import { parentOf } from '../interfaces/kinds.ts';
import type { Findings } from '../table/state-findings.ts';
import { isUp, type PlannedInterface, type PlannedInterfaces } from './planned-interfaces.ts';

const MOST_ROUNDS = 4;

/**
 * Sets the number of levels that must be up before each interface, which decides the order of profiles. nmstate computes it in
 * rounds over the declaration order, and an Open vSwitch bridge shares its number with an interface of the same name; both affect
 * the result.
 */
export function setUpPriorities(interfaces: PlannedInterfaces, findings: Findings): void {
  for (let round = 0; round < MOST_ROUNDS; round++) {
    if (setUpPrioritiesOnce(interfaces)) return;
  }
  findings.invalid(
    'Failed to set up priority: nmstate only support nested interface up to 4 levels. To support more nest level, please order the interfaces in desire state to place controller before its ports',
    'Declare controllers before their ports.',
  );
}

/** Makes one round. Returns whether every interface has its number. */
function setUpPrioritiesOnce(interfaces: PlannedInterfaces): boolean {
  const found = new Map<string, number>();
  const entries = interfaces.order.flatMap(({ name, type }) => interfaces.find(name, type) ?? []);
  const running = entries.filter(({ apply }) => apply !== undefined && isUp(apply));
  let isComplete = true;
  for (const planned of running) {
    const name = planned.apply?.controller;
    if (!name || hasPriority(planned)) continue;
    const controller = interfaces.find(name, planned.controllerType);
    if (controller?.apply === undefined) continue;
    const known = found.get(name) ?? (hasPriority(controller) ? controller.upPriority : undefined);
    if (known === undefined) isComplete = false;
    else found.set(planned.merged.name, known + 1);
  }
  if (isComplete) {
    for (const { apply, merged } of running) {
      const parent = apply === undefined ? undefined : parentOf(apply);
      if (parent === undefined) continue;
      const below = interfaces.kernel(parent);
      const known =
        found.get(parent) ?? (below?.apply !== undefined && hasPriority(below) ? below.upPriority : undefined);
      if (known !== undefined) found.set(merged.name, known + 1);
    }
  }
  for (const [name, priority] of found) {
    const planned = interfaces.kernel(name);
    if (planned !== undefined) planned.upPriority = priority;
  }
  return isComplete;
}

function hasPriority({ apply, upPriority }: PlannedInterface): boolean {
  return !apply?.controller || upPriority !== 0;
}
