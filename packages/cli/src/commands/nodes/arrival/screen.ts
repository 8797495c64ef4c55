// Output about arriving hosts, for people and programs.

import type { HostSummary, MonitorEvent, NodeMonitor } from '@coreiso/cluster';
import { showLine } from '@coreiso/peers/controls';
import type { Terminal } from '../../../frame/terminal.ts';

export interface Screen {
  show(event: MonitorEvent): Promise<void>;
  /** Clears the table of states. */
  end(): Promise<void>;
}

/** Prints one JSON object per line. */
export function jsonLines(terminal: Terminal): Screen {
  return { show: (event) => terminal.printJsonLine(event), end: async () => undefined };
}

/** Prints one line per change; on a terminal, a table below shows the state of all hosts, with running times. */
export function lines(terminal: Terminal, monitor: NodeMonitor): Screen {
  if (terminal.io.stdout.isTTY === true) return new LiveTable(terminal, monitor);
  return { show: (event) => terminal.draw(`${lineText(event)}\n`), end: async () => undefined };
}

const SECOND = 1000;
const USUAL_SIZE = { columns: 80, rows: 24 };

class LiveTable implements Screen {
  readonly #terminal: Terminal;
  readonly #monitor: NodeMonitor;
  readonly #timer: ReturnType<typeof setInterval>;
  #shown = 0;
  /** The last write; the next one waits for it. */
  #written: Promise<void> = Promise.resolve();

  constructor(terminal: Terminal, monitor: NodeMonitor) {
    this.#terminal = terminal;
    this.#monitor = monitor;
    this.#timer = setInterval(() => void this.#draw('').catch(() => undefined), SECOND);
  }

  show(event: MonitorEvent): Promise<void> {
    return this.#draw(`${lineText(event)}\n`);
  }

  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.#written.catch(() => undefined);
    await this.#terminal.draw(this.#wipe());
  }

  #draw(above: string): Promise<void> {
    this.#written = this.#written.then(async () => {
      const wipe = this.#wipe();
      const { columns, rows } = { ...USUAL_SIZE, ...sizeOf(this.#terminal) };
      const table = fitToScreen(
        summaryText(this.#monitor.summary(), this.#monitor.elapsed).split('\n'),
        columns,
        rows - 2,
      );
      this.#shown = table.length + 1;
      await this.#terminal.draw(`${wipe}${above}\n${table.map((line) => `${line}\n`).join('')}`);
    });
    return this.#written;
  }

  #wipe(): string {
    const wipe = this.#shown === 0 ? '' : `\u001b[${this.#shown}A\u001b[J`;
    this.#shown = 0;
    return wipe;
  }
}

function sizeOf({ io: { stdout } }: Terminal): Partial<typeof USUAL_SIZE> {
  const { columns, rows } = stdout as { columns?: number; rows?: number };
  return columns && rows ? { columns, rows } : {};
}

/** Cuts the table to the terminal: a wrapped line or a table that is too high could not be erased. */
function fitToScreen(lines: readonly string[], columns: number, rows: number): string[] {
  const cut = lines.map((line) => (line.length < columns ? line : `${line.slice(0, columns - 2)}…`));
  if (cut.length <= rows) return cut;
  return [...cut.slice(0, Math.max(1, rows - 1)), `… and ${cut.length - Math.max(1, rows - 1)} more`];
}

function lineText({ at, host, level, message, command }: MonitorEvent): string {
  const mark = level === 'warning' ? 'warning: ' : '';
  const line = `${duration(at)} ${host ?? 'cluster'}: ${mark}${message}`;
  return command === undefined ? showLine(line) : `${showLine(line)}\n    ${showLine(command)}`;
}

/** Returns a row per host: its stage and its time in that stage. Hosts that are ready come last. */
export function summaryText(hosts: readonly HostSummary[], now: number): string {
  const ordered = [...hosts].sort((a, b) => Number(a.stage === 'ready') - Number(b.stage === 'ready'));
  const rows = [
    ['HOST', 'ADDRESS', 'STAGE', 'FOR', 'WAITS FOR'],
    ...ordered.map(({ host, address = '-', stage, waitsFor, since }) => [
      host,
      address,
      stage,
      duration(Math.max(0, now - since)),
      waitsFor || '-',
    ]),
  ].map((row) => row.map(showLine));
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Formats a duration: `1:05:09`. */
function duration(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  const pad = (value: number) => String(value).padStart(2, '0');
  return `${Math.floor(seconds / 3600)}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}`;
}
