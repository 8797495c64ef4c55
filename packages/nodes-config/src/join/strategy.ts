import type { ConfigParts } from '@coreiso/ignition';
import type { JoinName } from '../hosts/joining.ts';
import type { HostPlans } from '../hosts/plan.ts';

/** One way of joining. */
export interface JoinStrategy {
  readonly name: JoinName;
  /** What it adds to the live system. */
  parts(plan: HostPlans): Pick<ConfigParts, 'files' | 'units'>;
}
