import type { Path } from '@coreiso/diagnostics';
import type { PlannedInterface } from '../plan/planned-interface.ts';
import type { PlannedInterfaces } from '../plan/planned-interfaces.ts';
import type { Report } from '../plan/report.ts';
import type { Interface } from '../state/generated/types.ts';
import type { Profile } from './profile.ts';

/** A port as its controller names it. */
export interface PortReference {
  readonly name: string;
  /** Where the name stands, from the interface on. */
  readonly at: Path;
}

/** What a profile may need to know beyond its own interface. */
export interface ProfileContext {
  readonly planned: PlannedInterface;
  readonly interfaces: PlannedInterfaces;
}

/** All that is special about one type of interface. */
export interface InterfaceKind<I extends Interface = Interface> {
  /** NetworkManager's word for it. */
  readonly connectionType: string;
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
  /** The interface it stands on. */
  parent?(iface: I): string | undefined;
  withParent?(iface: I, parent: string): I;
  /** Rules that nmstate checks before those of every interface. */
  check?(iface: I, report: Report): I;
  /** Rules that nmstate checks last, and what it drops or rewrites then. */
  sanitise?(iface: I, report: Report): I;
  /** Adds the sections of its own. */
  write?(profile: Profile, iface: I, context: ProfileContext): void;
  /** Further profiles that come with it. */
  companions?(iface: I, context: ProfileContext): Profile[];
}

/** A list without the first entry of each name: a port that is listed twice stays once, and nobody knows it then. */
export function withoutFirst<T>(entries: readonly T[], names: ReadonlySet<string>, nameOf: (entry: T) => string): T[] {
  const gone = new Set<string>();
  return entries.filter((entry) => {
    const name = nameOf(entry);
    if (!names.has(name) || gone.has(name)) return true;
    gone.add(name);
    return false;
  });
}
