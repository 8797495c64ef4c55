import type { Path } from '@coreiso/diagnostics';
import type { Interface } from '../generated/types.ts';
import type { Findings } from '../table/state-findings.ts';
import type { Fields } from '../table/table.ts';

/** A port as its controller names it. */
export interface PortReference {
  readonly name: string;
  /** Where the name stands, from the interface on. */
  readonly at: Path;
}

/** All that is special about one type of interface, except for what its profile looks like. */
export interface InterfaceKind<I extends Interface = Interface> {
  /** The name of the TypeScript type. */
  readonly name: string;
  readonly doc: string;
  /** Keys beyond those of every interface. */
  readonly fields: Fields;
  /** NetworkManager's word for it. */
  readonly connectionType: string;
  /** Whether it is there before the network is set up. */
  readonly isHardware?: true;
  /** Whether it holds ports. */
  readonly isController?: true;
  /** Whether it exists outside the kernel, so that its name may be taken twice. */
  readonly isUserspace?: true;
  /** The suffix of the connection's name. */
  readonly idSuffix?: string;
  /** The ports it names, or undefined if it says nothing about ports. */
  ports?(iface: I): readonly PortReference[] | undefined;
  /** Leaves out ports of these names, where nmstate knows how to. */
  withoutPorts?(iface: I, names: ReadonlySet<string>): I;
  /** The interface it is on. */
  parent?(iface: I): string | undefined;
  withParent?(iface: I, parent: string): I;
  /** Rules that nmstate checks before those of every interface. */
  check?(iface: I, findings: Findings): I;
  /** Rules that nmstate checks last, and what it drops or rewrites then. */
  sanitise?(iface: I, findings: Findings): I;
}

/** A list without the first entry of each name: a port that is listed twice stays once, and no one knows it then. */
export function withoutFirst<T>(entries: readonly T[], names: ReadonlySet<string>, nameOf: (entry: T) => string): T[] {
  const gone = new Set<string>();
  return entries.filter((entry) => {
    const name = nameOf(entry);
    if (!names.has(name) || gone.has(name)) return true;
    gone.add(name);
    return false;
  });
}
