import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'rolldown';

const programs = readdirSync(fileURLToPath(new URL('src', import.meta.url)));

export default defineConfig({
  input: programs.map((file) => `src/${file}`),
  platform: 'node',
  external: [/^(?!@oxc-project\/)[@a-z]/],
  transform: { target: 'es2022' },
  output: { dir: 'dist', cleanDir: true, format: 'esm' },
});
