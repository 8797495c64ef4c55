// Regenerates the types and JSON Schemas from the table of fields: node packages/ignition/scripts/generate.mjs
import { runGenerator } from '../../../scripts/run-generator.mjs';

await runGenerator('ignition');
