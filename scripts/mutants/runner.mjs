// Runs tests against one mutant after the other, each of them only in memory. A mutant that never ends is ended by the
// parent together with this process.
import { createVitest } from 'vitest/node';

let mutated = { file: '', source: '' };

const plugin = {
  name: 'mutant',
  enforce: 'pre',
  load: (id) => (id === mutated.file ? mutated.source : undefined),
};

const options = { watch: false, reporters: [{}], silent: true, fileParallelism: false, retry: 0 };
const vitest = await createVitest('test', options, { plugins: [plugin] });
await vitest.standalone();

process.on('message', async ({ file, source, test }) => {
  const changed = [mutated.file, file].filter(Boolean);
  mutated = { file, source };
  for (const path of changed) vitest.invalidateFile(path);
  const specifications = (await vitest.globTestSpecifications([test])).filter(({ moduleId }) => moduleId === test);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  // The modules of earlier runs are among them.
  const passed = testModules.filter(({ moduleId }) => moduleId === test).every((module) => module.ok());
  process.send({ passed: passed && unhandledErrors.length === 0 });
});
process.send('ready');
