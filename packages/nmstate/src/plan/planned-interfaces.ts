import { typeOf } from '../profiles/kinds.ts';
import type { Interface, InterfaceType } from '../state/generated/types.ts';
import { NameSearch } from './name-search.ts';
import type { PlannedInterface } from './planned-interface.ts';

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
