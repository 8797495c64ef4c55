// A machine: a disk, a clock, and processes that take turns at every call, in an order that the seed determines. A call
// may meet a fault: a failure, a kill, a loss of power, a clock that is set.

import { Random } from '../support/random.ts';
import { Disk, DiskError, type Inode, type Manners } from './disk.ts';
import { type Fault, type FaultKind, FaultPlan } from './faults.ts';

/** An invariant does not hold. */
export class InvariantViolation extends Error {
  override readonly name = 'Broken';
}

/** The error of every call of a dead process; its later actions have no effect. */
class Killed extends Error {}

interface Waiting {
  readonly process: SimulatedProcess;
  run(): void;
}

interface Timer extends Waiting {
  readonly id: number;
  readonly due: number;
}

export interface MachineOptions {
  readonly seed: number;
  readonly manners?: Manners | undefined;
  readonly faults: readonly FaultKind[];
  /** Faults that are left out, by their number. */
  readonly without?: ReadonlySet<number> | undefined;
  /** Logs every call. */
  readonly trace?: ((line: string) => void) | undefined;
}

/** The end of a process. */
export type Ending<T = unknown> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'killed' };

/** More calls than any run needs: a process that continues is stuck. */
const MOST_CALLS = 50_000;
const START = Date.UTC(2026, 5, 1);

export class Machine {
  readonly random: Random;
  readonly disk: Disk;
  readonly host = 'sim-host';
  readonly #plan: FaultPlan;
  readonly #trace: ((line: string) => void) | undefined;
  readonly #without: ReadonlySet<number>;
  #drawn = 0;
  readonly processes = new Map<number, SimulatedProcess>();
  readonly #starts: number;
  #ready: Waiting[] = [];
  #timers: Timer[] = [];
  /** Nanoseconds since the start, independent of the wall clock. */
  #elapsedNs = 0n;
  #wallOffset = 0;
  #bootedAt = 0;
  #lastPid = 400;
  #lastTimer = 0;
  #writableAgainAt = 0;
  #areFaultsOff = false;
  boot = 1;
  calls = 0;
  powerCuts = 0;
  /** The number of times that the disk refused writes for a while. */
  readOnlyTimes = 0;
  /** The action of `vanish`. */
  onVanish: () => void = () => undefined;

