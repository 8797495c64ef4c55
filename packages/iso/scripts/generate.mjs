// Regenerates the recipes of the sample images with the program `xz`: node packages/iso/scripts/generate.mjs
import { execFileSync } from 'node:child_process';
import { runGenerator } from '../../../scripts/run-generator.mjs';

const [program, ...options] = ['xz', '-9', '-T1', '--check=crc64', '--stdout'];
await runGenerator('iso', async (input) => execFileSync(program, options, { input }));
