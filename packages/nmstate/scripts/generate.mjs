// Regenerates the TypeScript types from the tables of inputs: node packages/nmstate/scripts/generate.mjs
import { runGenerator } from '../../../scripts/run-generator.mjs';

await runGenerator('nmstate');
