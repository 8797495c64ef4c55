import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Duplex } from 'node:stream';
import { onTestFailed } from 'vitest';
import { output } from '../../test/support/tools.ts';
import { CACHE } from './debian.ts';
import { type Machine, PORTS, qemuArguments } from './qemu.ts';

/** A line of the guest's journal. */
export interface Entry {
  readonly unit: string;
  readonly message: string;
}

/** A call of the stand-in for coreos-installer: all its arguments, and its config. */
export interface Installation {
  readonly argv: readonly string[];
  readonly ignition: string;
}

/** How a guest shut down. */
export type Ending = 'reboot' | 'off';

/** Even under plain emulation on a busy machine, every expected event takes less time. */
const LIMIT_SECONDS = 420;

/** How long the last output of a guest may be on its way. */
const AFTERMATH_MILLISECONDS = 500;

/** Boots an image on a machine. `files` are put over the root of the live system: path → text. */
export async function bootGuest(
  name: string,
  iso: string,
  machine: Machine,
  files: Readonly<Record<string, string>> = {},
): Promise<Guest> {
  const scratch = mkdtempSync(join(tmpdir(), 'coreiso-guest-'));
  const tree = join(scratch, 'files');
  mkdirSync(tree);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), text);
  }
  output('tar', ['-cf', join(scratch, 'files.tar'), '--owner=0', '--group=0', '-C', tree, '.']);
  const variables = machine.variables ?? join(scratch, 'variables.fd');
  if (machine.firmware === 'uefi' && machine.variables === undefined) newVariables(variables);
  const args = qemuArguments(iso, { ...machine, variables }, join(scratch, 'files.tar'));
  const qemu = spawn('qemu-system-x86_64', args, { stdio: ['ignore', ...Array(3 + PORTS.length).fill('pipe')] });
  const guest = new Guest(name, qemu, () => rmSync(scratch, { recursive: true, force: true }));
  onTestFailed(() => console.error(guest.lastWords()));
  return guest;
}

/** Firmware variables in their factory state. */
export function newVariables(file: string): void {
  copyFileSync('/usr/share/OVMF/OVMF_VARS_4M.fd', file);
}

/** A running guest, stopped at the end of its scope. */
export class Guest implements AsyncDisposable {
  readonly name: string;
  readonly journal: Entry[] = [];
  readonly installations: Installation[] = [];
  /** The output of its serial console. */
  console = '';
  readonly #qemu: ChildProcess;
  readonly #log: string;
  readonly #answers: ((line: string) => void)[] = [];
  readonly #replies: ((reply: unknown) => void)[] = [];
  readonly #watchers = new Set<() => void>();
  readonly #gone: Promise<void>;
  #ending: Ending | 'killed' | undefined;

