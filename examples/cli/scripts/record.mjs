// Records what coreos-installer does with our sample images: node examples/cli/scripts/record.mjs [--check]
// With --check nothing is written; the exit status tells whether the recording is what the program does today.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'tsup';

const root = fileURLToPath(new URL('..', import.meta.url));
const goldens = join(root, 'test/goldens');
const outDir = mkdtempSync(join(tmpdir(), 'coreiso-record-'));
try {
  await build({
    config: false,
    entry: [join(root, 'scripts/record.ts')],
    format: 'esm',
    platform: 'node',
    target: 'es2022',
    noExternal: [/.*/],
    outDir,
    outExtension: () => ({ js: '.mjs' }),
    silent: true,
    esbuildOptions: (options) => {
      options.conditions = ['@coreiso/source'];
    },
  });
  const { record } = await import(pathToFileURL(join(outDir, 'record.mjs')).href);
  mkdirSync(goldens, { recursive: true });
  for (const [name, text] of await record()) {
    const path = join(goldens, name);
    if (!process.argv.includes('--check')) writeFileSync(path, text);
    else if (readFileSync(path, 'utf8') !== text) {
      console.error(`${name} is out of date`);
      process.exitCode = 1;
    }
  }
} finally {
  rmSync(outDir, { recursive: true, force: true });
}
