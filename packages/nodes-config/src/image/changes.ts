import { stringifyConfig } from '@coreiso/ignition';
import type { ByteSource, LiveChanges } from '@coreiso/iso';
import type { Keyfile } from '@coreiso/nmstate';
import { NodesConfigError } from '../errors.ts';
import type { HostPlan, HostPlans } from '../hosts/plan.ts';
import { type LiveConfigOptions, liveConfig } from '../join/live-config.ts';
import { bindToMacs } from './bind-macs.ts';

/** What a plan changes in a live image: the form that `edit` of `@coreiso/iso` takes. */
export interface PlanChanges {
  readonly ignition: Uint8Array;
  readonly keyfiles: readonly Keyfile[];
  /** Nothing else: what a base image may have been given before has no place in this one. */
  readonly files: readonly [];
}

/** What of an image, or of a set of files for network boot, differs between hosts. */
export interface BootTarget {
  /** What the names of its files begin with: `node`, or the name of a host. */
  readonly prefix: string;
  readonly changes: LiveChanges;
}

/** A file to write; nothing of it has been computed that reading does not need. */
export interface NamedOutput {
  readonly name: string;
  readonly source: ByteSource;
}

/** One image for all hosts: each machine finds its own profiles when it boots. */
function planChanges(plan: HostPlans): PlanChanges {
  return changesOf(plan, [], 'chosen-at-boot');
}

/** The image of one host: its profiles are where the initramfs looks, bound to the cards by their MAC addresses. */
export function hostChanges(plan: HostPlans, host: HostPlan): PlanChanges {
  const { keyfiles, obstacles } = bindToMacs(host.network?.keyfiles ?? [], host.interfaces);
  if (obstacles.length > 0) {
    const message = `${host.name} cannot have an image of its own, where interfaces have no known names: ${obstacles.join(', ')}`;
    throw new NodesConfigError('NODES_UNBINDABLE', message);
  }
  return changesOf(planOf(plan, host), keyfiles, 'in-place');
}

/** What each image, or set of files for network boot, begins its name with and holds. */
export function bootTargets(plan: HostPlans, images: 'all-hosts' | 'per-host'): BootTarget[] {
  if (images === 'all-hosts') return [{ prefix: 'node', changes: planChanges(plan) }];
  const taken = new Set<string>();
  return plan.hosts.map((host, position) => {
    // File systems that ignore letter case would keep one of two.
    const isUsable = /^[A-Za-z0-9][A-Za-z0-9.-]*$/.test(host.name) && !taken.has(host.name.toLowerCase());
    const prefix = isUsable ? host.name : `host-${position}`;
    taken.add(prefix.toLowerCase());
    return { prefix, changes: hostChanges(plan, host) };
  });
}

/** The plan of one host, with nothing in it of the others. */
function planOf(plan: HostPlans, host: HostPlan): HostPlans {
  const name = `/etc/assisted/hostnames/${host.interfaces[0]?.macAddress.toLowerCase()}`;
  const folder = `/etc/assisted/hostconfig/${host.name}/`;
  const files = plan.files.filter(({ path }) => path === name || path.startsWith(folder));
  return { ...plan, hosts: [host], files };
}

function changesOf(
  plan: HostPlans,
  keyfiles: readonly Keyfile[],
  profiles: LiveConfigOptions['profiles'],
): PlanChanges {
  const ignition = new TextEncoder().encode(stringifyConfig(liveConfig(plan, { profiles })));
  return { ignition, keyfiles, files: [] };
}
