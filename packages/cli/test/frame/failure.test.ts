import { constants } from 'node:os';
import { beforeAll, describe, expect, test } from 'vitest';
import { describeWith, output } from '../../../../test/support/tools.ts';
import { alreadyExists, Failure, failureText, hasCode, systemErrorText } from '../../src/frame/failure.ts';

const exists = Object.assign(new Error("EEXIST: file already exists, open 'x'"), { code: 'EEXIST', syscall: 'open' });

describe('a stand-in fails with the layout of its tool', () => {
  test('on one line without a cause', () => {
    const error = new Error('No embedded Ignition config.');
    expect(failureText(error, 'upstream')).toBe('Error: No embedded Ignition config.\n');
  });

  test('with one cause indented, in the wording of the operating system', () => {
    const error = new Error('opening x', { cause: exists });
    expect(failureText(error, 'upstream')).toBe('Error: opening x\n\nCaused by:\n    File exists (os error 17)\n');
  });

  test('with several causes numbered, and their further lines indented', () => {
    const error = new Error('outer', { cause: new Error('one\ntwo', { cause: exists }) });
    expect(failureText(error, 'upstream')).toBe(
      'Error: outer\n\nCaused by:\n    0: one\n       two\n    1: File exists (os error 17)\n',
    );
  });
});

describe('a command of coreiso fails on one line', () => {
  test('with the reason in plain words', () => {
    const error = new Error('cannot write x', { cause: exists });
    expect(failureText(error, 'own')).toBe('error: cannot write x: file exists\n');
  });

  test('with help below it', () => {
    const outer = new Error('cannot build', { cause: alreadyExists(['node.iso']) });
    expect(failureText(outer, 'own')).toBe('error: cannot build: node.iso exists\nhelp: pass --force to replace it\n');
    expect(alreadyExists(['a', 'b'])).toMatchObject({ message: 'a, b exist', help: 'pass --force to replace them' });
    expect(failureText(new Failure('no', { help: 'do' }), 'own')).toBe('error: no\nhelp: do\n');
  });
});

describeWith(['python3'], 'an operating system error', () => {
  const CODES =
    `EPERM ENOENT EIO EBADF EACCES EBUSY EEXIST EXDEV ENOTDIR EISDIR EINVAL EMFILE ETXTBSY EFBIG ENOSPC EROFS EPIPE
    ENAMETOOLONG ENOTEMPTY ELOOP EDQUOT`.split(/\s+/);
  let words: Readonly<Record<string, string>>;
  beforeAll(() => {
    const program =
      'import errno, json, os, sys; print(json.dumps({c: os.strerror(getattr(errno, c)) for c in sys.argv[1:]}))';
    words = JSON.parse(output('python3', ['-c', program, ...CODES]).toString());
  });

  test.each(CODES)('has the words of the C library: %s', (code) => {
    const number = constants.errno[code as keyof typeof constants.errno];
    const error = Object.assign(new Error('Node’s words'), { code, syscall: 'open' });
    expect(systemErrorText(error)).toBe(`${words[code]} (os error ${number})`);
    expect(systemErrorText(Object.assign(new Error('of a library'), { code }))).toBe('of a library');
  });

  test("has Node's words if the tools never meet it", () => {
    const error = Object.assign(new Error('ENOTCONN: not connected'), { code: 'ENOTCONN', syscall: 'read' });
    expect(systemErrorText(error)).toBe('ENOTCONN: not connected');
  });
});

test('finds a code in the error and in all of its causes', () => {
  const outer = Object.assign(new Error('outer', { cause: exists }), { code: 'ISO_IO' });
  expect(hasCode(outer, 'EEXIST')).toBe(true);
  expect(hasCode(outer, 'EPIPE', 'ISO_IO')).toBe(true);
  expect(hasCode(outer, 'EPIPE', '')).toBe(false);
  expect(hasCode('EEXIST', 'EEXIST')).toBe(false);
});

test.each([
  [4, 'a0, a1, a2, a3 exist'],
  [5, 'a0, a1, a2, a3 and 1 more exist'],
  [9, 'a0, a1, a2, a3 and 5 more exist'],
])('names the first four of %i existing files', (count, message) => {
  const error = alreadyExists(Array.from({ length: count }, (_, index) => `a${index}`));
  expect(error).toMatchObject({ name: 'Failure', message, help: 'pass --force to replace them' });
});

test('a stand-in prints help only if the tool has nothing like it', () => {
  const ours = new Failure('no room', { help: 'do' });
  expect(failureText(ours, 'upstream')).toBe('Error: no room\n\nhelp: do\n');
  expect(failureText(new Error('outer', { cause: ours }), 'upstream')).toBe(
    'Error: outer\n\nCaused by:\n    no room\n',
  );
});
