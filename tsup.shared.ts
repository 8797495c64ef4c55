import { readFileSync } from 'node:fs';
import { defineConfig, type Options } from 'tsup';

interface Manifest {
  exports?: Record<string, string | Record<string, string>>;
}

/** One build for every package: the entries, and the names of what is built, are the keys of `exports`. */
export function buildFromExports(options: Options = {}): ReturnType<typeof defineConfig> {
  const manifest: Manifest = JSON.parse(readFileSync('package.json', 'utf8'));
  const entry = Object.fromEntries(
    Object.entries(manifest.exports ?? {}).flatMap(([key, target]) => {
      const source = typeof target === 'string' ? undefined : target['@coreiso/source'];
      return source === undefined ? [] : [[key === '.' ? 'index' : key.slice('./'.length), source]];
    }),
  );
  return defineConfig({
    entry,
    format: 'esm',
    target: 'es2022',
    platform: 'neutral',
    // Entries for Node name its types; that portable code does without them is for the type check to say.
    dts: { compilerOptions: { types: ['node'] } },
    clean: true,
    // Without splitting an error class would exist once per entry and `instanceof` would lie.
    splitting: true,
    ...options,
  });
}
