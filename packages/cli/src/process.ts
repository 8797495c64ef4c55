import { basename } from 'node:path';
import { run } from './main.ts';

export { run };

/** Runs the program with this process's arguments, streams and signals, and sets its exit status. */
export function start(): void {
  const interruption = new AbortController();
  for (const name of ['SIGHUP', 'SIGINT', 'SIGTERM']) {
    process.once(name, () => interruption.abort(new DOMException(name, 'AbortError')));
  }

  // A closed pipe emits an event, which without a listener would end the program abruptly.
  let isReaderGone = false;
  const onFailure = (error: NodeJS.ErrnoException): void => {
    if (error.code === 'EPIPE') isReaderGone = true;
  };
  const watched = (stream: NodeJS.WriteStream): NodeJS.WriteStream => {
    if (!stream.listeners('error').includes(onFailure)) stream.on('error', onFailure);
    return stream;
  };

  const finished = run(process.argv.slice(2), {
    cwd: process.cwd(),
    env: process.env,
    // Getters, because opening a stream takes a while and few commands need all of them.
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
  // The event may come after all other work.
  process.once('exit', () => {
    if (isReaderGone) process.exitCode = 141;
  });
}
