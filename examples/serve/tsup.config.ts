import { defineConfig } from 'tsup';

export default defineConfig({
  entry: ['src/*.ts'],
  format: 'esm',
  target: 'es2022',
  platform: 'node',
  clean: true,
  splitting: true,
});
