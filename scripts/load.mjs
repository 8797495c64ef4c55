// Loads `coreiso serve`, which has to be built, with clients of every manner.
//   npm run load -- [--clients N] [--seconds N] [--size MIB]
// Exit 1 where a byte was wrong, memory grew, or the server did not recover.
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
const { main } = await server.ssrLoadModule(join(root, 'test/load/main.ts'));
process.exitCode = await main(process.argv.slice(2));
await server.close();
