// Regenerates the types of the values that tables read: node packages/nodes-config/scripts/generate.mjs
import { runGenerator } from '../../../scripts/run-generator.mjs';

await runGenerator('nodes-config');
