// Runs test files against mutants in one long-lived worker: nothing is started or compiled again for a mutant. A worker
// that hangs is ended and replaced.
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createVitest } from 'vitest/node';

/** Guards for `withMutants`: one records that it was reached and is always false, the other is true for one mutant. */
export const recording = ({ id }) => `(__unreached[${id}] = 0)`;
export const switching = ({ id }) => `__mutant === ${id}`;

const WORKER = fileURLToPath(new URL('worker.mjs', import.meta.url));

/** The bytes that a worker may keep after its jobs. */
const LARGE = 1.5 * 2 ** 30;
/** The most bytes that it may have. */
const TOO_LARGE = 2 * LARGE;
const PAGE = 4096;

export class Session {
  #vitest;
  #server;
  #folder = mkdtempSync(join(tmpdir(), 'mutants-'));
  #worker;

  /** `texts`: texts to load instead of the source files; `count`: the number of mutants. */
  static async open(texts, count) {
    const session = new Session();
    const path = join(session.#folder, 'socket');
    session.#server = createServer().listen(path);
    await once(session.#server, 'listening');
    const plugin = { name: 'mutants', enforce: 'pre', load: (id) => texts.get(id) };
    const options = {
      // The cache compares files on disk, which are not the loaded texts.
      experimental: { fsModuleCache: false },
      ...{ watch: false, reporters: [{}], silent: true, retry: 0 },
      ...{ pool: 'forks', isolate: false, fileParallelism: false, runner: WORKER },
      env: { MUTANTS_SOCKET: path, MUTANTS_COUNT: String(count) },
    };
    session.#vitest = await createVitest('test', options, { plugins: [plugin] });
    await session.#vitest.standalone();
    return session;
  }

  /**
   * Returns the worker's result, `'hung'` if it computes without end, or `'cut'` if it waits without end. The limit of a job is
   * 5 s plus three times its time without a mutant, as processor time if the system reports it. Waiting may take longer, because
   * the machine may be busy. A job that keeps allocating memory is ended before the machine runs out.
   */
  async run(job, expected) {
    this.#worker ??= await this.#start();
    const worker = this.#worker;
    const begun = { wall: Date.now(), cpu: usage(worker.pid).cpu };
    const limit = { wall: 15_000 + 10 * expected, cpu: 5000 + 3 * expected };
    worker.socket.write(`${JSON.stringify({ ...job, timeout: 10_000 + 5 * expected })}\n`);
    const answer = worker.lines.next();
    for (;;) {
      const result = await Promise.race([answer, worker.ended, pause(200)]);
      if (result?.value) {
        const found = JSON.parse(result.value);
        if (found.memory > LARGE) await this.restart();
        return found;
      }
      const { cpu, memory, isBusy } = usage(worker.pid);
      const isAtWork = result !== undefined || cpu - begun.cpu > limit.cpu || memory > TOO_LARGE;
      if (isAtWork || (Date.now() - begun.wall > limit.wall && !isBusy)) {
        await this.restart();
        return isAtWork || cpu === 0 ? 'hung' : 'cut';
      }
    }
  }

  async restart() {
    const worker = this.#worker;
    this.#worker = undefined;
    if (worker === undefined) return;
    try {
      process.kill(worker.pid, 'SIGKILL');
    } catch {}
    await worker.ended;
  }

  async close() {
    await this.restart();
    this.#server.close();
    await this.#vitest.close();
    rmSync(this.#folder, { recursive: true });
  }

  async #start() {
    const connected = once(this.#server, 'connection');
    const ended = this.#vitest.runTestSpecifications([this.#vitest.getRootProject().createSpecification(WORKER)]).then(
      () => ({ done: true }),
      () => ({ done: true }),
    );
    const first = await Promise.race([connected, ended]);
    if (!Array.isArray(first)) throw new Error(`the worker did not start: ${this.#vitest.state.getUnhandledErrors()}`);
    const [socket] = first;
    socket.on('error', () => {});
    const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
    const { pid } = JSON.parse((await lines.next()).value);
    return { pid, socket, lines, ended };
  }
}

function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** The processor time of a process, in milliseconds, and its memory, in bytes; 0 without /proc. */
function usage(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // proc(5): utime, stime and rss are fields 14, 15 and 24; the second field, the name, may contain blanks.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    // The third field is the state: a running or runnable thread is not waiting.
    return {
      cpu: 10 * (fields[11] + fields[12]),
      memory: PAGE * fields[21],
      isBusy: / R /.test(stat.slice(stat.lastIndexOf(')'))),
    };
  } catch {
    return { cpu: 0, memory: 0, isBusy: false };
  }
}
