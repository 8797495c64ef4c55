import { direct } from './direct/strategy.ts';
import { networkOnly } from './network-only/strategy.ts';
import { service } from './service/strategy.ts';
import type { JoinStrategy } from './strategy.ts';

const STRATEGIES: Readonly<Record<string, JoinStrategy>> = { 'network-only': networkOnly, direct, service };

/** The strategy of that name. */
export function strategyOf(name: string): JoinStrategy {
  const strategy = Object.hasOwn(STRATEGIES, name) ? STRATEGIES[name] : undefined;
  if (strategy === undefined) {
    throw new RangeError(`join must be one of ${Object.keys(STRATEGIES).join(', ')}, not ${String(name)}`);
  }
  return strategy;
}
