import type { Path } from '@coreiso/diagnostics';
import type { Interface, InterfaceType, RouteEntry, RouteRuleEntry } from '../generated/types.ts';
import { typeOf } from '../interfaces/kinds.ts';

/** A rule on its way. */
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
  /** Lower is asked first. */
  readonly priority: number;
}

/** One interface on its way from the state to its profile. The members that change do so stage by stage. */
export interface PlannedInterface {
  /** Where it was declared, or first named. */
  readonly path: Path;
  /** What the host has before the state is applied: nothing, except for `lo`. */
  readonly current: Interface | undefined;
  /** What the user needs; undefined for `lo` unless it is declared. */
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

  /** Several only where a profile name is shared. */
  find(name: string): readonly string[] {
    if (this.#kernelNames.has(name)) return [name];
    const alternative = this.#alternatives.get(name);
    return alternative === undefined ? (this.#profiles.get(name) ?? []) : [alternative];
  }
}

/** How an entry of the declaration order is found again; the type is undefined where nmstate does not know it. */
export interface DeclaredName {
  readonly name: string;
  readonly type: InterfaceType | undefined;
}

/** Interfaces of the kernel have a name each; those outside share names across types. */
export function isUserspace(type: InterfaceType | undefined): type is 'ovs-bridge' | 'ipsec' {
  return type === 'ovs-bridge' || type === 'ipsec';
}

/** All interfaces of a plan, and the ways in which nmstate finds them. */
export class PlannedInterfaces {
  /** As declared, duplicates included: decides up priority, where DNS goes, and more. */
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

  /** The type of a kernel interface that the state tells to leave alone. */
  ignoredType(name: string): InterfaceType | undefined {
    return this.#ignored.get(name);
  }

  kernelInterfaces(): PlannedInterface[] {
    return [...this.#kernel.values()];
  }

  all(): PlannedInterface[] {
    return [...this.#userspace['ovs-bridge'].values(), ...this.#userspace.ipsec.values(), ...this.#kernel.values()];
  }

  /** The declaration order, resolved. */
  inOrder(): PlannedInterface[] {
    return this.order.flatMap(({ name, type }) => this.find(name, type) ?? []);
  }
}
