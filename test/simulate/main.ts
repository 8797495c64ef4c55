// npm run simulate -- [--seed N] [--runs N] [--seconds N] [--scenario NAME] [--without N,N] [--verbose]
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Scenario, Tally } from './scenario.ts';
import { loadScenarios } from './scenarios.ts';
import { shrink } from './shrink.ts';

const USAGE = `usage: npm run simulate -- [--seed N] [--runs N] [--seconds N] [--scenario NAME] [--without N,N] [--verbose]`;

interface Failure {
  readonly scenario: string;
  readonly seed: number;
  readonly error: unknown;
}

/** Returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: 'string' },
      runs: { type: 'string' },
      seconds: { type: 'string' },
      scenario: { type: 'string', multiple: true },
      without: { type: 'string', default: '' },
      verbose: { type: 'boolean', default: false },
    },
  });
  const all = await loadScenarios(values.scenario);
  if (all.length === 0) throw new Error(`no such scenario\n${USAGE}`);
  const without = new Set(values.without.split(',').filter(Boolean).map(Number));
  const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
  const seconds = values.seconds === undefined ? undefined : Number(values.seconds);
  const runs = Number(
    values.runs ?? (seconds === undefined ? (values.seed === undefined ? 1000 : 1) : Number.MAX_SAFE_INTEGER),
  );
  const end = seconds === undefined ? Number.POSITIVE_INFINITY : performance.now() + seconds * 1000;
  console.log(`seed ${seed}`);
  const totals = new Map<string, { runs: number; calls: number; faults: number }>();
  const failures: Failure[] = [];
  const begun = performance.now();
  let count = 0;
  for (; count < runs && performance.now() < end && failures.length < 5; count++) {
    // Weak references, such as those of abort signals, keep their targets until the turn of the event loop ends.
    await nextTurn();
    const scenario = all[count % all.length] as Scenario;
    const mine = seed + Math.floor(count / all.length);
    try {
      const trace = values.verbose ? (line: string) => console.log(`  ${line}`) : undefined;
      const tally: Tally = await scenario.run({ seed: mine, without, trace });
      const total = totals.get(scenario.name) ?? { runs: 0, calls: 0, faults: 0 };
      totals.set(scenario.name, {
        runs: total.runs + 1,
        calls: total.calls + tally.calls,
        faults: total.faults + tally.faults,
      });
    } catch (error) {
      failures.push({ scenario: scenario.name, seed: mine, error });
      console.log(`BROKEN ${scenario.name} --seed ${mine}: ${error instanceof Error ? error.stack : error}`);
      const spared = await shrink(scenario, mine, without);
      const less = spared.size === 0 ? '' : ` --without ${[...spared].join(',')}`;
      console.log(`repeat: npm run simulate -- --scenario ${scenario.name} --seed ${mine}${less} --verbose`);
    }
  }
  const elapsed = (performance.now() - begun) / 1000;
  for (const [name, total] of totals)
    console.log(`${name}: ${total.runs} runs, ${total.calls} calls, ${total.faults} faults`);
  console.log(`${count} runs in ${elapsed.toFixed(1)} s, ${failures.length} broken`);
  return failures.length > 0 ? 1 : 0;
}
