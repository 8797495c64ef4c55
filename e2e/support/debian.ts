import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { output } from '../../test/support/tools.ts';

/** The folder of downloaded packages and built guests, kept between runs and never in the clone. */
export const CACHE: string = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'coreiso-guest');

/**
 * Makes a folder once for each set of inputs: `make` fills a temporary folder, which takes its place only when
 * complete. Other inputs have another name, so that an outdated guest is never booted.
 */
export function once(name: string, madeOf: readonly (string | Uint8Array)[], make: (folder: string) => void): string {
  const digest = createHash('sha256');
  for (const part of madeOf) digest.update(`${part.length}\n`).update(part);
  const folder = join(CACHE, `${name}-${digest.digest('hex').slice(0, 16)}`);
  if (existsSync(folder)) return folder;
  const scratch = `${folder}.${process.pid}`;
  mkdirSync(scratch, { recursive: true });
  try {
    make(scratch);
    renameSync(scratch, folder);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return folder;
}

/** Unpacks Debian packages with all their dependencies into a folder, as on an empty machine. Runs none of their scripts. */
export function unpackPackages(packages: readonly string[], folder: string): void {
  const debs = once('packages', packages, (scratch) => {
    mkdirSync(join(scratch, 'partial'));
    const nothingInstalled = ['-o', 'Dir::State::status=/dev/null'];
    const here = ['-o', `Dir::Cache::archives=${scratch}`, '-o', 'APT::Keep-Downloaded-Packages=true'];
    const quietly = ['-y', '-q', '--download-only', '--no-install-recommends'];
    output('apt-get', ['install', ...quietly, ...nothingInstalled, ...here, ...packages]);
  });
  for (const deb of readdirSync(debs).filter((file) => file.endsWith('.deb'))) unpack(join(debs, deb), folder);
}

/** Follows links in place of folders: `/bin` is `/usr/bin`. */
function unpack(deb: string, folder: string): void {
  const files = output('dpkg-deb', ['--fsys-tarfile', deb]);
  output('tar', ['-x', '--keep-directory-symlink', '-C', folder], { input: files });
}

/** The cloud kernel of this Debian release, unpacked, and the dependencies of its modules. */
export function kernel(): { readonly folder: string; readonly release: string; readonly image: string } {
  const depends = output('apt-cache', ['depends', 'linux-image-cloud-amd64']).toString();
  const name = /Depends: (linux-image-\S+)/.exec(depends)?.[1];
  if (name === undefined) throw new Error('apt knows no linux-image-cloud-amd64: run apt-get update');
  const folder = once('kernel', [name], (scratch) => {
    output('apt-get', ['download', '-q', name], { cwd: scratch });
    for (const deb of readdirSync(scratch)) unpack(join(scratch, deb), scratch);
    const [release = ''] = readdirSync(join(scratch, 'lib/modules'));
    output('depmod', ['-b', scratch, release]);
  });
  const [release = ''] = readdirSync(join(folder, 'lib/modules'));
  return { folder, release, image: join(folder, `boot/vmlinuz-${release}`) };
}
