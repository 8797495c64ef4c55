import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'rolldown';

const jobs = readdirSync(fileURLToPath(new URL('src/jobs', import.meta.url)));

export default defineConfig([
  {
    input: {
      main: 'src/main.ts',
      ...Object.fromEntries(jobs.map((file) => [`jobs/${file.replace(/\.ts$/, '')}`, `src/jobs/${file}`])),
    },
    platform: 'node',
    external: [/^(?!@oxc-project\/)[@a-z]/],
    transform: { target: 'es2022' },
    output: { dir: 'dist', cleanDir: true, format: 'esm' },
  },
  // Code for a page is bundled into one file.
  {
    input: { 'page/stream': 'src/page/stream.ts' },
    platform: 'browser',
    resolve: { conditionNames: ['@coreiso/source', 'import', 'default'] },
    transform: { target: 'es2022' },
    output: { dir: 'dist', format: 'iife' },
  },
]);
