// Builds the command line for machines without npm: one file for any Node, and one for Linux without Node.
//   node scripts/release/single-file.mjs [DIR]      writes DIR/coreiso.cjs, DIR/coreiso-linux-ARCH and DIR/LICENSES.txt (release/)
// Both contain everything that the program loads, including the clients of object stores and registries; only xz needs a native
// module.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { loadConfig } from 'rolldown/config';

/** The name under which Node looks for the program inside its own file; Node sets it. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** The folder of a package in the path of a module. */
const PACKAGE = /^.*node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/;

const program = fileURLToPath(new URL('../../packages/cli', import.meta.url));

/** Writes `coreiso.cjs` and the licences of everything in it; returns the folders of the bundled packages. */
export async function writeSingleFile(folder) {
  const { plugins, resolve: resolution } = await loadConfig(join(program, 'rolldown.config.ts'));
  const bundle = await rolldown({
    cwd: program,
    input: { coreiso: 'src/process.ts' },
    platform: 'node',
    external: ['node-liblzma'],
    plugins,
    resolve: resolution,
    checks: { pluginTimings: false },
  });
  try {
    const { output } = await bundle.write({
      dir: folder,
      format: 'cjs',
      entryFileNames: '[name].cjs',
      codeSplitting: false,
      minify: true,
      banner: '#!/usr/bin/env node',
      outro: 'start();',
    });
    const path = join(folder, 'coreiso.cjs');
    chmodSync(path, 0o755);
    const folders = output.flatMap(({ moduleIds = [] }) => moduleIds.flatMap((id) => PACKAGE.exec(id)?.[0] ?? []));
    return { script: path, bundled: [...new Set(folders)] };
  } finally {
    await bundle.close();
  }
}

/** Puts the program into a copy of this Node (https://nodejs.org/api/single-executable-applications.html). */
export function writeExecutable(script, folder) {
  const path = join(folder, `coreiso-${process.platform}-${process.arch}`);
  const scratch = mkdtempSync(join(tmpdir(), 'coreiso-sea-'));
  try {
    // Node keeps the path of the script as given: a relative one is the same everywhere.
    copyFileSync(script, join(scratch, 'coreiso.cjs'));
    const [config, blob] = ['config.json', 'blob'];
    const settings = { main: 'coreiso.cjs', output: blob, disableExperimentalSEAWarning: true };
    writeFileSync(join(scratch, config), JSON.stringify(settings));
    quietly(['--experimental-sea-config', config], scratch);
    const unsigned = join(scratch, 'node');
    copyFileSync(process.execPath, unsigned);
    chmodSync(unsigned, 0o755);
    const injector = createRequire(import.meta.url).resolve('postject/dist/cli.js');
    quietly([injector, unsigned, 'NODE_SEA_BLOB', join(scratch, blob), '--sentinel-fuse', FUSE], scratch);
    copyFileSync(unsigned, path);
    chmodSync(path, 0o755);
    return path;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Runs Node; prints its output only on failure, because the injector warns about sections that it leaves alone. */
function quietly(args, cwd) {
  execFileSync(process.execPath, args, { cwd, stdio: 'pipe' });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = resolve(process.argv[2] ?? 'release');
  mkdirSync(folder, { recursive: true });
  const { script } = await writeSingleFile(folder);
  console.log(script);
  if (process.platform === 'linux') console.log(writeExecutable(script, folder));
}
