// Checks the types of portable code, then of everything else, with the native compiler. TypeScript 7 has another name here,
// because tools that need the classic API find version 5 under its own name.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const compiler = fileURLToPath(new URL('../node_modules/typescript-7/bin/tsc', import.meta.url));
const projects = ['tsconfig.json', 'scripts/tsconfig.node.json'];
const failed = projects.filter(
  (project) => spawnSync(process.execPath, [compiler, '-p', project], { stdio: 'inherit' }).status !== 0,
);
process.exitCode = failed.length > 0 ? 1 : 0;
