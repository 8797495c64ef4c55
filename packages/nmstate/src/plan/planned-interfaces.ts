import type { Path } from '@coreiso/diagnostics';
import type { Interface, InterfaceType, RouteEntry, RouteRuleEntry } from '../generated/types.ts';
import { typeOf } from '../interfaces/kinds.ts';

/** A rule that may still lack its priority. */
export interface Rule extends RouteRuleEntry {
  readonly path: Path;
}

/** A rule ready to be written. */
export interface PlannedRule extends RouteRuleEntry {
  readonly path: Path;
  readonly priority: number | bigint;
}

export type Family = 'ipv4' | 'ipv6';

export interface PlannedDns {
  readonly servers: readonly string[];
  readonly searches: readonly string[];
  readonly options: readonly string[];
  /** Rules with a lower priority are tried first. */
  readonly priority: number;
}

/** An interface between the state and its profile. The stages of the plan change its members that are not read-only. */
export interface PlannedInterface {
  /** The path of its declaration, or of the first reference to it. */
  readonly path: Path;
  /** The interface before the state is applied: undefined, except for `lo`. */
  readonly current: Interface | undefined;
  /** The declared interface; undefined for `lo` unless it is declared. */
  desired: Interface | undefined;
  /** `desired` with missing settings from `current`. It is not sanitised, and other interfaces see this one. */
  merged: Interface;
  /** The settings for the profile; undefined while the interface has no changes. */
  apply: Interface | undefined;
  /** The type of the controller, if known. */
  controllerType: InterfaceType | undefined;
  /** The number of levels of interfaces that must be up before this one. */
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

/** Finds kernel interfaces by any of their names: kernel name, alternative name, profile name, in this order. */
class NameSearch {
  readonly #kernelNames = new Set<string>();
  readonly #alternatives = new Map<string, string>();
  readonly #profiles = new Map<string, string[]>();

  constructor(interfaces: readonly PlannedInterface[]) {
    for (const { current, desired, merged } of interfaces) {
      const isNamed = desired !== undefined && desired.identifier !== 'mac-address' && isUp(desired);
      if (current !== undefined || isNamed) this.#kernelNames.add(merged.name);
      if (isUp(merged)) {
        for (const { name, state } of merged['alt-names'] ?? []) {
          if (state !== 'absent') this.#alternatives.set(name, merged.name);
        }
      }
      const profile = merged['profile-name'];
      if (profile !== undefined) this.#addProfile(profile, merged.name);
    }
  }

  #addProfile(profile: string, name: string): void {
    const names = this.#profiles.get(profile);
    if (names === undefined) this.#profiles.set(profile, [name]);
    else names.push(name);
  }

  /** The kernel names for a name; several only if interfaces share a profile name. */
  find(name: string): readonly string[] {
    if (this.#kernelNames.has(name)) return [name];
    const alternative = this.#alternatives.get(name);
    return alternative === undefined ? (this.#profiles.get(name) ?? []) : [alternative];
  }
}

/** The key of an entry in the declaration order; the type is undefined if nmstate does not know it. */
export interface DeclaredName {
  readonly name: string;
  readonly type: InterfaceType | undefined;
}

/**
 * Whether a type is outside the kernel. Names of kernel interfaces are unique; outside the kernel names are separate for each
 * type.
 */
export function isUserspace(type: InterfaceType | undefined): type is 'ovs-bridge' | 'ipsec' {
  return type === 'ovs-bridge' || type === 'ipsec';
}

/** All interfaces of a plan, with nmstate's ways to find them. */
export class PlannedInterfaces {
  /** The declarations in order, with duplicates. It decides up priority, the interface for DNS, and more. */
  readonly order: DeclaredName[];
  readonly names: NameSearch;
  readonly #kernel = new Map<string, PlannedInterface>();
  readonly #userspace = {
    'ovs-bridge': new Map<string, PlannedInterface>(),
    ipsec: new Map<string, PlannedInterface>(),
  };
  readonly #ignored: ReadonlyMap<string, InterfaceType>;

  constructor(planned: Iterable<PlannedInterface>, order: readonly DeclaredName[], ignored: readonly Interface[]) {
    this.order = [...order];
    const inKernel = ignored.filter((iface) => !isUserspace(typeOf(iface)));
    this.#ignored = new Map(inKernel.map((iface) => [iface.name, typeOf(iface)]));
    for (const entry of planned) this.add(entry);
    this.names = new NameSearch(this.kernelInterfaces());
  }

  add(planned: PlannedInterface): void {
    const type = typeOf(planned.merged);
    const interfaces = isUserspace(type) ? this.#userspace[type] : this.#kernel;
    interfaces.set(planned.merged.name, planned);
  }

  kernel(name: string): PlannedInterface | undefined {
    return this.#kernel.get(name);
  }

  find(name: string, type: InterfaceType | undefined): PlannedInterface | undefined {
    if (isUserspace(type)) return this.#userspace[type].get(name);
    const inKernel = this.#kernel.get(name);
    return type === undefined
      ? (inKernel ?? this.#userspace['ovs-bridge'].get(name) ?? this.#userspace.ipsec.get(name))
      : inKernel;
  }

  /** A controller by name: Open vSwitch bridges come first. */
  controller(name: string): PlannedInterface | undefined {
    return this.#userspace['ovs-bridge'].get(name) ?? this.#kernel.get(name);
  }

  /** The type of a kernel interface with state `ignore`. */
  ignoredType(name: string): InterfaceType | undefined {
    return this.#ignored.get(name);
  }

  kernelInterfaces(): PlannedInterface[] {
    return [...this.#kernel.values()];
  }

  all(): PlannedInterface[] {
    return [...this.#userspace['ovs-bridge'].values(), ...this.#userspace.ipsec.values(), ...this.#kernel.values()];
  }

  /** The interfaces in declaration order. */
  inOrder(): PlannedInterface[] {
    return this.order.flatMap(({ name, type }) => this.find(name, type) ?? []);
  }
}
