import { closest } from '@coreiso/diagnostics';
import type { Interface } from '../generated/types.ts';
import { parentOf, portsOf, typeOf } from '../interfaces/kinds.ts';
import { isUserspace, type PlannedInterfaces } from '../plan/planned-interfaces.ts';
import type { DeclaredInterface } from '../state/read-state.ts';
import type { Findings } from '../table/state-findings.ts';

/** The most names to compare a misspelt one with; without a limit the work would grow with the square of the input. */
const MOST_CANDIDATES = 100;

/** Checks the names by which interfaces refer to each other. */
export class References {
  readonly #declared: ReadonlySet<string>;
  readonly #candidates: readonly string[];
  readonly #interfaces: PlannedInterfaces;

  constructor(declared: readonly DeclaredInterface[], interfaces: PlannedInterfaces) {
    const inKernel = declared.filter(({ iface }) => !isUserspace(typeOf(iface)));
    this.#declared = new Set(inKernel.map(({ iface }) => iface.name));
    this.#candidates = [...this.#declared].slice(0, MOST_CANDIDATES);
    this.#interfaces = interfaces;
  }

  check(iface: Interface, findings: Findings): void {
    const ports = portsOf(iface) ?? [];
    for (const { name, at } of ports) {
      if (this.#declared.has(name)) continue;
      const message = `${name} is not declared, and nmstate treats it as an ethernet interface`;
      findings.at(...at).strict('warning', 'undeclared-port', message, this.#help(name));
    }
    const primary = iface.type === 'bond' ? iface['link-aggregation']?.options?.primary : undefined;
    if (primary && ports.length > 0 && ports.every(({ name }) => name !== primary)) {
      findings
        .at('link-aggregation', 'options', 'primary')
        .strict('warning', 'primary-port', `${primary} is not a port of ${iface.name}`, 'Name one of its ports.');
    }
    const parent = iface.type === 'ovs-interface' ? undefined : parentOf(iface);
    if (!parent || this.#declared.has(parent) || this.#interfaces.names.find(parent).length > 0) return;
    const message = `${iface.name} needs ${parent}, which is not declared`;
    findings.strict('warning', 'undeclared-parent', message, this.#help(parent));
  }

  #help(name: string): string {
    const near = closest(name, this.#candidates);
    return near === undefined ? `Declare ${name}.` : `Declare ${name}, or did you mean ${near}?`;
  }
}
