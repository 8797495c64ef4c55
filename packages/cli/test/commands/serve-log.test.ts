import { expect, test } from 'vitest';
import { ServerLog } from '../../src/commands/serve/log.ts';

function logged(work: (log: ServerLog) => void): string[] {
  const lines: string[] = [];
  work(new ServerLog((text) => lines.push(text)));
  return lines;
}

test('writes a repeated line once per second, then its number of repetitions', () => {
  const lines = logged((log) => {
    log.line('a', '10:00:00 ');
    log.line('a', '10:00:00 ');
    log.line('a', '10:00:00 ');
    log.line('b');
    log.line('b');
    log.line('c');
    expect(log.turn()).toBe(0);
    log.line('a', '10:00:01 ');
    log.turn();
  });
  expect(lines).toEqual(['10:00:00 a', 'b', 'c', 'a (2 more times)', 'b (1 more time)', '10:00:01 a']);
});

test('counts the lines over one hundred in a second', () => {
  const lines = logged((log) => {
    for (let line = 0; line < 250; line++) log.line(`line ${line}`);
    expect(log.takes()).toBe(false);
    expect(log.turn()).toBe(151);
    expect([log.takes(), log.turn()]).toEqual([true, 0]);
  });
  expect(lines).toEqual(Array.from({ length: 100 }, (_, line) => `line ${line}`));
});
