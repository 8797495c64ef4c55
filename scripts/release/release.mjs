// Makes a release: versions, changelogs, tarballs, the program as one file, bills of materials, digests; then publishes it.
//   npm run release -- --dry-run [--to DIR]     everything except publishing, from the last commit (DIR: release/)
//   npm run release                             in the release workflow only: npm accepts it by that workflow's identity
// A dry run applies pending changesets in its own clone; a real run refuses while any is pending.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

/** A reason to stop that needs no stack trace. */
class Refusal extends Error {}

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values } = parseArgs({
  options: { 'dry-run': { type: 'boolean', default: false }, to: { type: 'string', default: 'release' } },
});
const isDry = values['dry-run'];
const target = resolve(process.env.INIT_CWD ?? '.', values.to);

const scratch = mkdtempSync(join(tmpdir(), 'coreiso-release-'));
try {
  await release(isDry ? clone : () => root);
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  console.error(`error: ${error.message}`);
  process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function release(prepare) {
  if (!isDry && process.env.GITHUB_ACTIONS !== 'true') {
    fail('publishing happens in the release workflow; pass --dry-run here');
  }
  const source = prepare();
  const pending = readdirSync(join(source, '.changeset')).filter(
    (file) => file.endsWith('.md') && file !== 'README.md',
  );
  if (pending.length > 0) {
    if (!isDry) fail(`changesets are pending: ${pending.join(', ')}; run npm run version-packages and commit`);
    step('versions and changelogs', () => run('npm', ['run', '--silent', 'version-packages'], source));
  }
  const packages = published(source);
  const [version] = new Set(packages.map(({ manifest }) => manifest.version));
  if (!isDry && process.env.GITHUB_REF_NAME !== `v${version}`) {
    fail(`the tag is ${process.env.GITHUB_REF_NAME}, the packages are ${version}`);
  }
  step('build', () => run('npm', ['run', '--silent', 'build'], source));

  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const tarballs = packages.map(({ folder, manifest }) => step(`${manifest.name} ${version}`, () => pack(folder)));
  const { writeExecutable, writeSingleFile } = await import(
    pathToFileURL(join(source, 'scripts/release/single-file.mjs')).href
  );
  const { script, bundled } = await writeSingleFile(target);
  step('coreiso.cjs', () => undefined);
  if (process.platform === 'linux') step('executable', () => writeExecutable(script, target));
  const { billOfMaterials } = await import(pathToFileURL(join(source, 'scripts/release/sbom.mjs')).href);
  for (const { folder, manifest } of packages) {
    const parts = manifest.name === 'coreiso' ? bundled : [];
    const text = JSON.stringify(billOfMaterials(folder, manifest, parts), undefined, 2);
    writeFileSync(join(target, `${fileNameOf(manifest)}.cdx.json`), `${text}\n`);
  }
  step('bills of materials', () => undefined);
  copyFileSync(join(source, 'scripts/release/Containerfile'), join(target, 'Containerfile'));
  writeFileSync(join(target, 'RELEASE.md'), releasePage(packages, version));
  writeFileSync(join(target, 'SHA256SUMS'), digests());
  if (isDry) console.log(`coreiso ${version} is in ${target}; nothing was published`);
  else for (const tarball of tarballs) run('npm', ['publish', tarball, '--provenance', '--access', 'public'], source);
}

/** The last commit, installed in a clone, where versions can be changed without a trace. */
function clone() {
  const source = join(scratch, 'source');
  step('clone', () => run('git', ['clone', '--quiet', root, source], scratch));
  step('install', () => run('npm', ['ci', '--silent', '--no-audit', '--no-fund', '--prefer-offline'], source));
  return source;
}

/** Packages in dependency order. */
function published(source) {
  const all = readdirSync(join(source, 'packages'))
    .map((name) => join(source, 'packages', name))
    .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) }))
    .filter(({ manifest }) => manifest.private !== true);
  const ordered = new Set();
  const add = (one) => {
    for (const other of all) if (other.manifest.name in (one.manifest.dependencies ?? {})) add(other);
    ordered.add(one);
  };
  for (const one of all) add(one);
  return [...ordered];
}

function pack(folder) {
  const [{ filename }] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', target], folder));
  return join(target, filename.replace('@', '').replace('/', '-'));
}

function fileNameOf({ name, version }) {
  return `${name.replace('@', '').replace('/', '-')}-${version}`;
}

/** The page beside the files: how to use them, and the changes. */
function releasePage(packages, version) {
  const text = readFileSync(new URL('release-page.md', import.meta.url), 'utf8').replaceAll('VERSION', version);
  const changes = packages.map(({ folder, manifest }) => {
    const [, latest = ''] = readFileSync(join(folder, 'CHANGELOG.md'), 'utf8').split(/^## .*$/m);
    return `### ${manifest.name}\n\n${latest.replace(/^### .*\n/gm, '').trim()}\n`;
  });
  return `${text}\n## Changes\n\n${changes.join('\n')}`;
}

function digests() {
  const files = readdirSync(target).filter((file) => file !== 'SHA256SUMS');
  const line = (file) =>
    `${createHash('sha256')
      .update(readFileSync(join(target, file)))
      .digest('hex')}  ${file}\n`;
  return files.sort().map(line).join('');
}

function step(name, work) {
  const begun = performance.now();
  const result = work();
  console.log(`${name} (${((performance.now() - begun) / 1000).toFixed(1)} s)`);
  return result;
}

function run(program, args, cwd) {
  try {
    return execFileSync(program, args, { cwd, encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    fail(`${[program, ...args].join(' ')}\n${error.stdout}${error.stderr}`);
  }
}

function fail(message) {
  throw new Refusal(message);
}
