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

/** A reader that goes away is told by an event, which without a listener ends the program in the middle. */
let isReaderGone = false;
const watched = (stream) => {
  if (!stream.listeners('error').includes(onFailure)) stream.on('error', onFailure);
  return stream;
};
const onFailure = (error) => {
  if (error.code === 'EPIPE') isReaderGone = true;
};

const finished = run(process.argv.slice(2), {
  cwd: process.cwd(),
  env: process.env,
  // Opening a stream takes a while, and few commands need all of them.
  get stdin() {
    return process.stdin;
  },
  get stdout() {
    return watched(process.stdout);
  },
  get stderr() {
    return watched(process.stderr);
  },
  invokedAs: basename(process.argv[1] ?? 'coreiso', '.cjs'),
  signal: interruption.signal,
});
finished.then((status) => {
  process.exitCode = status;
});
// The event may come after everything else.
process.once('exit', () => {
  if (isReaderGone) process.exitCode = 141;
});
