// Vitest's worker, extended to run any test file any number of times: it takes jobs from a socket until it is ended, instead
// of Vitest's own tests. Every job begins with fresh modules.
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import fastCheck from 'fast-check';
import { TestRunner, vi } from 'vitest';
import { startTests } from 'vitest/internal/browser';

// The same inputs for every mutant, and the same verdict in every run.
fastCheck.configureGlobal({ ...fastCheck.readConfigureGlobal(), seed: 1 });

/** A byte per mutant, 1 until the guard of the mutant sets it to 0 (see `recording` in session.mjs). */
globalThis.__unreached = new Uint8Array(Number(process.env.MUTANTS_COUNT)).fill(1);
globalThis.__mutant = -1;

export default class Worker extends TestRunner {
  async onBeforeCollect() {
    const socket = connect(process.env.MUTANTS_SOCKET);
    const answer = (value) => socket.write(`${JSON.stringify(value)}\n`);
    answer({ pid: process.pid });
    for await (const line of createInterface({ input: socket })) answer(await this.#do(JSON.parse(line)));
  }

  /** Runs the tests with these numbers (default: all) up to the first that fails, with one active mutant. */
  async #do({ test: filepath, mutant = -1, only, timeout, bail = true }) {
    vi.resetModules();
    globalThis.__mutant = mutant;
    globalThis.__unreached.fill(1);
    const config = { ...this.config, testTimeout: timeout, hookTimeout: timeout };
    const judge = new Judge(config, only, bail);
    Object.defineProperty(judge, 'moduleRunner', { value: this.moduleRunner });
    judge.__setTraces(this._otel);
    this.workerState.filepath = filepath;
    const begun = performance.now();
    const [file] = await startTests([{ filepath }], judge);
    judge.noteReached('load');
    globalThis.__mutant = -1;
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
    vi.unstubAllEnvs();
    vi.useRealTimers();
    const failed = judge.tests.findIndex(({ result }) => result?.state === 'fail');
    const tests = judge.tests.map(({ result }) => ({ state: result?.state, duration: result?.duration ?? 0 }));
    const passed = file.result?.state !== 'fail' && failed < 0;
    const reached = Object.fromEntries(judge.reached);
    const duration = performance.now() - begun;
    return { passed, failed, duration, tests, reached, memory: process.memoryUsage.rss() };
  }
}

class Judge extends TestRunner {
  tests = [];
  /** The mutants that each test, and the code around the tests, has reached: one bit for each. */
  reached = new Map();
  #only;
  #bail;

  constructor(config, only, bail) {
    super(config);
    this.#only = only && new Set(only);
    this.#bail = bail;
  }

  onCollected([file]) {
    this.#choose(file);
  }

  /** A suite without selected tests is not set up. */
  #choose(task) {
    if (task.type === 'test') {
      const number = this.tests.push(task) - 1;
      if (this.#only && !this.#only.has(number)) task.mode = 'skip';
    } else {
      for (const inner of task.tasks) this.#choose(inner);
      if (task.tasks.length > 0 && task.tasks.every(({ mode }) => mode === 'skip')) task.mode = 'skip';
    }
  }

  onBeforeRunTask(test) {
    this.noteReached('load');
    return super.onBeforeRunTask(test);
  }

  onAfterRunTask(test) {
    this.noteReached(this.tests.indexOf(test));
    if (this.#bail && test.result?.state === 'fail') this.cancel();
    return super.onAfterRunTask(test);
  }

  noteReached(by) {
    const bytes = globalThis.__unreached;
    if (!bytes.includes(0)) return;
    const bits = Buffer.from(this.reached.get(by) ?? '', 'base64');
    const noted = Buffer.alloc(Math.ceil(bytes.length / 8));
    bits.copy(noted);
    for (let at = bytes.indexOf(0); at >= 0; at = bytes.indexOf(0, at + 1)) noted[at >> 3] |= 1 << (at & 7);
    this.reached.set(by, noted.toString('base64'));
    bytes.fill(1);
  }
}
