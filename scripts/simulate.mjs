// Runs coreiso on a simulated machine. The seed determines how its disk, network, clock and processes fail.
//   npm run simulate -- [--seed N] [--runs N] [--seconds N] [--scenario NAME] [--without N,N] [--verbose]
// Exits with 1 if an invariant broke; the same seed repeats it.
import { withSources } from './typescript.mjs';

process.exitCode = await withSources(async (load) => {
  const { main } = await load('test/simulate/main.ts');
  return main(process.argv.slice(2));
});
