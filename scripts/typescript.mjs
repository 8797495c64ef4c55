// Loads TypeScript modules of this repository, with their imports, from the sources: no build is needed.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));
const conditions = ['@coreiso/source', 'node', 'import', 'default'];

/**
 * Calls `use` with a function that loads a module by its path from the root. It works until `use` ends, because modules
 * load parts on demand.
 */
export async function withSources(use) {
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'error',
    appType: 'custom',
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
    ssr: { resolve: { conditions }, noExternal: [/^@coreiso\//] },
    // Node 20 has no `using`.
    oxc: { target: 'node20' },
  });
  try {
    return await use((path) => server.ssrLoadModule(join(root, path)));
  } finally {
    await server.close();
  }
}
