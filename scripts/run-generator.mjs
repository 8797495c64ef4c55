// Runs a TypeScript file of a package that generates committed files: bundles it, and imports the bundle.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'rolldown';

/** Imports a TypeScript module and everything it imports, from sources. */
export async function importSource(path) {
  const scratch = mkdtempSync(join(tmpdir(), 'coreiso-source-'));
  const file = join(scratch, 'bundle.mjs');
  try {
    await build({
      input: path,
      platform: 'node',
      resolve: { conditionNames: ['@coreiso/source', 'node', 'import', 'default'] },
      output: { file, format: 'esm', codeSplitting: false },
    });
    return await import(pathToFileURL(file).href);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/** Writes the files that `scripts/generate.ts` of a package makes; `inputs` are local files that it needs. */
export async function runGenerator(packageName, ...inputs) {
  const root = fileURLToPath(new URL(`../packages/${packageName}`, import.meta.url));
  const { generate } = await importSource(join(root, 'scripts/generate.ts'));
  for (const [path, text] of await generate(...inputs)) writeFileSync(join(root, path), text);
}
