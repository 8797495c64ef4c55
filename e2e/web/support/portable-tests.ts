// Finds test files that need nothing that a page lacks, by their imports and the imports of those.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { allPackages, imports, root } from '../../../test/support/sources.ts';

const ELSEWHERE = /^node:|\/node$|^(?:js-yaml|undici|ajv|vite|typescript)\b/;
const OF_NODE = /\b(?:process|Buffer|global)\.|\bvi\.|\bsetImmediate\b|fileURLToPath/;

/** Paths from the root of the repository. */
export function portableTests(): readonly string[] {
  const known = new Map<string, boolean>();
  const isPortable = (path: string): boolean => {
    const before = known.get(path);
    if (before !== undefined) return before;
    // Imports may be circular.
    known.set(path, true);
    const text = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
    const isFine =
      text !== undefined &&
      !OF_NODE.test(text) &&
      imports(text).every((name) =>
        name.startsWith('.') ? isPortable(join(dirname(path), name)) : !ELSEWHERE.test(name),
      );
    known.set(path, isFine);
    return isFine;
  };
  return allPackages
    .filter((name) => name !== 'cli')
    .flatMap((name) => {
      const folder = join('packages', name, 'test');
      const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
      return files.filter((file) => /(?<!\.alone)\.test\.ts$/.test(file)).map((file) => join(folder, file));
    })
    .filter((path) => isPortable(join(root, path)))
    .sort();
}
