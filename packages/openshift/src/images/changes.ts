import { stringifyConfig } from '@coreiso/ignition';
import type { ByteSource, LiveChanges } from '@coreiso/iso';
import { keyfileOf } from '@coreiso/nmstate';
import type { HostPlan } from '@coreiso/nodes-config';
import { OpenshiftError } from '../errors.ts';
import { bindToMacs } from '../join/bind-macs.ts';
import { liveConfig } from '../join/live-config.ts';
import type { NodesPlan } from '../join/strategy.ts';
import { HostConfigs } from './host-configs.ts';

/** The part of an image, or of a set of files for network boot, that differs between hosts. */
export interface BootTarget {
  /** The prefix of its file names: `node`, or the name of a host. */
  readonly prefix: string;
  /** All additions to the base in such an image; arguments that the base already has stay out of it. */
  readonly changes: LiveChanges;
}

/** A file to write; its bytes are computed when they are read. */
export interface NamedOutput {
  readonly name: string;
  readonly source: ByteSource;
}

/** The image of one host, the image of all hosts, or the files that all images share. */
export interface BuiltImage {
  /** The prefix of its file names; `undefined` for files that all images share. */
  readonly host: string | undefined;
  /** In the order of publication: a file that names others comes last. */
  readonly outputs: readonly NamedOutput[];
  /** Notes for the user, one sentence each. */
  readonly notes: readonly string[];
}

/** Makes the files that one target boots from. */
export interface ImageBuilder {
  /** Files that all targets boot from besides their own. */
  readonly shared: readonly NamedOutput[];
  make(target: BootTarget): Promise<Omit<BuiltImage, 'host'>>;
}

/** One image for all hosts: each machine finds its own profiles when it boots. */
function planChanges(plan: NodesPlan): LiveChanges {
  return { ignition: new TextEncoder().encode(stringifyConfig(liveConfig(plan))), keyfiles: [], files: [] };
}

/** The image of one host: its profiles are where the initramfs reads them, bound to the cards by their MAC addresses. */
export function hostChanges(configs: HostConfigs, host: HostPlan): LiveChanges {
  const { profiles, obstacles } = bindToMacs(host.network?.profiles ?? [], host.interfaces);
  if (obstacles.length > 0) {
    const message = `${host.name} cannot have an image of its own, because the names of interfaces are unknown there: ${obstacles.join(', ')}`;
    throw new OpenshiftError('OPENSHIFT_UNBINDABLE', message);
  }
  return { ignition: configs.of(host), keyfiles: profiles.map(keyfileOf), files: [] };
}

/** The prefix of each host's files: its name, if that is valid in a path and unique. */
export function hostPrefixes({ hosts }: NodesPlan): string[] {
  const taken = new Set<string>();
  return hosts.map(({ name }, position) => {
    // File systems that ignore letter case would keep only one of two.
    const isUsable = /^[A-Za-z0-9][A-Za-z0-9.-]*$/.test(name) && !taken.has(name.toLowerCase());
    const prefix = isUsable ? name : `host-${position}`;
    taken.add(prefix.toLowerCase());
    return prefix;
  });
}

/** The targets of a plan, each computed when it is read. */
export interface BootTargets {
  /** The prefix of each target's file names. */
  readonly names: readonly string[];
  target(position: number): BootTarget;
}

/** The file name prefix and the contents of each image or set of files for network boot. */
export function bootTargets(plan: NodesPlan, images: 'all-hosts' | 'per-host'): BootTargets {
  if (images === 'all-hosts') {
    const target = { prefix: 'node', changes: planChanges(plan) };
    return { names: [target.prefix], target: () => target };
  }
  const configs = new HostConfigs(plan);
  const names = hostPrefixes(plan);
  return {
    names,
    target(position) {
      const [host, prefix] = [plan.hosts[position], names[position]];
      if (host === undefined || prefix === undefined)
        throw new RangeError(`position must be that of a host, not ${position}`);
      return { prefix, changes: hostChanges(configs, host) };
    },
  };
}