  constructor({ seed, manners = 'posix', faults, without = new Set(), trace }: MachineOptions) {
    this.random = new Random(seed);
    this.#trace = trace;
    this.#without = without;
    this.disk = new Disk(manners, { canClone: this.random.chance(0.3), canLink: this.random.chance(0.9) });
    this.disk.now = () => BigInt(START + this.#wallOffset) * 1_000_000n + this.#elapsedNs;
    this.#plan = new FaultPlan(this.random, faults);
    this.#starts = this.random.below(1000);
  }

  get faults(): number {
    return this.#plan.happened;
  }

  /** Milliseconds since 1970 by the clock of the machine. */
  get now(): number {
    return Number(this.disk.now() / 1_000_000n);
  }

  /** Milliseconds since the start. */
  get elapsed(): number {
    return Number(this.#elapsedNs) / 1e6;
  }

  /** Milliseconds since the machine was switched on. */
  get uptime(): number {
    return this.elapsed - this.#bootedAt;
  }

  /** A fault, with the number by which a run can leave it out. */
  drawn<T>(fault: T): T | undefined {
    if (this.#without.has(++this.#drawn)) return undefined;
    this.note(`fault ${this.#drawn}`);
    return fault;
  }

  note(line: string): void {
    this.#trace?.(line);
  }

  /** Starts a process; `finish` runs it to its end. */
  start<T>(name: string, body: (process: SimulatedProcess) => Promise<T>): SimulatedProcess<T> {
    const started = this.#starts + Math.floor(this.elapsed / 10);
    const process = new SimulatedProcess<T>(
      this,
      ++this.#lastPid,
      name,
      started,
      new Random(this.random.below(2 ** 32)),
    );
    this.processes.set(process.pid, process);
    process.begin(body);
    return process;
  }

  /** Runs until every process has ended. */
  async finish(): Promise<void> {
    for (;;) {
      // First everything that continues without a call.
      await new Promise(setImmediate);
      if (![...this.processes.values()].some(({ ending }) => ending === undefined)) return;
      if (this.calls > MOST_CALLS) throw new InvariantViolation(`no end after ${MOST_CALLS} calls`);
      const next = this.#next();
      if (next === undefined) throw new InvariantViolation('every process waits for ever');
      next.run();
    }
  }

  /** Runs one process to its end without faults, and returns its result. */
  async quietly<T>(name: string, body: (process: SimulatedProcess) => Promise<T>): Promise<T> {
    const [before, readOnly] = [this.#areFaultsOff, this.disk.isReadOnly];
    this.#areFaultsOff = true;
    this.disk.isReadOnly = false;
    try {
      const process = this.start(name, body);
      await this.finish();
      const { ending } = process;
      if (ending?.kind === 'done') return ending.value as T;
      throw ending?.kind === 'failed' ? ending.error : new InvariantViolation(`${name} was killed`);
    } finally {
      this.#areFaultsOff = before;
      this.disk.isReadOnly = readOnly;
    }
  }

  #next(): Waiting | undefined {
    const due = this.#timers.filter((timer) => timer.due <= this.elapsed);
    const candidates: readonly Waiting[] = [...this.#ready, ...due];
    if (candidates.length > 0) {
      const chosen = candidates.length === 1 ? candidates[0] : this.random.pick(candidates);
      this.#ready = this.#ready.filter((one) => one !== chosen);
      this.#timers = this.#timers.filter((one) => one !== chosen);
      return chosen;
    }
    if (this.#timers.length === 0) return undefined;
    const first = this.#timers.reduce((a, b) => (b.due < a.due ? b : a));
    this.pass(first.due - this.elapsed);
    this.#timers = this.#timers.filter((one) => one !== first);
    return first;
  }

  pass(milliseconds: number): void {
    this.#elapsedNs += BigInt(Math.ceil(milliseconds * 1e6));
  }

  /** Calls `run` at the process's turn. */
  enqueue(process: SimulatedProcess, run: () => void): void {
    if (process.isAlive) this.#ready.push({ process, run });
  }

  setTimer(process: SimulatedProcess, milliseconds: number, run: () => void): number {
    const id = ++this.#lastTimer;
    if (process.isAlive) this.#timers.push({ id, process, due: this.elapsed + Math.max(0, milliseconds), run });
    return id;
  }

  clearTimer(id: unknown): void {
    this.#timers = this.#timers.filter((timer) => timer.id !== id);
  }

  /** One call of a process. `half` does a part of the work. */
  call<T>(
    process: SimulatedProcess,
    name: string,
    about: string,
    work: () => T,
    half: () => unknown = () => undefined,
  ): T {
    if (!process.isAlive) throw new Killed('killed');
    this.calls++;
    this.pass(this.random.next() * (name.startsWith('sync') ? 2 : 0.02));
    if (this.disk.isReadOnly && this.calls >= this.#writableAgainAt) this.disk.isReadOnly = false;
    const planned = this.#areFaultsOff ? undefined : this.#plan.at(name);
    const fault = planned && this.drawn(planned);
    this.note(`${process.pid} ${name} ${about}${fault === undefined ? '' : ` !! ${Object.values(fault).join(' ')}`}`);
    if (fault === undefined) return asSystemError(name, about, work);
    return asSystemError(name, about, () => this.#suffer(process, fault, work, half));
  }

  #suffer<T>(process: SimulatedProcess, fault: Fault, work: () => T, half: () => unknown): T {
    if ('when' in fault) {
      if (fault.when === 'halfway') quietly(half);
      if (fault.when === 'after') quietly(work);
    }
    switch (fault.kind) {
      case 'error':
        throw new DiskError(fault.code);
      case 'kill':
        this.kill(process);
        throw new Killed('killed');
      case 'power cut':
        this.cutPower();
        throw new Killed('killed');
      case 'short':
        return half() as T;
      case 'read-only':
        this.disk.isReadOnly = true;
        this.readOnlyTimes++;
        this.#writableAgainAt = this.calls + fault.calls;
        return work();
      case 'clock':
        this.#wallOffset += fault.milliseconds;
        return work();
      case 'vanish':
        this.onVanish();
        return work();
    }
  }

  kill(process: SimulatedProcess): void {
    process.end({ kind: 'killed' });
    for (const inode of process.descriptors.values()) {
      if (--inode.opened === 0) this.disk.release(inode);
    }
    process.descriptors.clear();
    this.#ready = this.#ready.filter(({ process: { isAlive } }) => isAlive);
    this.#timers = this.#timers.filter(({ process: { isAlive } }) => isAlive);
  }

  /** Ends all processes, and leaves on the disk only what reached the platter. */
  cutPower(): void {
    for (const process of this.processes.values()) if (process.isAlive) this.kill(process);
    this.disk.cutPower(this.random);
    this.boot++;
    this.pass(90_000);
    this.#bootedAt = this.elapsed - 15_000;
    this.powerCuts++;
    this.#lastPid = this.random.between(300, 420);
    this.processes.clear();
  }
}

export class SimulatedProcess<T = unknown> {
  readonly machine: Machine;
  readonly pid: number;
  readonly name: string;
  /** The clock tick in which it began. */
  readonly started: number;
  readonly random: Random;
  readonly descriptors = new Map<number, Inode>();
  ending: Ending<T> | undefined;
  #lastDescriptor = 10;

  constructor(machine: Machine, pid: number, name: string, started: number, random: Random) {
    this.machine = machine;
    this.pid = pid;
    this.name = name;
    this.started = started;
    this.random = random;
  }

  get isAlive(): boolean {
    return this.ending === undefined;
  }

  begin(body: (process: SimulatedProcess) => Promise<T>): void {
    body(this).then(
      (value) => this.#leave({ kind: 'done', value }),
      (error) => this.#leave({ kind: 'failed', error }),
    );
  }

  end(ending: Ending<T>): void {
    this.ending ??= ending;
  }

  #leave(ending: Ending<T>): void {
    if (!this.isAlive) return;
    this.machine.note(`${this.pid} ${this.name} ${ending.kind === 'failed' ? `failed: ${ending.error}` : ending.kind}`);
    const lost = this.descriptors.size;
    this.machine.kill(this);
    this.ending = ending;
    if (lost > 0)
      this.ending = { kind: 'failed', error: new InvariantViolation(`${this.name} left ${lost} files open`) };
  }

  describe(inode: Inode): number {
    inode.opened++;
    this.descriptors.set(++this.#lastDescriptor, inode);
    return this.#lastDescriptor;
  }

  /** A call that ends at a later turn of this process. */
  later<R>(work: () => R): Promise<R> {
    return new Promise((resolve, reject) => {
      this.machine.enqueue(this, () => {
        try {
          resolve(work());
        } catch (error) {
          // A dead process gets no results.
          if (!(error instanceof Killed)) reject(error);
        }
      });
    });
  }
}

/** A failure in Node's format. */
function asSystemError<T>(call: string, about: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    const [path, dest] = about.split(' -> ');
    const more = { code: error.code, errno: -1, syscall: call, path, ...(dest === undefined ? {} : { dest }) };
    throw Object.assign(new Error(`${error.code}: simulated, ${call} '${about}'`), more);
  }
}

function quietly(work: () => unknown): void {
  try {
    work();
  } catch {
    // The call fails with the fault, not with this error.
  }
}
