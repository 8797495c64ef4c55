import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { output } from '../../test/support/tools.ts';

/** Where downloaded packages and built guests are kept between runs. */
export const CACHE: string = process.env['COREISO_BOOT_CACHE'] ?? join(tmpdir(), 'coreiso-boot');

/** Makes a folder once: `make` fills a temporary one that takes its place only when complete. */
export function once(name: string, make: (folder: string) => void): string {
  const folder = join(CACHE, name);
  if (existsSync(folder)) return folder;
  const scratch = `${folder}.${process.pid}`;
  mkdirSync(scratch, { recursive: true });
  make(scratch);
  renameSync(scratch, folder);
  return folder;
}

/** Debian packages with what they need, unpacked and never installed: NetworkManager would start on this machine. */
export function unpackedPackages(
  name: string,
  packages: readonly string[],
  needs: 'alone' | 'with dependencies',
): string {
  return once(name, (folder) => {
    const debs = join(folder, '.debs');
    mkdirSync(join(debs, 'partial'), { recursive: true });
    if (needs === 'alone') output('apt-get', ['download', '-q', ...packages], { cwd: debs });
    else {
      const cache = `Dir::Cache::archives=${debs}`;
      output('apt-get', [
        'install',
        '-y',
        '-q',
        '--download-only',
        '--no-install-recommends',
        '-o',
        cache,
        ...packages,
      ]);
    }
    for (const deb of readdirSync(debs).filter((file) => file.endsWith('.deb'))) {
      output('dpkg-deb', ['-x', join(debs, deb), folder]);
    }
    rmSync(debs, { recursive: true });
  });
}

/** The cloud kernel of this Debian release: its image and modules. */
export function kernel(): { readonly image: string; readonly modules: string } {
  const depends = output('apt-cache', ['depends', 'linux-image-cloud-amd64']).toString();
  const name = /Depends: (linux-image-\S+)/.exec(depends)?.[1];
  if (name === undefined) throw new Error('apt knows no linux-image-cloud-amd64: run apt-get update');
  const folder = unpackedPackages(name, [name], 'alone');
  const image = readdirSync(join(folder, 'boot')).find((file) => file.startsWith('vmlinuz-'));
  return { image: join(folder, 'boot', image ?? ''), modules: join(folder, 'lib', 'modules') };
}