  constructor(name: string, qemu: ChildProcess, cleanUp: () => void) {
    this.name = name;
    this.#qemu = qemu;
    mkdirSync(join(CACHE, 'logs'), { recursive: true });
    this.#log = join(CACHE, 'logs', `${name}.log`);
    writeFileSync(this.#log, '');
    this.#gone = new Promise((resolve) => {
      qemu.once('error', resolve);
      qemu.once('close', resolve);
      // A port may stay open without a process at its other end.
      qemu.once('exit', () => setTimeout(resolve, AFTERMATH_MILLISECONDS));
    }).then(() => {
      for (const stream of qemu.stdio) stream?.destroy();
      this.#ending ??= 'killed';
      cleanUp();
      this.#changed();
    });
    for (const stream of [qemu.stdout, qemu.stderr]) stream?.on('data', (chunk) => this.#showed(chunk));
    this.#lines('journal', (line) => this.#logged(JSON.parse(line)));
    this.#lines('installer', (line) => {
      this.installations.push(JSON.parse(line));
      this.#changed();
    });
    this.#lines('shell', (line) => this.#answers.shift()?.(line));
    this.#lines('monitor', (line) => this.#monitored(JSON.parse(line)));
    this.#port('monitor').write('{"execute":"qmp_capabilities"}\n');
    this.#replies.push(() => undefined);
  }

  /** Waits for a line of the journal and returns it. */
  async says(pattern: RegExp, seconds = LIMIT_SECONDS): Promise<Entry> {
    return await this.#until(`says ${pattern}`, seconds, () =>
      this.journal.find(({ message }) => pattern.test(message)),
    );
  }

  /** Waits for a text on the serial console. */
  async shows(pattern: RegExp, seconds = LIMIT_SECONDS): Promise<string> {
    return await this.#until(`shows ${pattern}`, seconds, () => pattern.exec(this.console)?.[0]);
  }

  /** Waits until systemd has started a unit, a oneshot to its end, or has failed to. */
  async starts(unit: string): Promise<'started' | 'failed'> {
    const { message } = await this.says(new RegExp(`^(Started|Finished|Failed to start) ${unit} `));
    return message.startsWith('Failed') ? 'failed' : 'started';
  }

  /** Waits for the call of coreos-installer with that number, which begins only with `letInstall`. */
  async installation(number = 0): Promise<Installation> {
    return await this.#until('installs', LIMIT_SECONDS, () => this.installations[number]);
  }

  async letInstall(): Promise<void> {
    await this.output('touch /run/guest/may-install');
  }

  /** Waits until the machine shuts down by itself. */
  async ends(seconds = LIMIT_SECONDS): Promise<Ending> {
    return await this.#until('ends', seconds, () => (this.#ending === 'killed' ? undefined : this.#ending));
  }

  /** Runs a shell script in the guest. */
  async run(script: string, seconds = LIMIT_SECONDS): Promise<{ readonly status: number; readonly printed: string }> {
    let answer: string | undefined;
    this.#answers.push((line) => {
      answer = line;
      this.#changed();
    });
    this.#port('shell').write(`${Buffer.from(script).toString('base64')}\n`);
    const [status, printed = ''] = (await this.#until(`answers ${script}`, seconds, () => answer)).split(' ');
    return { status: Number(status), printed: Buffer.from(printed, 'base64').toString() };
  }

  /** Runs a shell script that must succeed and returns what it printed. */
  async output(script: string): Promise<string> {
    const { status, printed } = await this.run(script);
    if (status !== 0) throw new Error(`${this.name}: ${script}: exit ${status}\n${printed}`);
    return printed;
  }

  /** The messages of a unit so far. */
  said(unit: string): string {
    const lines = this.journal.filter((entry) => entry.unit === unit);
    return lines.map(({ message }) => `${message}\n`).join('');
  }

  /** The local port that leads to one of the guest ports in `reached` of the machine's networks. */
  async portTo(guestPort: number): Promise<number> {
    const command = { execute: 'human-monitor-command', arguments: { 'command-line': 'info usernet' } };
    const table = await new Promise<string>((resolve) => {
      this.#replies.push((reply) => resolve(String(reply)));
      this.#port('monitor').write(`${JSON.stringify(command)}\n`);
    });
    const found = new RegExp(`127\\.0\\.0\\.1 +(\\d+) +\\S+ +${guestPort} `).exec(table)?.[1];
    if (found === undefined) throw new Error(`${this.name}: nothing leads to port ${guestPort}\n${table}`);
    return Number(found);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#qemu.kill('SIGKILL');
    await this.#gone;
  }

  lastWords(): string {
    const ours = this.journal.filter(({ unit, message }) =>
      /coreiso|guest|NetworkManager|agent|assisted|node-zero/.test(`${unit} ${message}`),
    );
    const lines = ours.slice(-80).map(({ unit, message }) => `${unit}: ${message}`);
    return `${this.name}: the journal of this guest (all of it is in ${this.#log}):\n${lines.join('\n')}\n${this.console.slice(-2500)}`;
  }

  async #until<T>(what: string, seconds: number, look: () => T | undefined): Promise<T> {
    const { promise, resolve, reject } = withResolvers<T>();
    const watch = () => {
      const found = look();
      if (found !== undefined) resolve(found);
      else if (this.#ending !== undefined)
        reject(new Error(`${this.name} never ${what}: it is gone (${this.#ending})`));
    };
    const late = () => reject(new Error(`${this.name} never ${what}: not after ${seconds} s`));
    const limit = setTimeout(late, seconds * 1000);
    this.#watchers.add(watch);
    watch();
    try {
      return await promise;
    } finally {
      clearTimeout(limit);
      this.#watchers.delete(watch);
    }
  }

  #changed(): void {
    for (const watch of this.#watchers) watch();
  }

  #showed(chunk: Buffer): void {
    this.console += chunk.toString('latin1').replaceAll('\r', '');
    appendFileSync(this.#log, chunk);
    this.#changed();
  }

  #logged(fields: Readonly<Record<string, unknown>>): void {
    const { MESSAGE, SYSLOG_IDENTIFIER, _SYSTEMD_UNIT, __MONOTONIC_TIMESTAMP } = fields;
    const message = Array.isArray(MESSAGE) ? Buffer.from(MESSAGE).toString() : String(MESSAGE);
    const unit = String(_SYSTEMD_UNIT ?? SYSLOG_IDENTIFIER ?? '');
    this.journal.push({ unit, message });
    appendFileSync(this.#log, `[journal ${(Number(__MONOTONIC_TIMESTAMP) / 1e6).toFixed(1)} ${unit}] ${message}\n`);
    this.#changed();
  }

  #monitored(line: { event?: string; data?: { reason?: string }; return?: unknown; error?: unknown }): void {
    if (line.event === 'SHUTDOWN') {
      this.#ending = line.data?.reason === 'guest-reset' ? 'reboot' : 'off';
      this.#changed();
    } else if ('return' in line || 'error' in line) this.#replies.shift()?.(line.return ?? line.error);
  }

  #port(name: (typeof PORTS)[number] | 'monitor'): Duplex {
    const position = name === 'monitor' ? PORTS.length : PORTS.indexOf(name);
    const stream = this.#qemu.stdio[3 + position];
    if (stream == null || !('write' in stream)) throw new Error(`${this.name} has no port ${name}`);
    return stream as Duplex;
  }

  #lines(name: (typeof PORTS)[number] | 'monitor', take: (line: string) => void): void {
    const port = this.#port(name);
    port.on('error', () => undefined); // the other end closes with the machine
    // A machine may shut down in the middle of a line, which is then ignored.
    let rest = '';
    port.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) take(line);
    });
  }
}

function withResolvers<T>() {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<T>((...both) => {
    [resolve, reject] = both;
  });
  return { promise, resolve, reject };
}
