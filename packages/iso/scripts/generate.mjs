// Regenerates the recipes of the sample images with the program `xz`: node packages/iso/scripts/generate.mjs
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'tsup';

const root = fileURLToPath(new URL('..', import.meta.url));
const outDir = mkdtempSync(join(tmpdir(), 'coreiso-generate-'));
const [program, ...options] = ['xz', '-9', '-T1', '--check=crc64', '--stdout'];
const packXz = async (input) => execFileSync(program, options, { input });
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
  for (const [path, text] of await generate(packXz)) writeFileSync(join(root, path), text);
} finally {
  rmSync(outDir, { recursive: true });
}
