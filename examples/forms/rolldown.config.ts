import { defineConfig } from 'rolldown';

// One classic script, so that the page also works as a local file.
export default defineConfig({
  input: 'src/page.ts',
  platform: 'browser',
  // Uses the sources of the packages: other builds may be writing theirs at the same time.
  resolve: { conditionNames: ['@coreiso/source', 'browser', 'import', 'default'] },
  transform: { target: 'es2022' },
  output: { dir: 'dist', cleanDir: true, format: 'iife', codeSplitting: false },
});
