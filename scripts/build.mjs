// Builds the workspaces, or those that are named:  node scripts/build.mjs [FOLDER ...]
// A library is built from the entries of its `exports`, with declarations made file by file; everything else has a
// rolldown.config.ts. One line when all is well, the bundler's own words when something fails.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { loadConfig } from 'rolldown/config';
import { dts } from 'rolldown-plugin-dts';

const root = fileURLToPath(new URL('..', import.meta.url));
const begun = performance.now();
const named = process.argv.slice(2).map((folder) => relative(root, join(process.cwd(), folder)));
const folders = named.length > 0 ? named : workspaces();
const results = await Promise.allSettled(folders.map(build));
const failed = results.flatMap(({ status, reason }, index) =>
  status === 'rejected' ? [[folders[index], reason]] : [],
);
for (const [folder, reason] of failed) console.error(`${folder}: ${reason?.message ?? reason}`);
if (failed.length > 0) process.exitCode = 1;
else console.log(`built ${folders.length} workspaces in ${((performance.now() - begun) / 1000).toFixed(1)} s`);

function workspaces() {
  const inside = ['packages', 'examples'].flatMap((parent) =>
    readdirSync(join(root, parent)).map((name) => join(parent, name)),
  );
  return [...inside, 'bench'].filter((folder) => manifestOf(join(root, folder)).scripts?.build !== undefined);
}

function manifestOf(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

async function build(folder) {
  const cwd = join(root, folder);
  if (!existsSync(join(cwd, 'rolldown.config.ts'))) return write(libraryOptions(cwd));
  const config = await loadConfig(join(cwd, 'rolldown.config.ts'));
  for (const options of [config].flat()) await write({ ...options, cwd });
}

async function write({ output, ...input }) {
  const bundle = await rolldown({ ...input, checks: { pluginTimings: false } });
  try {
    await bundle.write({ ...output, dir: join(input.cwd, output.dir) });
  } finally {
    await bundle.close();
  }
}

/** The entries of a library, and the names of what is built, are the keys of its `exports`. */
function libraryOptions(cwd) {
  const manifest = manifestOf(cwd);
  const input = Object.fromEntries(
    Object.entries(manifest.exports).flatMap(([key, target]) =>
      typeof target === 'string' ? [] : [[key === '.' ? 'index' : key.slice('./'.length), target['@coreiso/source']]],
    ),
  );
  const others = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
  return {
    cwd,
    input,
    external: [/^node:/, ...others.map((name) => new RegExp(`^${name}(?:/|$)`))],
    platform: 'neutral',
    resolve: { conditionNames: ['@coreiso/source', 'import', 'default'] },
    transform: { target: 'es2022' },
    plugins: [
      dts({
        tsconfig: false,
        oxc: manifest.name !== '@coreiso/nodes-config',
        eager: true,
        compilerOptions: { customConditions: ['@coreiso/source'] },
      }),
    ],
    output: { dir: 'dist', cleanDir: true, format: 'esm', chunkFileNames: '[name]-[hash].js' },
  };
}
