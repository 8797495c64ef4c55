import { expect, test } from 'vitest';
import type { Fetch } from '../../src/reader/answer.ts';
import { LiveSystem } from '../../src/service/live-system.ts';

const SECRET = 'planted-secret-never-shown';
const observe = (fetch: Fetch, token = SECRET) =>
  new LiveSystem('192.0.2.20', { fetch, access: { port: 8091, token } }).observe();

test('sends no token to the target of a redirect, and names it in the answer', async () => {
  const asked: string[] = [];
  const answer = await observe(async (url, { redirect }) => {
    asked.push(`${url} ${redirect}`);
    return new Response(null, { status: 302, headers: { location: 'http://192.0.2.99/status' } });
  });
  const reason = 'it redirects to http://192.0.2.99/status, where the token is not sent';
  expect([answer, asked]).toEqual([{ ok: false, status: 302, reason }, ['http://192.0.2.20:8091/status manual']]);
});

test('refuses an answer that is longer than any status', async () => {
  const answer = await observe(async () => new Response(' '.repeat(256 * 1024 + 1)));
  expect(answer).toEqual({ ok: false, status: 200, reason: 'its answer is not the status of a live system' });
});

test('does not send or quote a token that no header can contain', async () => {
  const answer = await observe(() => Promise.reject(new Error('nobody asks')), `${SECRET}\n`);
  expect(answer).toEqual({ ok: false, reason: 'the token has characters that are invalid in a header' });
});
