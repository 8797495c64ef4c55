import type { BootOutline, HostPlan, HostPlans, JoinName } from '@coreiso/nodes-config';
import { checkArgument } from '@coreiso/peers/arguments';
import { arrival, direct } from './direct.ts';
import { service } from './service/add-nodes.ts';
import type { JoinStrategy } from './strategy.ts';

/** A live system with its network and its name, and nothing more. */
const networkOnly: JoinStrategy = {
  boots: (_, host) => ({
    first: `${arrival(host)}; nothing is installed`,
    second: 'the same, if it boots the image again: nothing of the first boot is kept',
    later: 'the same',
  }),
};

const STRATEGIES: Readonly<Record<JoinName, JoinStrategy>> = {
  'network-only': networkOnly,
  direct,
  service,
};

/**
 * What will happen to a machine of this host at its first, its second and its later boots.
 *
 * @example for (const host of plan.hosts) console.log(outlineBoots(plan, host).first)
 */
export function outlineBoots(plan: HostPlans, host: HostPlan): BootOutline {
  checkArgument('plan', plan, 'object');
  checkArgument('host', host, 'object');
  return strategyOf(plan.join).boots(plan, host);
}

export function strategyOf(name: JoinName): JoinStrategy {
  const strategy = Object.hasOwn(STRATEGIES, name) ? STRATEGIES[name] : undefined;
  if (strategy === undefined) {
    throw new RangeError(`join must be one of ${Object.keys(STRATEGIES).join(', ')}, not ${String(name)}`);
  }
  return strategy;
}
