// The hosts of any plan, for views of one host at a time.
import { judgeState } from '@coreiso/nmstate';
import type { BootOutline, HostPlan, HostPlans } from '@coreiso/nodes-config';
import { outlineBoots } from '@coreiso/openshift';
import type { HostProfiles } from '../../views/keyfiles.ts';
import type { HostNetwork } from '../../views/network.ts';
import type { PlannerState } from '../state.ts';

/** Hosts, and the actions of each at its boots. */
export interface PlannedHosts {
  readonly plans: HostPlans;
  outline(position: number): BootOutline;
}

export function plannedHosts(state: PlannerState): PlannedHosts | undefined {
  const { nodes, cluster } = state.planned ?? {};
  if (nodes !== undefined)
    return { plans: nodes, outline: (position) => outlineBoots(nodes, at(nodes.hosts, position)) };
  return cluster && { plans: cluster.hostPlans, outline: (position) => at(cluster.hosts, position).boots };
}

function at<T>(list: readonly T[], position: number): T {
  const found = list[position];
  if (found === undefined) throw new RangeError(`position must be that of a host, not ${position}`);
  return found;
}

/** A state that is embedded alone has no host around it. */
export function hostNetwork(state: PlannerState, position: number): HostNetwork | undefined {
  const host = plannedHosts(state)?.plans.hosts[position];
  if (host !== undefined) return { title: host.name, state: host.network?.state, cards: host.interfaces };
  const text = stateText(state);
  return text === undefined ? undefined : { title: 'network.yaml', state: text, cards: [] };
}

export function hostProfiles(state: PlannerState, position: number): HostProfiles | undefined {
  const host: HostPlan | undefined = plannedHosts(state)?.plans.hosts[position];
  if (host !== undefined) {
    return {
      directory: host.network && `/etc/assisted/network/${host.network.directory}`,
      profiles: host.network?.profiles ?? [],
    };
  }
  const text = stateText(state);
  if (text === undefined) return undefined;
  const { strict } = judgeState(text);
  return { directory: undefined, profiles: strict.ok ? strict.value : [] };
}

function stateText({ project }: PlannerState): string | undefined {
  const text = project?.task === 'live' ? project.documents['network-state'] : '';
  return text.trim() === '' ? undefined : text;
}

/** The cards of a host, as the user would type them for its boots. */
export function hostCards(state: PlannerState, { position }: { readonly position: number }): string {
  const host = plannedHosts(state)?.plans.hosts[position];
  return (host?.interfaces ?? []).map(({ name, macAddress }) => `${name} ${macAddress}`.trim()).join('\n');
}
