#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { basename } from 'node:path';

const program = new URL('../dist/index.js', import.meta.url);
if (!existsSync(program)) {
  console.error('coreiso is not built yet: run npm run build first');
  process.exit(1);
}
const { run } = await import(program.href);

const interruption = new AbortController();
process.once('SIGINT', () => interruption.abort());
process.once('SIGTERM', () => interruption.abort());

process.exitCode = await run(process.argv.slice(2), {
  cwd: process.cwd(),
  env: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  invokedAs: basename(process.argv[1] ?? 'coreiso', '.js'),
  signal: interruption.signal,
});
