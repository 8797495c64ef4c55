import type { Config, ConfigParts } from '@coreiso/ignition';
import type { BootOutline, HostPlan, HostPlans } from '@coreiso/nodes-config';

/** One way of joining. */
export interface JoinStrategy {
  /** What happens to a machine from boot to boot. */
  boots(plan: HostPlans, host: HostPlan): BootOutline;
  /** What it adds to the live system. */
  parts?(plan: HostPlans): Pick<ConfigParts, 'files' | 'units'>;
  /** All of the live system, where that is not ours but upstream's. */
  whole?(plan: HostPlans, profiles: ProfilePlace): Config;
}

/**
 * `chosen-at-boot`: the config carries the profiles of all hosts and the script that picks. `in-place`: the image of a single host has
 * them where NetworkManager looks, and the config leaves them out.
 */
export type ProfilePlace = 'chosen-at-boot' | 'in-place';
