// Bundles the fuzzer and its targets with counters in the packages' sources.
import { readdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { instrument } from './instrument.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const runtime = join(root, 'test/fuzz/coverage.ts');
const INSTRUMENTED = /\/packages\/[^/]+\/src\/.*\.ts$/;

/**
 * Bundles the targets of these groups, or of all; returns the worker's file, the module of each group, and a function
 * that removes them.
 */
export async function bundleTargets(wanted) {
  const groups = readdirSync(join(root, 'test/fuzz/targets'))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -'.ts'.length))
    .filter((group) => wanted === undefined || wanted.includes(group));
  const dir = join(root, 'node_modules/.cache/fuzz', String(process.pid));
  const input = Object.fromEntries(groups.map((group) => [`targets/${group}`, `test/fuzz/targets/${group}.ts`]));
  const bundle = await rolldown({
    cwd: root,
    input: { worker: 'test/fuzz/worker.ts', ...input },
    external: (id) => !/^(?:[./\0]|@coreiso\/)/.test(id),
    platform: 'node',
    resolve: { conditionNames: ['@coreiso/source', 'import', 'default'] },
    transform: { target: 'es2022' },
    checks: { pluginTimings: false },
    treeshake: false,
    plugins: [
      {
        name: 'counters',
        transform(code, id) {
          // Test support looks for files beside itself.
          if (id.includes('/test/') && code.includes('import.meta.url'))
            return { code: code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)) };
          return INSTRUMENTED.test(id) ? { code: instrument(code, { name: relative(root, id), runtime }) } : undefined;
        },
      },
    ],
  });
  try {
    await bundle.write({ dir, format: 'esm', chunkFileNames: '[name]-[hash].js' });
  } finally {
    await bundle.close();
  }
  return {
    worker: join(dir, 'worker.js'),
    modules: new Map(groups.map((group) => [group, pathToFileURL(join(dir, `targets/${group}.js`)).href])),
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}
