import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { defineConfig, type Options } from 'tsup';

interface Manifest {
  exports?: Record<string, string | Record<string, string>>;
}

/** One build for every package: the entries are those that `package.json` promises under `@coreiso/source`. */
export function buildFromExports(options: Options = {}): ReturnType<typeof defineConfig> {
  const manifest: Manifest = JSON.parse(readFileSync('package.json', 'utf8'));
  const sources = Object.values(manifest.exports ?? {}).flatMap((target) =>
    typeof target === 'string' ? [] : (target['@coreiso/source'] ?? []),
  );
  return defineConfig({
    entry: Object.fromEntries(sources.map((source) => [basename(source, '.ts'), source])),
    format: 'esm',
    target: 'es2022',
    platform: 'neutral',
    dts: true,
    clean: true,
    // Without splitting an error class would exist once per entry and `instanceof` would lie.
    splitting: true,
    ...options,
  });
}
