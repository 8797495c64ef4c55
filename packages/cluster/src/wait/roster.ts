// The hosts of a new cluster and their names: each has one name, that of the plan if it is planned.
import type { Host } from '@coreiso/nodes-config';
import { type KubeObject, objectsOf, textOf } from '../objects.ts';
import { hintProblem } from './disks.ts';
import type { WaitLine } from './events.ts';

/** A host that the image was made for. */
export interface PlannedAgent {
  /** The name in messages. */
  readonly name: string;
  /** MAC addresses of its interfaces, which identify it before its name is known. */
  readonly macs?: readonly string[] | undefined;
  /** Hints that choose the disk to install to. */
  readonly rootDeviceHints?: Host['rootDeviceHints'] | undefined;
}

/** The data of one host. */
interface KnownHost {
  /** Its id until its name is known. */
  name: string;
  planned: PlannedAgent | undefined;
  /** Its inventory at the last poll. */
  inventory: string;
  /** Why it cannot be installed as planned. */
  mismatch: string | undefined;
}

/** Learns the names of hosts, poll by poll. */
export class Roster {
  readonly #byName: ReadonlyMap<string, PlannedAgent>;
  readonly #byMac: ReadonlyMap<string, PlannedAgent>;
  readonly #missing: Set<string>;
  readonly #known = new Map<string, KnownHost>();
  /** Hosts that the service already had, without a known name. */
  readonly #awaited = new Set<string>();

  constructor(planned: readonly PlannedAgent[]) {
    this.#byName = new Map(planned.map((one) => [one.name, one]));
    this.#byMac = new Map(planned.flatMap((one) => (one.macs ?? []).map((mac) => [mac.toLowerCase(), one])));
    this.#missing = new Set(this.#byName.keys());
  }

  /** Planned hosts that never registered. */
  get missing(): readonly string[] {
    return [...this.#missing];
  }

  nameOf(host: KubeObject): string {
    const id = textOf(host, 'id');
    return this.#known.get(id)?.name ?? (textOf(host, 'requested_hostname') || id);
  }

  mismatchOf(host: KubeObject): string | undefined {
    return this.#known.get(textOf(host, 'id'))?.mismatch;
  }

  /** Records a host. */
  meet(host: KubeObject, lines: WaitLine[]): void {
    const id = textOf(host, 'id');
    const before = this.#known.get(id);
    const inventory = textOf(host, 'inventory');
    if (before !== undefined && before.name !== id && before.inventory === inventory) return;
    const content = parsed(inventory);
    // Until its inventory arrives, the service identifies a host by its id.
    const known = before === undefined || before.name === id ? this.#name(host, content, lines) : before;
    if (known === undefined) return;
    const mismatch = hintProblem(content, known.planned?.rootDeviceHints ?? {});
    if (mismatch !== undefined && mismatch !== known.mismatch)
      lines.push({ level: 'warning', message: `Host ${known.name}: ${mismatch}` });
    this.#known.set(id, { ...known, inventory, mismatch: mismatch });
  }

  #name(host: KubeObject, inventory: unknown, lines: WaitLine[]): KnownHost | undefined {
    const id = textOf(host, 'id');
    const planned = this.#plannedOf(host, inventory);
    const name = planned?.name ?? textOf(host, 'requested_hostname');
    const before = this.#known.get(id);
    if (before !== undefined && name === before.name) return before;
    // A host that sends its inventory later is checked again.
    const isAwaited = planned === undefined && inventory === undefined && this.#missing.size > 0;
    if (name === '' || isAwaited) {
      this.#awaited.add(id);
      return undefined;
    }
    this.#missing.delete(name);
    const wasCalledById = before !== undefined || this.#awaited.has(id);
    const registration = `Host ${name} registered${wasCalledById ? `, as ${id}` : ''}`;
    lines.push({
      level: 'info',
      message: before === undefined ? registration : `Host ${id} is ${name}`,
      fact: {
        kind: 'host',
        host: name,
        ...(wasCalledById && { id }),
        isRegistered: true,
        isPlanned: planned !== undefined,
      },
    });
    return { name, planned, inventory: '', mismatch: undefined };
  }

  /** By its name, or by one of the addresses in its inventory. */
  #plannedOf(host: KubeObject, inventory: unknown): PlannedAgent | undefined {
    const named = this.#byName.get(textOf(host, 'requested_hostname'));
    if (named !== undefined) return named;
    for (const one of objectsOf(inventory, 'interfaces')) {
      const found = this.#byMac.get(textOf(one, 'mac_address').toLowerCase());
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
