import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasProgram } from '../../test/support/tools.ts';
import { output, run } from './programs.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const canChroot = process.platform === 'linux' && process.getuid?.() === 0;

let folder: string;
/** Two releases of the same commit, each made in its own clone. */
let releases: readonly [string, string];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'coreiso-releases-'));
  releases = [join(folder, 'one'), join(folder, 'two')];
  for (const to of releases)
    await output(process.execPath, [join(root, 'scripts/release/release.mjs'), '--dry-run', '--to', to], { cwd: root });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (name: string): string => readFileSync(join(releases[0], name), 'utf8');
const digest = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');

test('two clean clones of a commit give the same files', () => {
  const [one, other] = releases.map((path) => readFileSync(join(path, 'SHA256SUMS'), 'utf8').trim().split('\n'));
  expect(one).toEqual(other);
  expect(one?.filter((line) => line.endsWith('.tgz')).length).toBeGreaterThanOrEqual(9);
});

test('SHA256SUMS has every file, with its digest', () => {
  const lines = readdirSync(releases[0])
    .filter((name) => name !== 'SHA256SUMS')
    .sort()
    .map((name) => `${digest(join(releases[0], name))}  ${name}\n`);
  expect(read('SHA256SUMS')).toBe(lines.join(''));
});

test('each package has a bill of materials that names its dependencies', () => {
  const tarballs = readdirSync(releases[0]).filter((name) => name.endsWith('.tgz'));
  for (const name of tarballs) {
    const bill = JSON.parse(read(name.replace('.tgz', '.cdx.json')));
    expect(bill).toMatchObject({
      bomFormat: 'CycloneDX',
      specVersion: '1.5',
      metadata: { component: { type: 'library' } },
    });
    const known = new Set([bill.metadata.component.purl, ...bill.components.map(({ purl }: { purl: string }) => purl)]);
    for (const { ref, dependsOn } of bill.dependencies)
      for (const one of [ref, ...dependsOn]) expect(known).toContain(one);
  }
});

