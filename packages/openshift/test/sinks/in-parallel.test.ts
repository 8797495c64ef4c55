import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inParallel } from '../../src/sinks/in-parallel.ts';

async function* numbers(count: number, taken: number[] = []): AsyncGenerator<number, void> {
  for (let number = 0; number < count; number++) {
    taken.push(number);
    yield number;
  }
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

test('yields results in the order of the items, and never takes or runs more items at a time than allowed', async () => {
  const taken: number[] = [];
  let [running, most, ended] = [0, 0, 0];
  const work = async (number: number): Promise<number> => {
    most = Math.max(most, ++running);
    expect(taken.length - ended).toBeLessThanOrEqual(3);
    // Later ones end first.
    await sleep(number % 3 === 0 ? 5 : 1);
    running--;
    ended++;
    return number * 2;
  };
  expect(await all(inParallel(numbers(20, taken), 3, work))).toEqual(Array.from({ length: 20 }, (_, n) => n * 2));
  expect(most).toBe(3);
});

test('stops the others at the first failure, and throws it after they have ended', async () => {
  let stopped = 0;
  const work = async (number: number, signal: AbortSignal): Promise<void> => {
    if (number === 1) throw new Error('the second');
    if (number > 1) await sleep(60_000, undefined, { signal }).finally(() => stopped++);
  };
  await expect(all(inParallel(numbers(9), 4, work))).rejects.toThrow('the second');
  // Two that were begun with it, and one that was begun when the first had ended.
  expect(stopped).toBe(3);
});

test('stops running work when the caller leaves or aborts', async () => {
  let stopped = 0;
  const work = async (number: number, signal: AbortSignal): Promise<number> => {
    if (number > 0) await sleep(60_000, undefined, { signal }).finally(() => stopped++);
    return number;
  };
  for await (const number of inParallel(numbers(9), 3, work)) {
    expect(number).toBe(0);
    break;
  }
  expect(stopped).toBe(2);
  const controller = new AbortController();
  const working = all(inParallel(numbers(9), 3, work, controller.signal));
  controller.abort();
  await expect(working).rejects.toMatchObject({ name: 'AbortError' });
});
