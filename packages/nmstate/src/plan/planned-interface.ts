import type { Path } from '@coreiso/diagnostics';
import type { Interface, InterfaceType, RouteEntry } from '../state/generated/types.ts';
import type { PlannedRule } from './route-rules.ts';

export type Family = 'ipv4' | 'ipv6';

export interface PlannedDns {
  readonly servers: readonly string[];
  readonly searches: readonly string[];
  readonly options: readonly string[];
  /** Lower is asked first. */
  readonly priority: number;
}

/** One interface on its way from the state to its profile. The members that change do so stage by stage. */
export interface PlannedInterface {
  /** Where it was declared, or first named. */
  readonly path: Path;
  /** What the host has before the state is applied: nothing, except for `lo`. */
  readonly current: Interface | undefined;
  /** What the user wants; undefined for `lo` unless it is declared. */
  desired: Interface | undefined;
  /** What is wanted, filled up from what there is. Not sanitised: this is what others look at. */
  merged: Interface;
  /** What goes into the profile; undefined as long as nothing about the interface changes. */
  apply: Interface | undefined;
  /** The type of the controller, as far as it is known. */
  controllerType: InterfaceType | undefined;
  /** How many others must be up before. */
  upPriority: number;
  routes: readonly RouteEntry[];
  readonly rules: Record<Family, PlannedRule[]>;
  readonly dns: { ipv4?: PlannedDns; ipv6?: PlannedDns };
}

export function planInterface(
  path: Path,
  desired: Interface | undefined,
  merged: Interface,
  current?: Interface,
): PlannedInterface {
  return {
    path,
    current,
    desired,
    merged,
    apply: desired,
    controllerType: undefined,
    upPriority: 0,
    routes: [],
    rules: { ipv4: [], ipv6: [] },
    dns: {},
  };
}

export function isUp({ state }: Interface): boolean {
  return state === 'up';
}
