import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { output } from './programs.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Folders of published packages. */
export const PUBLISHED: readonly string[] = ['packages', 'examples']
  .flatMap((parent) => readdirSync(join(root, parent)).map((name) => join(parent, name)))
  .filter((folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')).private !== true);

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, unknown>>;
}

/** A package in its published form. */
export interface Packed {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly tarball: Buffer;
  /** Paths inside the tarball. */
  readonly files: readonly string[];
}

/** Packs a folder as `npm publish` would. */
async function pack(folder: string, scratch: string): Promise<Packed> {
  const manifest: Manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const args = ['pack', join(root, folder), '--json', '--ignore-scripts', '--pack-destination', scratch];
  const [{ filename, files }] = JSON.parse(await output('npm', args));
  return {
    folder,
    manifest,
    tarball: readFileSync(join(scratch, filename.replace('@', '').replace('/', '-'))),
    files: files.map(({ path }: { path: string }) => path),
  };
}

/** All published packages and their dependencies, as installed here. */
export async function packAll(scratch: string, others: readonly string[] = []): Promise<Packed[]> {
  const packed: Packed[] = [];
  for (const folder of PUBLISHED) packed.push(await pack(folder, scratch));
  const names = [...packed.flatMap(dependenciesOf), ...others];
  for (let name = names.pop(); name !== undefined; name = names.pop()) {
    if (packed.some(({ manifest }) => manifest.name === name)) continue;
    const one = await pack(join('node_modules', name), scratch);
    packed.push(one);
    names.push(...dependenciesOf(one));
  }
  return packed;
}

function dependenciesOf({ manifest }: Packed): string[] {
  return Object.keys(manifest.dependencies ?? {});
}

export interface Registry extends AsyncDisposable {
  readonly url: string;
}

/** A registry on loopback that has only these packages. */
export async function startRegistry(packages: readonly Packed[]): Promise<Registry> {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '/').slice(1);
    const wanted = packages.find(({ manifest }) => path === manifest.name || path === `${manifest.name}.tgz`);
    if (wanted === undefined) response.writeHead(404).end('{}');
    else if (path.endsWith('.tgz')) response.end(wanted.tarball);
    else response.setHeader('content-type', 'application/json').end(JSON.stringify(packument(wanted, url())));
  });
  const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: url(),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function packument({ manifest, tarball }: Packed, url: string): object {
  const { name, version } = manifest;
  const dist = {
    tarball: `${url}${name}.tgz`,
    shasum: createHash('sha1').update(tarball).digest('hex'),
    integrity: `sha512-${createHash('sha512').update(tarball).digest('base64')}`,
  };
  return { name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } };
}
