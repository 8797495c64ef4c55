// Builds the named workspaces, or all; with --to-run only those that they need at run time, without declarations.
//   node scripts/build.mjs [[--to-run] FOLDER ...]
// A library is built from the entries of its `exports`, with declarations made file by file; everything else has a
// rolldown.config.ts, or a vite.config.ts if it is a page. Prints one line on success, and the bundler's own words on failure.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { rolldown } from 'rolldown';
import { loadConfig } from 'rolldown/config';
import { dts } from 'rolldown-plugin-dts';

const root = fileURLToPath(new URL('..', import.meta.url));
const begun = performance.now();
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'to-run': { type: 'boolean', default: false } },
});
const named = positionals.map((folder) => relative(root, join(process.cwd(), folder)));
const isToRun = values['to-run'];
const folders = named.length === 0 ? workspaces() : isToRun ? withDependencies(named) : named;
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

/** The workspaces and those that they import at run time. */
function withDependencies(wanted) {
  const byName = new Map(workspaces().map((folder) => [manifestOf(join(root, folder)).name, folder]));
  const found = new Set(wanted);
  for (const folder of found) {
    const { dependencies = {} } = manifestOf(join(root, folder));
    for (const name of Object.keys(dependencies)) if (byName.has(name)) found.add(byName.get(name));
  }
  return [...found];
}

function manifestOf(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

async function build(folder) {
  const cwd = join(root, folder);
  if (existsSync(join(cwd, 'vite.config.ts'))) {
    const vite = await import('vite');
    return await vite.build({ configFile: join(cwd, 'vite.config.ts'), logLevel: 'warn' });
  }
  if (!existsSync(join(cwd, 'rolldown.config.ts'))) return write(libraryOptions(cwd));
  const config = await loadConfig(join(cwd, 'rolldown.config.ts'));
  for (const options of [config].flat()) await write({ ...options, cwd });
}

async function write({ output, ...input }) {
  const bundle = await rolldown({ ...input, checks: { pluginTimings: false } });
  try {
    const written = await bundle.write({ ...output, dir: join(input.cwd, output.dir) });
    refuseCircles(written.output);
  } finally {
    await bundle.close();
  }
}

/** In a cycle of files one of them may see missing imports: it depends on which is loaded first. */
function refuseCircles(output) {
  const importsOf = new Map(output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file.imports]] : [])));
  const finished = new Set();
  const visit = (name, path) => {
    if (path.includes(name)) throw new Error(`files load each other: ${[...path, name].join(' > ')}`);
    if (finished.has(name)) return;
    for (const next of importsOf.get(name) ?? []) visit(next, [...path, name]);
    finished.add(name);
  };
  for (const name of importsOf.keys()) visit(name, []);
}

/** The entries of a library, and the names of the built files, are the keys of its `exports`. */
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
    plugins: isToRun ? [] : [declarations()],
    output: { dir: 'dist', cleanDir: true, format: 'esm', chunkFileNames: '[name]-[hash].js' },
  };
}

function declarations() {
  return dts({
    tsconfig: false,
    oxc: true,
    eager: true,
    compilerOptions: { customConditions: ['@coreiso/source'] },
  });
}
