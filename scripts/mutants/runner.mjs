// Runs tests against one mutant after the other, each of them only in memory. A mutant that never ends is ended by the
// parent together with this process.
import { createVitest } from 'vitest/node';

let mutated = { file: '', source: '' };

const plugin = {
  name: 'mutant',
  enforce: 'pre',
  load: (id) => (id === mutated.file ? mutated.source : undefined),
};

const options = { watch: false, bail: 1, reporters: [{}], silent: true, fileParallelism: false, retry: 0 };
const vitest = await createVitest('test', options, { plugins: [plugin] });
await vitest.standalone();

process.on('message', async ({ file, source, tests }) => {
  const changed = [mutated.file, file].filter(Boolean);
  mutated = { file, source };
  for (const path of changed) vitest.invalidateFile(path);
  const durations = {};
  let killedBy;
  for (const test of tests) {
    const begun = performance.now();
    killedBy = await failureOf(test);
    durations[test] = performance.now() - begun;
    if (killedBy !== undefined) break;
  }
  process.send({ killedBy, durations });
});

/** The name of a test file if it fails, or what went wrong outside of its tests. */
async function failureOf(test) {
  const specifications = (await vitest.globTestSpecifications([test])).filter(({ moduleId }) => moduleId === test);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  return testModules.every((module) => module.ok()) ? unhandledErrors.map(String)[0] : test;
}
process.send('ready');
