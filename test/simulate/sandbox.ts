// The product inside a simulated process: compiled once, and run again for each process with that process's files, clock,
// numbers and identity instead of Node's.
import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { createRequire } from 'node:module';
import { posix } from 'node:path';
import { compileFunction } from 'node:vm';
import { fileCalls } from './file-calls.ts';
import type { SimulatedProcess } from './machine.ts';

const GLOBALS = [
  'exports',
  'require',
  'process',
  'setTimeout',
  'clearTimeout',
  'setImmediate',
  'Date',
  'Math',
  'performance',
  'crypto',
  'AbortSignal',
  '__turn',
] as const;

type Compiled = (...globals: readonly unknown[]) => void;

export type Product<Exports> = (process: SimulatedProcess) => Exports;

/** The globals that the product gets in every process. */
export function productOf<Exports>(code: string, name: string): Product<Exports> {
  const compiled = compileFunction(code, [...GLOBALS], { filename: `${name}.cjs` }) as Compiled;
  return (process) => {
    const exports = {};
    const globals: Record<(typeof GLOBALS)[number], unknown> = { exports, ...globalsOf(process) };
    compiled(...GLOBALS.map((each) => globals[each]));
    return exports as Exports;
  };
}

const nodeRequire = createRequire(import.meta.url);
const PLATFORMS = { posix: 'linux', windows: 'win32', macos: 'darwin' } as const;

function globalsOf(process: SimulatedProcess) {
  const { machine, random } = process;
  const { manners } = machine.disk;
  const calls = fileCalls(process);
  const modules: Readonly<Record<string, unknown>> = {
    'node:fs': calls.fs,
    'node:fs/promises': calls.promises,
    'node:os': { hostname: () => machine.host, uptime: () => machine.uptime / 1000 },
    'node:path': posix,
  };
  const require = (id: string): unknown => modules[id] ?? nodeRequire(id);
  const mathematics = Object.assign(Object.create(Math), { random: () => random.next() });
  class SimulatedDate extends Date {
    constructor(...given: unknown[]) {
      super(...((given.length === 0 ? [machine.now] : given) as [number]));
    }
    static override now(): number {
      return machine.now;
    }
  }
  const later = (milliseconds: number, work: (...given: unknown[]) => void, given: readonly unknown[]): number =>
    machine.setTimer(process, milliseconds, () => work(...given));
  return {
    require,
    process: {
      pid: process.pid,
      platform: PLATFORMS[manners],
      version: globalThis.process.version,
      versions: globalThis.process.versions,
      arch: 'x64',
      env: {},
      stdout: {},
      ...(manners === 'windows' ? {} : { getuid: () => 1000 }),
      umask: () => 0o022,
      getBuiltinModule: require,
      nextTick: globalThis.process.nextTick,
      emitWarning: () => undefined,
      kill: (pid: number) => {
        if (machine.processes.get(pid)?.isAlive !== true) throw Object.assign(new Error('ESRCH'), { code: 'ESRCH' });
        return true;
      },
    },
    setTimeout: (work: () => void, milliseconds = 0, ...given: unknown[]) => later(milliseconds, work, given),
    clearTimeout: (id: unknown) => machine.clearTimer(id),
    setImmediate: (work: () => void, ...given: unknown[]) => machine.enqueue(process, () => work(...(given as []))),
    Date: SimulatedDate,
    Math: mathematics,
    // The wall clock at the start of the process.
    performance: { timeOrigin: machine.now - machine.elapsed, now: () => machine.elapsed },
    // The platform's digests come from another thread, in an order that no seed determines.
    crypto: {
      subtle: {
        digest: async (name: string, bytes: Uint8Array) => {
          const { buffer, byteOffset, byteLength } = createHash(name.replace('-', '').toLowerCase())
            .update(bytes)
            .digest();
          return buffer.slice(byteOffset, byteOffset + byteLength);
        },
      },
      getRandomValues: (into: Uint8Array) => {
        into.set(random.bytes(into.length));
        return into;
      },
      randomUUID: () => '00000000-0000-4000-8000-000000000000',
    },
    AbortSignal: Object.assign(Object.create(AbortSignal), { any: eitherSignal }),
    __turn: () => process.later(() => undefined),
  };
}

/**
 * Replaces `AbortSignal.any`: Node's version holds on to signals with listeners, so those of killed processes would
 * stay forever.
 */
function eitherSignal(signals: readonly AbortSignal[]): AbortSignal {
  const either = new AbortController();
  // Without a signal the call would change the default of the whole process.
  for (const signal of signals) setMaxListeners(1000, signal);
  for (const signal of signals) {
    if (signal.aborted) either.abort(signal.reason);
    else signal.addEventListener('abort', () => either.abort(signal.reason), { once: true });
  }
  return either.signal;
}
