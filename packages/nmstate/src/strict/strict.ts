import type { Profile } from '../keyfile/profile.ts';
import type { Plan } from '../plan/plan-state.ts';
import type { PlannedInterface } from '../plan/planned-interfaces.ts';
import type { State } from '../state/read-state.ts';
import type { Findings } from '../table/state-findings.ts';
import { checkInterfaces, checkProfileNames } from './interfaces.ts';
import { checkEscapes, checkFileNames, checkLines } from './lines.ts';
import { checkRoutes, checkRoutesHaveAddresses, checkRules, checkServers } from './routing.ts';

/** Runs all checks of strict mode, except for keys that nmstate's parser ignores. */
export function checkStrictly(
  state: State,
  { interfaces, rules }: Plan,
  profiles: readonly { planned: PlannedInterface; profile: Profile }[],
  findings: Findings,
): void {
  checkInterfaces(state.interfaces, interfaces, findings);
  checkProfileNames(
    profiles.map(({ planned, profile }) => ({ planned, name: profile.name })),
    findings,
  );
  checkFileNames(state, profiles, findings);
  checkLines(state, profiles, findings);
  checkEscapes(state, profiles, findings);
  checkRoutesHaveAddresses(interfaces, findings);
  checkRoutes(state.routes?.config ?? [], interfaces, findings);
  checkRules(rules, interfaces, findings);
  checkServers(state, interfaces, findings);
}
