// Regenerates the TypeScript types and the docs of keys from the tables of inputs: node packages/nmstate/scripts/generate.mjs
import { fileURLToPath } from 'node:url';
import { runGenerator } from '../../../scripts/run-generator.mjs';

await runGenerator('nmstate', fileURLToPath(new URL('../src', import.meta.url)));
