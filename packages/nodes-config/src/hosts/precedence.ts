import { compareBytes } from '@coreiso/diagnostics/go';
import type { HostPlan } from './plan.ts';

/**
 * The order in which a machine tries the hosts: those with a network by their directories, as a shell lists them (`host10` comes
 * before `host2`), then the others in the order of the document.
 */
export function hostsByPrecedence(hosts: readonly HostPlan[]): HostPlan[] {
  const directory = ({ network }: HostPlan): string => network?.directory ?? '';
  const networked = hosts.filter(({ network }) => network !== undefined);
  networked.sort((a, b) => compareBytes(directory(a), directory(b)));
  return [...networked, ...hosts.filter(({ network }) => network === undefined)];
}
