// What the generators of all packages share: `scripts/generate.ts` of a package is bundled, and what it gives is written.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'tsup';

/** Writes the files that the generator of a package makes; `inputs` are what it needs of this machine. */
export async function runGenerator(packageName, ...inputs) {
  const root = fileURLToPath(new URL(`../packages/${packageName}`, import.meta.url));
  const outDir = mkdtempSync(join(tmpdir(), 'coreiso-generate-'));
  try {
    await build({
      config: false,
      entry: [join(root, 'scripts/generate.ts')],
      format: 'esm',
      noExternal: [/.*/],
      outDir,
      outExtension: () => ({ js: '.mjs' }),
      silent: true,
    });
    const { generate } = await import(pathToFileURL(join(outDir, 'generate.mjs')).href);
    for (const [path, text] of await generate(...inputs)) writeFileSync(join(root, path), text);
  } finally {
    rmSync(outDir, { recursive: true });
  }
}
