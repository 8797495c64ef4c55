// Regenerates the TypeScript types from the tables of inputs: node packages/nmstate/scripts/generate.mjs
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'tsup';

const root = fileURLToPath(new URL('..', import.meta.url));
const outDir = mkdtempSync(join(tmpdir(), 'coreiso-generate-'));
try {
  await build({
    config: false,
    entry: [join(root, 'scripts/generate.ts')],
    format: 'esm',
    outDir,
    outExtension: () => ({ js: '.mjs' }),
    silent: true,
  });
  const { generate } = await import(pathToFileURL(join(outDir, 'generate.mjs')).href);
  for (const [path, text] of generate()) writeFileSync(join(root, path), text);
} finally {
  rmSync(outDir, { recursive: true });
}
