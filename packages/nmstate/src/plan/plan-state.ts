// Plans the interfaces of a state, so that they can be written. The steps are in nmstate's order, so that the first refusal is
// the same.

import { compareBytes } from '@coreiso/peers/rust';
import type { State } from '../state/read-state.ts';
import type { Findings } from '../table/state-findings.ts';
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
  /** All rules, also those without an interface. */
  readonly rules: readonly PlannedRule[];
}

export function planState(state: State, findings: Findings): Plan {
  const interfaces = declareInterfaces(state.interfaces, findings);
  planInterfaces(interfaces, findings);
  const { routes, 'route-rules': rules, ovn, 'ovs-db': ovsDb, 'dns-resolver': dns } = state;
  const routed = planRoutes(routes?.config ?? [], interfaces, findings);
  const plannedRules = planRouteRules(rules?.config ?? [], interfaces, findings);
  checkOvn(ovn ?? {}, interfaces, findings.at('ovn'));
  checkGlobalOvsDb(ovsDb ?? {}, findings.at('ovs-db'));
  const dnsReport = findings.at('dns-resolver', 'config');
  const sanitisedDns = sanitiseDns(dns?.config ?? {}, dnsReport);
  checkLinkLocalServers(sanitisedDns, interfaces, dnsReport.at('server'));
  placeRouteRules(plannedRules, interfaces, routed, findings);
  placeDns(sanitisedDns, interfaces, dnsReport);
  referToParentsByUuid(interfaces);
  return { interfaces, rules: plannedRules };
}

function planInterfaces(interfaces: PlannedInterfaces, findings: Findings): void {
  copyMacAddresses(interfaces, findings);
  copyPrpMacAddresses(interfaces, findings);
  checkControllerProperties(interfaces, findings);
  checkPortsListedTwice(interfaces, findings);
  resolveParents(interfaces, findings);
  attachPorts(interfaces, findings);
  attachByProperty(interfaces);
  setUpPriorities(interfaces, findings);
  checkOverbooked(interfaces, findings);
  checkInfinibandPorts(interfaces, findings);
  checkOrphans(interfaces, findings);
  for (const { desired, path } of interfaces.kernelInterfaces()) {
    if (desired?.dispatch !== undefined) {
      findings
        .from([...path, 'dispatch'])
        .invalid('Dispatch script is not supported in gc(gen_conf) mode', 'Remove it.');
    }
  }
  checkAlternativeNames(interfaces, findings);
  const all = interfaces.all();
  for (const planned of all) sanitise(planned, findings.from(planned.path));
}

/** The interfaces with profiles, in the order of output. Among equal names those outside the kernel come first, as in `all`. */
export function inUpOrder(interfaces: PlannedInterfaces): PlannedInterface[] {
  return interfaces
    .all()
    .filter(({ apply, merged }) => apply !== undefined && merged.state !== 'absent')
    .sort((a, b) => a.upPriority - b.upPriority || compareBytes(a.merged.name, b.merged.name));
}
