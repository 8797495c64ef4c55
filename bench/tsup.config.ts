import { defineConfig } from 'tsup';

export default defineConfig([
  {
    entry: ['src/main.ts', 'src/jobs/*.ts'],
    format: 'esm',
    target: 'es2022',
    platform: 'node',
    clean: true,
    splitting: true,
  },
  // What runs in a page comes as one file.
  {
    entry: { 'page/stream': 'src/page/stream.ts' },
    format: 'iife',
    target: 'es2022',
    platform: 'browser',
    noExternal: [/./],
    splitting: false,
    esbuildOptions(options) {
      options.conditions = ['@coreiso/source'];
    },
  },
]);
