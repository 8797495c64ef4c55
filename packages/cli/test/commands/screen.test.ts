import { PassThrough } from 'node:stream';
import type { HostSummary, MonitorEvent, NodeMonitor } from '@coreiso/cluster';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { jsonLines, lines, summaryText } from '../../src/commands/nodes/arrival/screen.ts';
import { Terminal } from '../../src/frame/terminal.ts';

const host = (name: string, more: Partial<HostSummary> = {}): HostSummary =>
  ({ host: name, address: '192.0.2.1', stage: 'live', waitsFor: 'its disk', since: 0, ...more }) as HostSummary;

const event = (more: Partial<MonitorEvent> = {}): MonitorEvent =>
  ({ at: 3_909_000, host: 'a', level: 'info', message: 'it is live', ...more }) as MonitorEvent;

describe('the table of hosts', () => {
  test('fits its columns to the longest cells, and lists ready hosts last', () => {
    const hosts = [
      host('a', { stage: 'ready', waitsFor: '' } as Partial<HostSummary>),
      host('worker-0', { address: undefined, since: 60_000 } as Partial<HostSummary>),
      host('b', { since: 9_999_999 }),
      host('c', { stage: 'ready', waitsFor: '' } as Partial<HostSummary>),
    ];
    expect(summaryText(hosts, 3_909_999).split('\n')).toEqual([
      'HOST      ADDRESS    STAGE  FOR      WAITS FOR',
      'worker-0  -          live   1:04:09  its disk',
      'b         192.0.2.1  live   0:00:00  its disk',
      'a         192.0.2.1  ready  1:05:09  -',
      'c         192.0.2.1  ready  1:05:09  -',
    ]);
  });

  test('shows text from others on one line, without control characters', () => {
    expect(summaryText([host('a\nb', { waitsFor: '\u001b[2J' })], 0).split('\n')).toHaveLength(2);
    expect(summaryText([host('a', { waitsFor: '\u001b[2J' })], 0)).not.toContain('\u001b');
  });
});

function screen(size: { isTTY?: boolean; columns?: number; rows?: number }, hosts: HostSummary[] = [host('a')]) {
  const stdout = Object.assign(new PassThrough(), { isTTY: false, ...size });
  const io = { cwd: '/', env: {}, stdout, stderr: stdout, signal: new AbortController().signal };
  const monitor = { summary: () => hosts, elapsed: 61_000 } as unknown as NodeMonitor;
  const terminal = new Terminal(io as unknown as Terminal['io']);
  return { terminal, shown: lines(terminal, monitor), text: () => String(stdout.read() ?? '') };
}

describe('without a terminal', () => {
  test.each<[event: Partial<MonitorEvent>, line: string]>([
    [{}, '1:05:09 a: it is live\n'],
    [{ host: undefined as never }, '1:05:09 cluster: it is live\n'],
    [{ level: 'warning' }, '1:05:09 a: warning: it is live\n'],
    [{ command: 'oc get nodes' }, '1:05:09 a: it is live\n    oc get nodes\n'],
    [{ message: 'a\nb', command: 'c\nd' }, '1:05:09 a: a␊b\n    c␊d\n'],
    [{ at: 0 }, '0:00:00 a: it is live\n'],
    [{ at: 59_999 }, '0:00:59 a: it is live\n'],
    [{ at: 36_000_000 }, '10:00:00 a: it is live\n'],
  ])('prints the event %j as %j', async (more, line) => {
    const { shown, text } = screen({});
    await shown.show(event(more));
    await shown.end();
    expect(text()).toBe(line);
  });

  test('prints JSON on request, one object per line', async () => {
    const { terminal, text } = screen({});
    const json = jsonLines(terminal);
    await json.show(event());
    await json.end();
    expect(JSON.parse(text())).toEqual(event());
  });
});

describe('on a terminal', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const TABLE = 'HOST  ADDRESS    STAGE  FOR      WAITS FOR\na     192.0.2.1  live   0:01:01  its disk\n';

  test('keeps the table below the lines, redraws it each second, and removes it at the end', async () => {
    const { shown, text } = screen({ isTTY: true });
    await shown.show(event());
    expect(text()).toBe(`1:05:09 a: it is live\n\n${TABLE}`);
    await vi.advanceTimersByTimeAsync(2000);
    expect(text()).toBe(`\u001b[3A\u001b[J\n${TABLE}`.repeat(2));
    await shown.end();
    expect(text()).toBe('\u001b[3A\u001b[J');
    await vi.advanceTimersByTimeAsync(2000);
    expect(text()).toBe('');
  });

  test('erases nothing that it did not draw', async () => {
    const { shown, text } = screen({ isTTY: true });
    await shown.end();
    expect(text()).toBe('');
  });

  test.each([
    [
      { columns: 42, rows: 24 },
      ['HOST  ADDRESS    STAGE  FOR      WAITS F…', 'a     192.0.2.1  live   0:01:01  its disk'],
    ],
    [
      { columns: 43, rows: 24 },
      ['HOST  ADDRESS    STAGE  FOR      WAITS FOR', 'a     192.0.2.1  live   0:01:01  its disk'],
    ],
    [
      { columns: 0, rows: 0 },
      ['HOST  ADDRESS    STAGE  FOR      WAITS FOR', 'a     192.0.2.1  live   0:01:01  its disk'],
    ],
    [
      { columns: 80, rows: 4 },
      ['HOST  ADDRESS    STAGE  FOR      WAITS FOR', 'a     192.0.2.1  live   0:01:01  its disk'],
    ],
    [{ columns: 80, rows: 3 }, ['HOST  ADDRESS    STAGE  FOR      WAITS FOR', '… and 1 more']],
    [{ columns: 80, rows: 1 }, ['HOST  ADDRESS    STAGE  FOR      WAITS FOR', '… and 1 more']],
  ])('draws only the lines that fit %j', async (size, table) => {
    const { shown, text } = screen({ isTTY: true, ...size });
    await shown.show(event());
    await shown.end();
    expect(text().split('\n').slice(2, 4)).toEqual(table);
  });

  test('counts the rows that do not fit', async () => {
    const many = Array.from({ length: 9 }, (_, index) => host(`h${index}`));
    const { shown, text } = screen({ isTTY: true, columns: 80, rows: 8 }, many);
    await shown.show(event());
    await shown.end();
    const drawn = text().split('\n').slice(2, -1);
    expect([drawn.length, drawn.at(-1)]).toEqual([6, '… and 5 more']);
  });
});
