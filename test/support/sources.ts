import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root: string = fileURLToPath(new URL('../..', import.meta.url));

/** All packages, and those that programs import. */
export const allPackages: readonly string[] = readdirSync(join(root, 'packages')).filter((name) =>
  existsSync(join(root, 'packages', name, 'package.json')),
);
export const packages: readonly string[] = allPackages.filter((name) => isLibrary(join(root, 'packages', name)));

function isLibrary(folder: string): boolean {
  const { exports, private: isPrivate } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return exports !== undefined && isPrivate !== true;
}

/** With the parent folder, because a package may have the name of an example. */
export const examples: readonly string[] = readdirSync(join(root, 'examples')).map((name) => `examples/${name}`);

/** A TypeScript file of a package or an example; paths have slashes everywhere. */
export interface Source {
  /** The package or the example, as in the lists above. */
  readonly name: string;
  /** From the root of the repository. */
  readonly path: string;
  /** From `src` of its package. */
  readonly file: string;
  readonly text: string;
}

export const sources: readonly Source[] = allPackages.flatMap((name) => sourcesOf(name, `packages/${name}`));

export const exampleSources: readonly Source[] = examples.flatMap((name) => sourcesOf(name, name));

function sourcesOf(name: string, parent: string): Source[] {
  const folder = join(root, parent, 'src');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => {
      return { name, path: `${parent}/src/${file}`, file, text: readFileSync(join(folder, file), 'utf8') };
    });
}

/** The imports and re-exports of a text, types included. */
export function imports(text: string): string[] {
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, specifier = '']) => specifier);
}

/** The file of the same package that a relative specifier names, from `src`. */
export function resolveRelative(file: string, specifier: string): string {
  return join(dirname(file), specifier).replaceAll('\\', '/');
}
