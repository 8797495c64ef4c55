import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (...path: string[]): string => readFileSync(join(root, ...path), 'utf8');

interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly link?: true;
  readonly hasInstallScript?: true;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly integrity?: string;
}

const lock: Readonly<Record<string, Locked>> = JSON.parse(read('package-lock.json')).packages;

const published = ['packages', 'examples']
  .flatMap((parent) => readdirSync(join(root, parent)).map((name) => `${parent}/${name}`))
  .map((folder) => ({ folder, manifest: JSON.parse(read(folder, 'package.json')) }))
  .filter(({ manifest }) => manifest.private !== true);

/** Scripts that an installation runs. */
const AT_INSTALLATION = ['preinstall', 'install', 'postinstall', 'prepare', 'preprepare', 'postprepare'];

/** Licences that permit redistribution together with our code. */
const COMPATIBLE = ['MIT', '(MIT AND Zlib)', 'BSD-3-Clause', 'Apache-2.0', 'ISC', 'LGPL-3.0+'];

/** All dependencies of the published packages: path in the lock file → its entry. */
const installed = new Map<string, Locked>();
const visit = (path: string): void => {
  for (const name of Object.keys(lock[path]?.dependencies ?? {})) {
    const found = place(name, path);
    const entry = lock[found];
    if (entry === undefined || entry.link === true || installed.has(found)) continue;
    installed.set(found, entry);
    visit(found);
  }
};
for (const { folder } of published) visit(folder);

/** As Node resolves it: beside the package that needs it, then further up. */
function place(name: string, from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', name);
    if (path in lock || folder === '.') return path;
  }
}

const nameOf = (path: string): string => path.replace(/^.*node_modules\//, '');

describe('an installation', () => {
  test('brings about twelve dependencies, each with its digest', () => {
    expect(installed.size).toBeGreaterThan(5);
    expect(installed.size).toBeLessThanOrEqual(13);
    for (const [path, { integrity }] of installed) expect(integrity, path).toMatch(/^sha512-/);
  });

  test('runs no scripts', () => {
    for (const [path, { hasInstallScript }] of installed) {
      expect(hasInstallScript, path).toBeUndefined();
      const { scripts = {}, gypfile } = JSON.parse(read(path, 'package.json'));
      expect(
        AT_INSTALLATION.slice(0, 3).filter((name) => name in scripts),
        path,
      ).toEqual([]);
      // npm builds every package that has one, without a script.
      expect(gypfile, path).toBeUndefined();
      expect(readdirSync(join(root, path)), path).not.toContain('binding.gyp');
    }
    for (const { folder, manifest } of published) {
      expect(
        Object.keys(manifest.scripts ?? {}).filter((name) => AT_INSTALLATION.includes(name)),
        folder,
      ).toEqual([]);
    }
  });

  test('brings no package whose licence forbids it', () => {
    for (const [path, { license = 'none' }] of installed) {
      expect(COMPATIBLE, path).toContain(license);
      expect(JSON.parse(read(path, 'package.json')).license, path).toBe(license);
    }
  });

  test('is listed in docs/decisions.md, with terms and reasons', () => {
    const [, section = ''] = read('docs/decisions.md').split('## What is installed with the packages');
    const rows = [...section.matchAll(/^\| `([^`]+)` *\| ([^|]+?) *\| ([^|]+?) *\|$/gm)];
    expect(rows.map(([, name, terms]) => `${name}: ${terms}`).sort()).toEqual(
      [...installed]
        .map(([path, { license = '' }]) => `${nameOf(path)}: ${license.replace(/^\((.*)\)$/, '$1')}`)
        .sort(),
    );
    for (const [, name, , reason = ''] of rows) expect(reason.length, name).toBeGreaterThan(10);
  });

  test('brings no optional peer', () => {
    for (const { folder, manifest } of published) {
      for (const name of Object.keys(manifest.peerDependencies ?? {})) {
        expect(manifest.peerDependenciesMeta?.[name], `${folder}: ${name}`).toEqual({ optional: true });
        expect([...installed.keys()].map(nameOf)).not.toContain(name);
        expect(read('docs/decisions.md')).toContain(`\`${name}\``);
      }
    }
  });
});

describe('the workflows', () => {
  const workflows = readdirSync(join(root, '.github/workflows')).map((name) => [name, read('.github/workflows', name)]);

  test.each(workflows)('%s pins actions by hash, has the fewest rights and keeps no credentials', (_, text = '') => {
    const actions = [...text.matchAll(/uses: (\S+)/g)].map(([, action]) => action);
    expect(actions.filter((action) => !/@[0-9a-f]{40}$/.test(action ?? ''))).toEqual([]);
    expect(text).toMatch(/^permissions: \{ contents: read \}$/m);
    const checkouts = text.match(/actions\/checkout@/g)?.length ?? 0;
    expect(text.match(/persist-credentials: false/g)?.length).toBe(checkouts);
    expect(text).not.toMatch(/NPM_TOKEN|NODE_AUTH_TOKEN|pull_request_target/);
  });

  test('publish only in the release workflow', () => {
    const publishing = workflows.filter(([, text = '']) => /npm (?:run release|publish)(?! -- --dry-run)/.test(text));
    expect(publishing.map(([name]) => name)).toEqual(['release.yml']);
  });
});
