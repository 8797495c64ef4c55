// Puts load on a built `coreiso serve`, with clients of every behaviour.
//   npm run load -- [--clients N] [--seconds N] [--size MIB]
// Exits with 1 if a byte was wrong, memory grew, or the server did not recover.
import { withSources } from './typescript.mjs';

process.exitCode = await withSources(async (load) => {
  const { main } = await load('test/load/main.ts');
  return main(process.argv.slice(2));
});
