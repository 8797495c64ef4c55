import { sleep } from '@coreiso/peers/sleep';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('waits for the given time', async () => {
  const done = vi.fn();
  const waiting = sleep(1000).then(done);
  await vi.advanceTimersByTimeAsync(999);
  expect(done).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await waiting;
});

test('rejects with the reason of the signal, and leaves no timer', async () => {
  const controller = new AbortController();
  const waiting = sleep(1000, controller.signal);
  controller.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  expect(vi.getTimerCount()).toBe(0);
});

test('does not collect listeners on a signal', async () => {
  const { signal } = new AbortController();
  const removed = vi.spyOn(signal, 'removeEventListener');
  const waiting = sleep(10, signal);
  await vi.advanceTimersByTimeAsync(10);
  await waiting;
  expect(removed.mock.calls.map(([type]) => type)).toEqual(['abort']);
});
