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
  const specifications = (await vitest.globTestSpecifications(tests)).filter(({ moduleId }) =>
    tests.includes(moduleId),
  );
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  const failed = testModules.find((module) => !module.ok());
  process.send({ killedBy: failed?.moduleId ?? unhandledErrors.map(String)[0] });
});
process.send('ready');