test('the page has one entry of changes for each package, and no pending ones', () => {
  const page = read('RELEASE.md');
  const [, changes = ''] = page.split('\n## Changes\n');
  expect(changes.match(/^### .+$/gm)?.length).toBe(
    readdirSync(releases[0]).filter((name) => name.endsWith('.tgz')).length,
  );
  expect(page).not.toContain('VERSION');
  for (const section of changes.split(/^### .+$/m).slice(1)) expect(section.trim().length).toBeGreaterThan(100);
});

/** The commands of the page, as typed by a person with the files in the folder. */
function commands(): string {
  const [, block = ''] = /^## First image\n[\s\S]*?```sh\n([\s\S]*?)```/m.exec(read('RELEASE.md')) ?? [];
  expect(block).toContain('./coreiso iso inspect worker.iso');
  return block;
}

const executable = (): string => join(releases[0], `coreiso-linux-${process.arch}`);

/** A base with glibc and a shell, and nothing else. */
async function bareRoot(): Promise<string> {
  const bare = mkdtempSync(join(folder, 'root-'));
  for (const path of ['bin', 'tmp', 'work', 'dev']) mkdirSync(join(bare, path), { recursive: true });
  for (const [, library = ''] of (await output('ldd', [executable()])).matchAll(/(\/\S+) \(0x/g)) {
    mkdirSync(join(bare, dirname(library)), { recursive: true });
    copyFileSync(library, join(bare, library));
  }
  copyFileSync('/bin/busybox', join(bare, 'bin/sh'));
  chmodSync(join(bare, 'bin/sh'), 0o755);
  writeFileSync(join(bare, 'dev/null'), '');
  return bare;
}

describe('a user who has only', () => {
  let expected: string;
  beforeAll(async () => {
    const own = mkdtempSync(join(folder, 'npm-'));
    const launcher = join(root, 'packages/cli/bin/coreiso.cjs');
    const { status, stderr } = await typed(own, `${process.execPath} ${launcher}`);
    expect(status, stderr).toBe(0);
    expected = digest(join(own, 'worker.iso'));
  });

  const typed = (cwd: string, program: string) =>
    run('sh', ['-e', '-c', commands().replaceAll('./coreiso', program)], { cwd });

  test('the file for Node makes the same image from nothing', async () => {
    const cwd = mkdtempSync(join(folder, 'cjs-'));
    copyFileSync(join(releases[0], 'coreiso.cjs'), join(cwd, 'coreiso.cjs'));
    const { status, stdout, stderr } = await typed(cwd, `${process.execPath} coreiso.cjs`);
    expect(status, stderr).toBe(0);
    expect(stdout).toContain('customised');
    expect(digest(join(cwd, 'worker.iso'))).toBe(expected);
  });

  test.skipIf(!canChroot)('the program for Linux does so on a root without Node, npm or certificates', async () => {
    const bare = await bareRoot();
    copyFileSync(executable(), join(bare, 'work/coreiso'));
    chmodSync(join(bare, 'work/coreiso'), 0o755);
    const { status, stdout, stderr } = await run('chroot', [bare, '/bin/sh', '-e', '-c', `cd /work\n${commands()}`]);
    expect(status, stderr).toBe(0);
    expect(stdout).toContain('customised');
    expect(digest(join(bare, 'work/worker.iso'))).toBe(expected);
  });

  test('the tarballs installs them without a registry of coreiso', async () => {
    const cwd = mkdtempSync(join(folder, 'tgz-'));
    const tarballs = readdirSync(releases[0]).filter((name) => name.endsWith('.tgz'));
    for (const name of tarballs) copyFileSync(join(releases[0], name), join(cwd, name));
    const env = { npm_config_audit: 'false', npm_config_fund: 'false', npm_config_prefer_offline: 'true' };
    await output('npm', ['install', '--prefix', cwd, ...tarballs.map((name) => `./${name}`)], { cwd, env });
    const { status, stderr } = await typed(cwd, join(cwd, 'node_modules/.bin/coreiso'));
    expect(status, stderr).toBe(0);
    expect(digest(join(cwd, 'worker.iso'))).toBe(expected);
  });
});

test.skipIf(!canChroot || !hasProgram('podman'))(
  'the container file makes an image that starts the program',
  async () => {
    const [base, image] = ['localhost/coreiso-test-base', 'localhost/coreiso-test'];
    const bare = await bareRoot();
    const archive = join(folder, 'base.tar');
    await output('tar', ['-C', bare, '-cf', archive, '.']);
    await output('podman', ['import', '--quiet', archive, base]);
    try {
      const options = ['--quiet', '--network=none', '--build-arg', `BASE=${base}`, '-f', 'Containerfile', '-t', image];
      await output('podman', ['build', ...options, '.'], { cwd: releases[0] });
      const [{ Config }] = JSON.parse(await output('podman', ['image', 'inspect', image]));
      expect(Config).toMatchObject({ Entrypoint: ['/usr/local/bin/coreiso'], WorkingDir: '/work' });
      // Not `podman run`: containers that may not set limits cannot start others.
      const mounted = (await output('podman', ['image', 'mount', image])).trim();
      expect((await output('chroot', [mounted, ...Config.Entrypoint, '--version'])).trim()).toMatch(/^coreiso \d/);
    } finally {
      await run('podman', ['image', 'unmount', '--force', image]);
      await run('podman', ['rmi', '--force', image, base]);
    }
  },
);

test('publishing is refused outside the workflow, before any file is made', async () => {
  const to = join(folder, 'nothing');
  const { status, stderr } = await run(process.execPath, [join(root, 'scripts/release/release.mjs'), '--to', to], {
    env: { GITHUB_ACTIONS: '' },
  });
  expect([status, stderr]).toEqual([1, 'error: publishing happens in the release workflow; pass --dry-run here\n']);
  expect(() => readdirSync(to)).toThrow('ENOENT');
});
