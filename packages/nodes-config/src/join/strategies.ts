import type { JoinName } from '../hosts/joining.ts';
import { direct } from './direct.ts';
import type { JoinStrategy } from './strategy.ts';

/** A live system with its network and its name, and nothing more. */
const networkOnly: JoinStrategy = { name: 'network-only', parts: () => ({}) };

const STRATEGIES: Readonly<Record<JoinName, JoinStrategy>> = { 'network-only': networkOnly, direct };

export function strategyOf(name: JoinName): JoinStrategy {
  const strategy = Object.hasOwn(STRATEGIES, name) ? STRATEGIES[name] : undefined;
  if (strategy === undefined) {
    throw new RangeError(`join must be one of ${Object.keys(STRATEGIES).join(', ')}, not ${String(name)}`);
  }
  return strategy;
}
