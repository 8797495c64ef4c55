import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareInputs } from './inputs.ts';
import { output, type RunOptions } from './programs.ts';
import { type Packed, packAll, startRegistry } from './registry.ts';

/** A folder outside the repository, with a registry that has the packed packages. */
export interface ScratchProject extends AsyncDisposable {
  readonly packages: readonly Packed[];
  readonly folder: string;
  /** Files for trying things on. */
  readonly inputs: string;
  /** The environment of package managers. */
  readonly env: NodeJS.ProcessEnv;
}

/** `others` are packages from this repository's `node_modules` that the registry has as well. */
export async function openShop(others: readonly string[] = []): Promise<ScratchProject> {
  const folder = mkdtempSync(join(tmpdir(), 'coreiso-packed-'));
  const [tarballs, inputs] = [join(folder, 'tarballs'), join(folder, 'inputs')];
  for (const path of [tarballs, inputs]) mkdirSync(path);
  await prepareInputs(inputs);
  const packages = await packAll(tarballs, others);
  const registry = await startRegistry(packages);
  return {
    packages,
    folder,
    inputs,
    env: {
      npm_config_registry: registry.url,
      npm_config_cache: join(folder, 'cache'),
      npm_config_store_dir: join(folder, 'store'),
      npm_config_audit: 'false',
      npm_config_fund: 'false',
      npm_config_update_notifier: 'false',
      // A setting in the developer's own shell would override the registry.
      npm_config_offline: 'false',
    },
    async [Symbol.asyncDispose]() {
      await registry[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The packages that a user installs, with all of coreiso. */
function ours({ packages }: ScratchProject): string[] {
  return packages.map(({ manifest }) => manifest.name).filter((name) => /^(?:@coreiso\/|coreiso$)/.test(name));
}

export interface Project {
  readonly folder: string;
  /** The launcher of the command line. */
  readonly coreiso: string;
}

export function emptyProject(shop: ScratchProject): string {
  const folder = mkdtempSync(join(shop.folder, 'project-'));
  writeFileSync(join(folder, 'package.json'), '{ "name": "someone", "private": true, "type": "module" }\n');
  return folder;
}

/** An empty project into which everything is installed from the registry. */
export async function npmProject(shop: ScratchProject, others: readonly string[] = []): Promise<Project> {
  const folder = emptyProject(shop);
  await npm(shop, ['install', ...ours(shop), ...others], { cwd: folder });
  return { folder, coreiso: join(folder, 'node_modules/.bin/coreiso') };
}

/** The same with pnpm, where a package finds only its declared dependencies. */
export async function pnpmProject(shop: ScratchProject, pnpm: string): Promise<Project> {
  const folder = emptyProject(shop);
  const args = [pnpm, 'add', '--config.hoist=false', '--config.node-linker=isolated', ...ours(shop)];
  await output(process.execPath, args, { cwd: folder, env: shop.env });
  return { folder, coreiso: join(folder, 'node_modules/.bin/coreiso') };
}

/** Only the command line, installed as by `npm install --global`. */
export async function globalInstall(shop: ScratchProject): Promise<Project> {
  const folder = mkdtempSync(join(shop.folder, 'prefix-'));
  await npm(shop, ['install', '--global', '--prefix', folder, 'coreiso'], { cwd: folder });
  return { folder, coreiso: join(folder, 'bin/coreiso') };
}

function npm(shop: ScratchProject, args: readonly string[], options: RunOptions): Promise<string> {
  return output('npm', args, { ...options, env: shop.env });
}
