import { Writable } from 'node:stream';
import { onTestFinished, vi } from 'vitest';
import { type CliOptions, type CliResult, coreiso } from './support.ts';

/** A server that runs in this process. */
export interface Serving {
  /** Its output: one address per line. */
  readonly addresses: readonly string[];
  /** Stops it like a signal; returns its output and messages. */
  stop(): Promise<CliResult & { readonly printed: string }>;
}

/** Starts a command that serves, by default on a free port, and waits until it is ready. */
export async function startServing(argv: readonly string[], options: CliOptions = {}): Promise<Serving> {
  const stopping = new AbortController();
  let printed = '';
  const stdout = new Writable({
    write(chunk, _encoding, done) {
      printed += chunk;
      done();
    },
  });
  const listen = argv.includes('--listen') ? [] : ['--listen', '127.0.0.1:0'];
  let ended: CliResult | undefined;
  const running = coreiso([...argv, ...listen], { ...options, stdout, signal: stopping.signal }).then((result) => {
    ended = result;
    return result;
  });
  const stop: Serving['stop'] = async () => {
    stopping.abort(new DOMException('SIGTERM', 'AbortError'));
    return { ...(await running), printed };
  };
  onTestFinished(() => void stop());
  await vi.waitFor(
    () => {
      if (ended !== undefined) throw new Error(`it ended with ${ended.status}: ${ended.stderr}`);
      if (!printed.endsWith('\n')) throw new Error('it does not serve yet');
    },
    { timeout: 60_000, interval: 20 },
  );
  return { addresses: printed.trimEnd().split('\n'), stop };
}
