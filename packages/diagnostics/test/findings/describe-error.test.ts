import { describe, expect, test } from 'vitest';
import { DiagnosticsError, describeError, diagnostic } from '../../src/index.ts';

const open = Object.assign(new Error("ENOENT: no such file or directory, open 'x'"), {
  code: 'ENOENT',
  syscall: 'open',
});

describe('an error is told', () => {
  test.each<[string, unknown, string]>([
    ['in a line', new Error('no room'), 'Error: no room'],
    [
      'with its cause',
      new Error('cannot write x', { cause: new Error('no room') }),
      'Error: cannot write x\n\nCaused by:\n    no room',
    ],
    [
      'with all its causes, numbered, and their lines indented',
      new Error('a', { cause: new Error('b\nc', { cause: 'd' }) }),
      'Error: a\n\nCaused by:\n    0: b\n       c\n    1: d',
    ],
    ['by its name where it has no message', new TypeError(), 'Error: TypeError'],
    ['whatever was thrown', 'text', 'Error: text'],
    ['even if it was nothing', undefined, 'Error: '],
    ['as its first finding', new DiagnosticsError([diagnostic({ code: 'x/y', message: 'wrong' })]), 'Error: wrong'],
    [
      'without what its cause says again',
      new Error('opening x', { cause: Object.assign(new Error('cannot open x', { cause: open }), { code: 'ISO_IO' }) }),
      `Error: opening x\n\nCaused by:\n    ${open.message}`,
    ],
  ])('%s', (_, error, text) => {
    expect(describeError(error)).toBe(text);
  });

  test('to its end, though it be its own cause', () => {
    const error: Error = new Error('round');
    error.cause = error;
    expect(describeError(error)).toBe('Error: round');
  });

  test('without sending what a server put into its words to the terminal', () => {
    const error = new Error('a\u001b[2J', { cause: new Error('b\r\u009bc\u202e', { cause: '\u0007' }) });
    expect(describeError(error)).toBe('Error: a␛[2J\n\nCaused by:\n    0: b␍\ufffdc\ufffd\n    1: ␇');
  });

  test('in the words of the caller', () => {
    expect(describeError(open, { messageOf: () => 'not there' })).toBe('Error: not there');
  });
});

test('no cause shows who may read an address', () => {
  const cause = new TypeError('fetch failed: http://me:hunter2@x.test/a?sig=hunter2&b=1');
  const told = describeError(new Error('cannot fetch http://me:hunter2@x.test/', { cause }));
  expect(told).toBe(
    'Error: cannot fetch http://<redacted>@x.test/\n\nCaused by:\n    fetch failed: http://<redacted>@x.test/a?sig=<redacted>&b=1',
  );
});
