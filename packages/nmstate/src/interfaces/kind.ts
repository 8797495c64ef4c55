import type { Path } from '@coreiso/diagnostics';
import type { Interface } from '../generated/types.ts';
import type { Findings } from '../table/state-findings.ts';
import type { Fields } from '../table/table.ts';

/** A port as its controller names it. */
export interface PortReference {
  readonly name: string;
  /** The path of the name, from the interface on. */
  readonly at: Path;
}

/** Everything specific to one type of interface, except for its profile. */
export interface InterfaceKind<I extends Interface = Interface> {
  /** The name of the TypeScript type. */
  readonly name: string;
  readonly doc: string;
  /** Keys beyond those of every interface. */
  readonly fields: Fields;
  /** The name of the type in NetworkManager. */
  readonly connectionType: string;
  /** Whether it exists before the network is set up. */
  readonly isHardware?: true;
  /** Whether it has ports. */
  readonly isController?: true;
  /** Whether it exists outside the kernel, so that a kernel interface may have the same name. */
  readonly isUserspace?: true;
  /** The suffix of the connection's name. */
  readonly idSuffix?: string;
  /** The ports that it names; undefined if it has no list of ports. */
  ports?(iface: I): readonly PortReference[] | undefined;
  /** Removes ports with these names, if nmstate does. */
  withoutPorts?(iface: I, names: ReadonlySet<string>): I;
  /** The interface that it uses. */
  parent?(iface: I): string | undefined;
  withParent?(iface: I, parent: string): I;
  /** Checks the rules that nmstate checks before those of every interface. */
  check?(iface: I, findings: Findings): I;
  /** Checks the rules that nmstate checks last, and drops or rewrites the same settings. */
  sanitise?(iface: I, findings: Findings): I;
}

/** Removes the first entry of each name. A port that is listed twice stays once, and is unknown then. */
export function withoutFirst<T>(entries: readonly T[], names: ReadonlySet<string>, nameOf: (entry: T) => string): T[] {
  const gone = new Set<string>();
  return entries.filter((entry) => {
    const name = nameOf(entry);
    if (!names.has(name) || gone.has(name)) return true;
    gone.add(name);
    return false;
  });
}
