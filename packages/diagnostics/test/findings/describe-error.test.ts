import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import {
  DiagnosticsError,
  describeError,
  diagnostic,
  isCoreisoError,
  parseJson,
  valueOrThrow,
} from '../../src/index.ts';

const open = Object.assign(new Error("ENOENT: no such file or directory, open 'x'"), {
  code: 'ENOENT',
  syscall: 'open',
});

describe('an error is described', () => {
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

  test('only once if it is its own cause', () => {
    const error: Error = new Error('round');
    error.cause = error;
    expect(describeError(error)).toBe('Error: round');
  });

  test("without control sequences from a server's message", () => {
    const error = new Error('a\u001b[2J', { cause: new Error('b\r\u009bc\u202e', { cause: '\u0007' }) });
    expect(describeError(error)).toBe('Error: a␛[2J\n\nCaused by:\n    0: b␍\ufffdc\ufffd\n    1: ␇');
  });

  test('in the words of the caller', () => {
    expect(describeError(open, { messageOf: () => 'not there' })).toBe('Error: not there');
  });
});

describe('an error in one line', () => {
  const line = (error: unknown): string => describeError(error, { layout: 'line' });
  const coded = (message: string, cause?: Error) => Object.assign(new Error(message, { cause }), { code: 'ISO_IO' });

  test.each<[string, unknown, string]>([
    ['has its causes after colons', new Error('a', { cause: new Error('b', { cause: 'd' }) }), 'error: a: b: d'],
    [
      'has the reason of a library, not that of the system again',
      coded('cannot open x: gone', open),
      'error: cannot open x: gone',
    ],
    [
      'has the system where no library speaks',
      new Error('cannot open x', { cause: open }),
      `error: cannot open x: ${open.message}`,
    ],
    [
      'says once what fails',
      new Error('cannot open x', { cause: coded('cannot read x: gone') }),
      'error: cannot read x: gone',
    ],
    [
      'says once what a cause says, too',
      new Error('no room', { cause: new Error('disk: no room') }),
      'error: disk: no room',
    ],
    [
      'keeps what another file is read for',
      new Error('cannot open x', { cause: new Error('cannot read xy: gone') }),
      'error: cannot open x: cannot read xy: gone',
    ],
    ['has lines of a cause at the end', new Error('a', { cause: new Error('b\n\nc') }), 'error: a: b\n\nc'],
  ])('%s', (_, error, text) => {
    expect(line(error)).toBe(text);
  });

  test('has the help below, wherever in the chain it is', () => {
    const cause = Object.assign(new Error('b'), { help: 'pass c' });
    expect(line(new Error('a', { cause }))).toBe('error: a: b\nhelp: pass c');
    expect(describeError(cause)).toBe('Error: b\n\nhelp: pass c');
  });

  test('has the findings that its message does not contain', () => {
    const told = diagnostic({ code: 'x/y', message: 'wrong', help: 'Mend it.' });
    expect(line(new DiagnosticsError([told]))).toBe('error: wrong\n\nerror: wrong\n  help: Mend it.');
    const whole = new DiagnosticsError([told], { message: 'x: wrong\n  help: Mend it.' });
    expect(line(whole)).toBe('error: x: wrong\n  help: Mend it.');
  });
});

test('hides credentials in addresses of causes', () => {
  const cause = new TypeError('fetch failed: http://me:hunter2@x.test/a?sig=hunter2&b=1');
  const told = describeError(new Error('cannot fetch http://me:hunter2@x.test/', { cause }));
  expect(told).toBe(
    'Error: cannot fetch http://<redacted>@x.test/\n\nCaused by:\n    fetch failed: http://<redacted>@x.test/a?sig=<redacted>&b=1',
  );
});

describe('the handler of the README', () => {
  const handled = (error: unknown): string => {
    if (!isCoreisoError(error)) throw error;
    return describeError(error);
  };

  test('prints a timeout, which has no findings', () => {
    const timeout = Object.assign(new Error('no answer within 30 s'), { code: 'CLUSTER_TIMEOUT', diagnostics: [] });
    expect(handled(timeout)).toBe('Error: no answer within 30 s');
  });

  test('prints each mistake in a kubeconfig', () => {
    const place = { offset: 4, line: 2, column: 3 };
    const range = { start: place, end: place };
    const diagnostics = [
      diagnostic({ code: 'cluster/kubeconfig', message: 'no such user', path: ['users'], help: 'Add it.' }, range),
      diagnostic({ code: 'cluster/kubeconfig', message: 'no server', path: ['clusters', 0] }),
    ];
    const error = Object.assign(new Error('config: 2:3: no such user'), { code: 'CLUSTER_KUBECONFIG', diagnostics });
    expect(handled(new DiagnosticsError([], { message: 'cannot connect', cause: error }))).toBe(
      `Error: cannot connect

Caused by:
    config: 2:3: no such user

2:3: error: no such user
  help: Add it.
error: no server (at clusters[0])`,
    );
  });

  test('prints once why a document is refused', () => {
    const refused = (): unknown => valueOrThrow(parseJson('{"a": }'));
    expect(refused).toThrow(DiagnosticsError);
    try {
      refused();
    } catch (error) {
      expect(handled(error)).toBe("Error: 1:7: invalid character '}' looking for beginning of value");
    }
  });

  test('leaves bugs and errors of the platform alone', () => {
    for (const error of [new TypeError('x'), open, Object.assign(new Error(), { code: 'ERR_INVALID_ARG_TYPE' })]) {
      expect(isCoreisoError(error)).toBe(false);
    }
    expect(isCoreisoError({ code: 'ISO_IO', message: 'no error' })).toBe(false);
  });

  test('recognises errors of another realm', () => {
    const other: unknown = runInNewContext("Object.assign(new Error('late'), { code: 'CLUSTER_TIMEOUT' })");
    expect(other).not.toBeInstanceOf(Error);
    expect(handled(other)).toBe('Error: late');
  });
});
