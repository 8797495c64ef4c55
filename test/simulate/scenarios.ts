import { compile } from './compile.ts';
import type { Files, Fleet, Store, Wait, Watch } from './products.ts';
import { productOf } from './sandbox.ts';
import type { Scenario } from './scenario.ts';
import { cacheScenario } from './scenarios/cache.ts';
import { copiesScenario } from './scenarios/copies.ts';
import { editsScenario } from './scenarios/edits.ts';
import { fleetScenario } from './scenarios/fleet.ts';
import { outputsScenario } from './scenarios/outputs.ts';
import { storeScenario } from './scenarios/store.ts';
import { waitScenario } from './scenarios/wait.ts';
import { watchScenario } from './scenarios/watch.ts';

/** The scenarios with these names, or all of them. */
export async function loadScenarios(names?: readonly string[]): Promise<Scenario[]> {
  const files = productOf<Files>(await compile('files'), 'files');
  const fleet = productOf<Fleet>(await compile('fleet'), 'fleet');
  const store = productOf<Store>(await compile('store'), 'store');
  const wait = productOf<Wait>(await compile('wait'), 'wait');
  const watch = productOf<Watch>(await compile('watch'), 'watch');
  const all = [
    editsScenario(files),
    copiesScenario(files),
    cacheScenario(files),
    fleetScenario(fleet),
    outputsScenario(fleet),
    storeScenario(store),
    waitScenario(wait),
    watchScenario(watch),
  ];
  return names === undefined ? all : all.filter(({ name }) => names.includes(name));
}
