import type { Profile } from '../keyfile/keyfile.ts';
import type { Plan } from '../plan/plan.ts';
import type { PlannedInterface } from '../plan/planned-interfaces.ts';
import type { State } from '../state/read-state.ts';
import type { Report } from '../table/report.ts';
import { checkInterfaces, checkProfileNames } from './interfaces.ts';
import { checkRoutes, checkRoutesHaveAddresses, checkRules, checkServers } from './routing.ts';

/** Everything that nmstate lets pass, except what its parser ignores. */
export function checkStrictly(
  state: State,
  { interfaces, rules }: Plan,
  profiles: readonly { planned: PlannedInterface; profile: Profile }[],
  report: Report,
): void {
  checkInterfaces(state.interfaces, interfaces, report);
  checkProfileNames(
    profiles.map(({ planned, profile }) => ({ planned, id: profile.id })),
    report,
  );
  checkRoutesHaveAddresses(interfaces, report);
  checkRoutes(state.routes?.config ?? [], interfaces, report);
  checkRules(rules, interfaces, report);
  checkServers(state, interfaces, report);
}
