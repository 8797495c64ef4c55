import { defineConfig } from 'rolldown';

/**
 * One program, split by command: starting `coreiso --help` loads a few kilobytes. CommonJS, because the loader of ES
 * modules takes as long to fetch twenty files as a short command takes to do its work; minified, because the rest of the
 * time goes into compiling.
 */
export default defineConfig({
  input: { index: 'src/main.ts' },
  preserveEntrySignatures: 'allow-extension',
  platform: 'node',
  external: ['xz-decompress'],
  resolve: { conditionNames: ['@coreiso/source', 'node', 'import', 'default'] },
  output: {
    dir: 'dist',
    cleanDir: true,
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
    minify: true,
    codeSplitting: {
      includeDependenciesRecursively: false,
      // What many commands share comes in one file: loading another takes as long as compiling ten kilobytes more.
      groups: [{ name: 'image', test: /packages.iso|cli.src.(drop-in|frame.source)/, minShareCount: 6 }],
    },
  },
});
