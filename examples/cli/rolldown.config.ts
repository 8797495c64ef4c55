import { defineConfig } from 'rolldown';

export default defineConfig({
  input: 'src/main.ts',
  platform: 'node',
  external: [/^(?!@oxc-project\/)[@a-z]/],
  transform: { target: 'es2022' },
  output: { dir: 'dist', cleanDir: true, format: 'esm' },
});
