// Reading statistics of a file server: reported runs, counts, and memory limits.
import { describe, expect, test } from 'vitest';
import { Readings, type ServedResponse, type Transfer } from '../../src/http/readings.ts';

/** Readings of a file of 10,000 bytes, and their reported runs. */
function readings(): {
  of: Readings;
  told: Transfer[];
  add: (start: number, end: number, more?: Partial<ServedResponse>) => void;
} {
  const told: Transfer[] = [];
  const of = new Readings((run) => told.push(run));
  const usual = {
    file: 'f',
    client: 'c',
    method: 'GET',
    status: 206,
    size: 10_000,
    outcome: 'complete',
    at: 0,
  } as const;
  return { of, told, add: (start, end, more = {}) => of.add({ ...usual, start, end, ...more }) };
}

describe('a run', () => {
  test('continues as long as each answer continues the one before', () => {
    const { of, told, add } = readings();
    add(0, 100, { at: 5 });
    add(100, 300, { at: 7 });
    add(300, 600, { at: 9 });
    expect(told).toEqual([]);
    of.flush();
    expect(told).toMatchObject([
      { start: 0, end: 600, requests: 3, since: 5, at: 9, share: 0.06, client: 'c', file: 'f' },
    ]);
    of.flush();
    expect(told).toHaveLength(1);
  });

  test.each<[string, number, number, Partial<ServedResponse>]>([
    ['begins later', 101, 200, {}],
    ['begins earlier', 99, 200, {}],
    ['is empty', 100, 100, {}],
    ['has another status', 100, 200, { status: 200 }],
    ['is of another size', 100, 200, { size: 20_000 }],
  ])('ends if the next answer %s', (_, start, end, more) => {
    const { told, add } = readings();
    add(0, 100);
    add(start, end, more);
    expect(told[0]).toMatchObject({ start: 0, end: 100, requests: 1 });
  });

  test.each<[string, number, Partial<ServedResponse>]>([
    ['reaches the end of the file', 10_000, {}],
    ['is not of a part', 100, { status: 200 }],
    ['is left', 100, { outcome: 'left' }],
    ['breaks', 100, { outcome: 'broken' }],
    ['is none', 0, { status: 404, size: 0 }],
  ])('that %s is reported at once', (_, end, more) => {
    const { of, told, add } = readings();
    add(0, end, more);
    expect(told).toMatchObject([{ start: 0, end, requests: 1 }]);
    of.flush();
    expect(told).toHaveLength(1);
  });

  test('may continue one byte before the end', () => {
    const { told, add } = readings();
    add(0, 9999);
    expect(told).toEqual([]);
    add(9999, 10_000);
    expect(told).toMatchObject([{ start: 0, end: 10_000, requests: 2, share: 1 }]);
  });

  test('belongs to one client and one file', () => {
    const { of, told, add } = readings();
    add(0, 100);
    add(100, 200, { client: 'd' });
    add(100, 200, { file: 'g' });
    add(100, 200);
    of.flush();
    expect(told.map(({ file, client, start, end }) => [file, client, start, end])).toEqual([
      ['f', 'd', 100, 200],
      ['f', 'c', 0, 200],
      ['g', 'c', 100, 200],
    ]);
  });

  test('is not flushed if it has continued since then', () => {
    const { of, told, add } = readings();
    add(0, 100, { client: 'early', at: 999 });
    add(0, 100, { client: 'late', at: 1000 });
    of.flush(1000);
    expect(told.map(({ client }) => client)).toEqual(['early']);
    of.flush(1001);
    expect(told.map(({ client }) => client)).toEqual(['early', 'late']);
  });
});

describe('the statistics of a file', () => {
  test('are empty if no client has read it', () => {
    expect(readings().of.of('f')).toEqual({ name: 'f', share: 0, last: undefined, sent: 0, statuses: new Map() });
  });

  test('count all bytes; the share is that of the client that read most', () => {
    const { of, add } = readings();
    add(0, 1000, { client: 'a', at: 3 });
    add(0, 1000, { client: 'b', at: 4 });
    add(500, 2500, { client: 'a', at: 5 });
    add(0, 0, { status: 304, at: 6 });
    add(0, 0, { status: 416, size: 0, at: 7 });
    expect(of.of('f')).toEqual({
      ...{ name: 'f', share: 0.25, last: 5, sent: 4000 },
      statuses: new Map([
        [206, 3],
        [304, 1],
        [416, 1],
      ]),
    });
  });
});

describe('memory limits', () => {
  test('keep the last 256 clients of a file', () => {
    const { of, told, add } = readings();
    for (let client = 0; client < 256; client++) add(0, 100 + client, { client: `c${client}` });
    add(100, 5000, { client: 'c0' });
    expect(told).toEqual([]);
    add(0, 10, { client: 'new' });
    // The second one is the least recent.
    expect(told.map(({ client }) => client)).toEqual(['c1']);
    expect(of.of('f').share).toBe(0.5);
    add(101, 201, { client: 'c1' });
    expect(told.map(({ client, share }) => [client, share])).toEqual([
      ['c1', 0.0101],
      ['c2', 0.0102],
    ]);
    of.flush();
    expect(told.find(({ client, start }) => client === 'c1' && start === 101)?.share).toBe(0.01);
  });

  /** Counted bytes after reading `count` single bytes, each `gap(index)` bytes after the last. */
  function counted(count: number, gap: (index: number) => number) {
    const { of, add } = readings();
    const size = 2 ** 40;
    const places: number[] = [];
    for (let index = 0, place = 0; index < count; index++) {
      places.push(place);
      add(place, place + 1, { size });
      place += 1 + gap(index);
    }
    const bytes = (): number => of.of('f').share * size;
    return { places, bytes, add: (start: number, end: number) => add(start, end, { size }) };
  }

  test('keep 2048 stretches exactly', () => {
    expect(counted(2048, (index) => index + 1).bytes()).toBe(2048);
  });

  test.each<[string, (index: number) => number, number]>([
    // Of 2048 gaps 1023 stay; the other 1025 count as read.
    ['growing', (index) => index + 1, (1025 * 1026) / 2],
    ['shrinking', (index) => 2048 - index, (1025 * 1026) / 2],
    ['alike', () => 9, 1025 * 9],
    ['of two kinds', (index) => (index % 2 === 0 ? 5 : 50), 1024 * 5 + 50],
    ['of two kinds, few of them large', (index) => (index % 4 === 0 ? 50 : 5), 1025 * 5],
  ])('keep the largest gaps of 2049 stretches: %s', (_, gap, closed) => {
    expect(counted(2049, gap).bytes()).toBe(2049 + closed);
  });

  test('count later reads only once, too', () => {
    const { places, bytes, add } = counted(2049, (index) => index + 1);
    const before = bytes();
    const [inside = 0] = places.slice(100);
    add(inside + 1, inside + 50);
    expect(bytes()).toBe(before);
    const [between = 0] = places.slice(2000);
    add(between + 1, between + 50);
    expect(bytes()).toBe(before + 49);
    add(0, (places.at(-1) ?? 0) + 1);
    expect(bytes()).toBe((places.at(-1) ?? 0) + 1);
  });
});
