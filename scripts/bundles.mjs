// Prints the size of each package in a page: the gzip size of its entry, bundled with its dependencies and minified, and
// the folders that the code comes from. Code loaded on demand is in other files and does not count.
//   node scripts/bundles.mjs [PACKAGE ...]
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
const PACKAGES = ['diagnostics', 'iso', 'ignition', 'nmstate', 'nodes-config', 'openshift', 'language'];
const named = process.argv.slice(2);
const ENTRY = '\0entry';

for (const name of named.length > 0 ? named : [...PACKAGES, 'everything']) {
  const wanted = name === 'everything' ? PACKAGES : [name];
  const { code, modules } = await bundled(wanted);
  const total = gzipSync(code, { level: 9 }).length;
  console.log(`${name}: ${(total / 1000).toFixed(1)} KB`);
  for (const [folder, share] of shares(modules)) {
    if (share >= 0.01) console.log(`  ${((share * total) / 1000).toFixed(1).padStart(6)} KB  ${folder}`);
  }
}

/** The code that a page with these packages loads at first. */
async function bundled(packages) {
  const bundle = await rolldown({
    input: ENTRY,
    platform: 'browser',
    external: [/^node:/],
    resolve: { conditionNames: ['@coreiso/source', 'browser', 'import', 'default'] },
    plugins: [entryOf(packages)],
    logLevel: 'silent',
  });
  try {
    const { output } = await bundle.generate({ format: 'esm', minify: true });
    const entry = output.find((file) => file.type === 'chunk' && file.isEntry);
    const files = new Set([entry]);
    for (const { imports } of files) for (const name of imports) addIfHere(files, output, name);
    return {
      code: [...files].map((file) => file.code).join(''),
      modules: Object.assign({}, ...[...files].map((file) => file.modules)),
    };
  } finally {
    await bundle.close();
  }
}

function addIfHere(files, output, name) {
  const file = output.find((one) => one.fileName === name);
  if (file !== undefined) files.add(file);
}

function entryOf(packages) {
  const paths = packages.map((name) => join(root, 'packages', name, 'src/index.ts'));
  return {
    name: 'entry',
    resolveId: (id) => (id === ENTRY ? id : undefined),
    load: (id) => (id === ENTRY ? paths.map((path) => `export * from ${JSON.stringify(path)};`).join('\n') : undefined),
  };
}

/** Parts by folder, the largest first: shares of the uncompressed text. */
function shares(modules) {
  const sizes = new Map();
  let total = 0;
  for (const [id, { renderedLength }] of Object.entries(modules)) {
    const outside = /^.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1];
    const folder = outside ?? relative(root, dirname(id)).replace(/^packages\//, '');
    sizes.set(folder, (sizes.get(folder) ?? 0) + renderedLength);
    total += renderedLength;
  }
  return [...sizes].map(([folder, size]) => [folder, size / total]).sort((a, b) => b[1] - a[1]);
}
