// From a state to interfaces that are ready to be written, in nmstate's order of steps: the first refusal is nmstate's.

import { compareBytes } from '@coreiso/diagnostics/rust';
import { typeOf } from '../interfaces/kinds.ts';
import type { State } from '../state/read-state.ts';
import type { Report } from '../table/report.ts';
import {
  attachByProperty,
  attachPorts,
  checkControllerProperties,
  checkInfinibandPorts,
  checkOrphans,
  checkOverbooked,
  checkPortsListedTwice,
} from './controllers.ts';
import { declareInterfaces } from './declare.ts';
import { checkLinkLocalServers, placeDns, sanitiseDns } from './dns.ts';
import { copyMacAddresses, copyPrpMacAddresses } from './mac.ts';
import { referToParentsByUuid, resolveParents } from './parents.ts';
import type { PlannedInterface, PlannedInterfaces, PlannedRule } from './planned-interfaces.ts';
import { placeRouteRules, planRouteRules } from './route-rules.ts';
import { planRoutes } from './routes.ts';
import { sanitise } from './sanitise.ts';
import { checkAlternativeNames, checkGlobalOvsDb, checkOvn } from './unwritten.ts';
import { setUpPriorities } from './up-priority.ts';

export interface Plan {
  readonly interfaces: PlannedInterfaces;
  /** All rules, also those that no interface holds. */
  readonly rules: readonly PlannedRule[];
}

export function planState(state: State, report: Report): Plan {
  const interfaces = declareInterfaces(state.interfaces, report);
  planInterfaces(interfaces, report);
  const { routes, 'route-rules': rules, ovn, 'ovs-db': ovsDb, 'dns-resolver': dns } = state;
  const routed = planRoutes(routes?.config ?? [], interfaces, report);
  const plannedRules = planRouteRules(rules?.config ?? [], interfaces, report);
  checkOvn(ovn ?? {}, interfaces, report.at('ovn'));
  checkGlobalOvsDb(ovsDb ?? {}, report.at('ovs-db'));
  const dnsReport = report.at('dns-resolver', 'config');
  const sanitisedDns = sanitiseDns(dns?.config ?? {}, dnsReport);
  checkLinkLocalServers(sanitisedDns, interfaces, dnsReport.at('server'));
  placeRouteRules(plannedRules, interfaces, routed, report);
  placeDns(sanitisedDns, interfaces, dnsReport);
  referToParentsByUuid(interfaces);
  return { interfaces, rules: plannedRules };
}

function planInterfaces(interfaces: PlannedInterfaces, report: Report): void {
  copyMacAddresses(interfaces, report);
  copyPrpMacAddresses(interfaces, report);
  checkControllerProperties(interfaces, report);
  checkPortsListedTwice(interfaces, report);
  resolveParents(interfaces, report);
  attachPorts(interfaces, report);
  attachByProperty(interfaces);
  setUpPriorities(interfaces, report);
  checkOverbooked(interfaces, report);
  checkInfinibandPorts(interfaces, report);
  checkOrphans(interfaces, report);
  for (const { desired, path } of interfaces.kernelInterfaces()) {
    if (desired?.dispatch !== undefined) {
      report.from([...path, 'dispatch']).invalid('Dispatch script is not supported in gc(gen_conf) mode', 'Remove it.');
    }
  }
  checkAlternativeNames(interfaces, report);
  const all = interfaces.all();
  for (const planned of all) sanitise(planned, report.from(planned.path));
}

/** The interfaces that get profiles, in the order of output. */
export function inUpOrder(interfaces: PlannedInterfaces): PlannedInterface[] {
  return interfaces
    .all()
    .filter(({ apply, merged }) => apply !== undefined && merged.state !== 'absent')
    .sort((a, b) => a.upPriority - b.upPriority || compareBytes(a.merged.name, b.merged.name) || userspaceFirst(a, b));
}

function userspaceFirst(a: PlannedInterface, b: PlannedInterface): number {
  return rank(a) - rank(b);
}

function rank({ merged }: PlannedInterface): number {
  const type = typeOf(merged);
  return type === 'ipsec' ? 0 : type === 'ovs-bridge' ? 1 : 2;
}
