import { direct } from './direct/strategy.ts';
import { networkOnly } from './network-only/strategy.ts';
import { service } from './service/strategy.ts';
import type { JoinStrategy } from './strategy.ts';

const STRATEGIES: Readonly<Record<string, JoinStrategy>> = { 'network-only': networkOnly, direct, service };

/**
 * The ways of joining: the name of each, what it does, and which options of a plan mean something to it.
 *
 * @example for (const { name, summary } of JOINS) console.log(`${name}: ${summary}`)
 */
export const JOINS: readonly {
  readonly name: string;
  readonly summary: string;
  readonly takes: readonly ('statusToken' | 'credentials' | 'hostIgnition')[];
}[] = Object.entries(STRATEGIES).map(([name, { summary, takes }]) => ({ name, summary, takes }));

/** The strategy of that name. */
export function strategyOf(name: string): JoinStrategy {
  const strategy = Object.hasOwn(STRATEGIES, name) ? STRATEGIES[name] : undefined;
  if (strategy === undefined) {
    throw new RangeError(`join must be one of ${Object.keys(STRATEGIES).join(', ')}, not ${String(name)}`);
  }
  return strategy;
}
