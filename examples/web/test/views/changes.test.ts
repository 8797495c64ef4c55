import { describe, expect, test } from 'vitest';
import type { Block } from '../../src/views/blocks.ts';
import { entriesOf, marksSince, ViewHistory } from '../../src/views/changes.ts';

const table = (...rows: string[][]): Block => ({
  kind: 'table',
  caption: 'a table',
  columns: [],
  rows: rows.map((cells) => ({ key: cells[0] ?? '', cells })),
});

describe('marks', () => {
  test('do not exist at the first look', () => {
    expect(marksSince(undefined, entriesOf([table(['a', '1'])]))).toEqual({
      added: new Set(),
      changed: new Set(),
      removed: [],
    });
  });

  test('show new, changed and removed parts', () => {
    const before = entriesOf([table(['a', '1'], ['b', '2'], ['c', '3'])]);
    const now = entriesOf([table(['a', '1'], ['b', '9'], ['d', '4'])]);
    expect(marksSince(before, now)).toEqual({ added: new Set(['d']), changed: new Set(['b']), removed: ['c'] });
  });

  test('ignore the order', () => {
    const before = entriesOf([table(['a', '1'], ['b', '2'])]);
    expect(marksSince(before, entriesOf([table(['b', '2'], ['a', '1'])])).changed.size).toBe(0);
  });

  test.each<[string, Block]>([
    ['facts', { kind: 'facts', rows: [{ key: 'k', name: 'n', value: 'v' }] }],
    ['a file', { kind: 'file', key: 'k', name: 'n', detail: 'd', text: 't' }],
    ['steps', { kind: 'steps', steps: [{ key: 'k', title: 't', text: 'x' }] }],
    [
      'a branch of a tree',
      { kind: 'tree', label: 'l', nodes: [{ key: 'r', name: 'r', children: [{ key: 'k', name: 'n', value: 'v' }] }] },
    ],
    ['a section', { kind: 'section', title: 's', blocks: [table(['k', 'v'])] }],
  ])('%s has entries', (_, block) => {
    expect([...entriesOf([block]).keys()]).toContain('k');
  });
});

describe('a look', () => {
  test('continues until it is ended: marks stay while the user types', () => {
    const looks = new ViewHistory();
    looks.look('network', [table(['a', '1'])]);
    expect([...looks.look('network', [table(['a', '2'])]).changed]).toEqual(['a']);
    expect([...looks.look('network', [table(['a', '2'], ['b', '1'])]).added]).toEqual(['b']);
    expect([...looks.look('network', [table(['a', '2'], ['b', '1'])]).changed]).toEqual(['a']);
    looks.end('network');
    expect(looks.look('network', [table(['a', '2'], ['b', '1'])])).toMatchObject({
      added: new Set(),
      changed: new Set(),
    });
  });

  test('of one view does not affect another', () => {
    const looks = new ViewHistory();
    looks.look('network/0', [table(['a', '1'])]);
    expect(looks.look('network/1', [table(['b', '1'])]).added.size).toBe(0);
  });

  test('that was forgotten has no marks', () => {
    const looks = new ViewHistory();
    looks.look('network', [table(['a', '1'])]);
    looks.forget();
    expect(looks.look('network', [table(['a', '2'])]).changed.size).toBe(0);
  });
});
