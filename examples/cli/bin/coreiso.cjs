#!/usr/bin/env node
const { existsSync } = require('node:fs');
const { basename, join } = require('node:path');

const program = join(__dirname, '../dist/index.cjs');
if (!existsSync(program)) {
  console.error('coreiso is not built yet: run npm run build first');
  process.exit(1);
}
const { run } = require(program);

const interruption = new AbortController();
for (const name of ['SIGHUP', 'SIGINT', 'SIGTERM']) {
  process.once(name, () => interruption.abort(new DOMException(name, 'AbortError')));
}

const finished = run(process.argv.slice(2), {
  cwd: process.cwd(),
  env: process.env,
  // Opening a stream takes a while, and few commands need all of them.
  get stdin() {
    return process.stdin;
  },
  get stdout() {
    return process.stdout;
  },
  get stderr() {
    return process.stderr;
  },
  invokedAs: basename(process.argv[1] ?? 'coreiso', '.cjs'),
  signal: interruption.signal,
});
finished.then((status) => {
  process.exitCode = status;
});
