// Runs the product on a simulated machine whose disk, network, clock and processes fail in ways that a seed decides.
//   npm run simulate -- [--seed N] [--runs N] [--seconds N] [--scenario NAME] [--verbose]
// Exit 1 where an invariant broke; the seed repeats it.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));
const server = await createServer({
  root,
  configFile: false,
  logLevel: 'error',
  appType: 'custom',
  server: { middlewareMode: true, hmr: false, ws: false, watch: null },
  optimizeDeps: { noDiscovery: true },
  // Node 20 knows no `using`.
  oxc: { target: 'node20' },
});
const { main } = await server.ssrLoadModule(join(root, 'test/simulate/main.ts'));
process.exitCode = await main(process.argv.slice(2));
await server.close();
