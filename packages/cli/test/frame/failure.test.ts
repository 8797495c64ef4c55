import { describe, expect, test } from 'vitest';
import { alreadyExists, Failure, failureText } from '../../src/frame/failure.ts';

const exists = Object.assign(new Error("EEXIST: file already exists, open 'x'"), { code: 'EEXIST', syscall: 'open' });

describe('a stand-in fails as the tool that it stands in for', () => {
  test('in one line without a cause', () => {
    const error = new Error('No embedded Ignition config.');
    expect(failureText(error, 'upstream')).toBe('Error: No embedded Ignition config.\n');
  });

  test('with one cause indented, in the wording of the operating system', () => {
    const error = new Error('opening x', { cause: exists });
    expect(failureText(error, 'upstream')).toBe('Error: opening x\n\nCaused by:\n    File exists (os error 17)\n');
  });

  test('with several causes numbered and their further lines indented', () => {
    const error = new Error('outer', { cause: new Error('one\ntwo', { cause: exists }) });
    expect(failureText(error, 'upstream')).toBe(
      'Error: outer\n\nCaused by:\n    0: one\n       two\n    1: File exists (os error 17)\n',
    );
  });
});

describe('a command of ours fails in one line', () => {
  test('with the reason in plain words', () => {
    const error = new Error('cannot write x', { cause: exists });
    expect(failureText(error, 'own')).toBe('error: cannot write x: file exists\n');
  });

  test('with the way out below it', () => {
    const outer = new Error('cannot build', { cause: alreadyExists(['node.iso']) });
    expect(failureText(outer, 'own')).toBe('error: cannot build: node.iso exists\nhelp: pass --force to replace it\n');
    expect(alreadyExists(['a', 'b'])).toMatchObject({ message: 'a, b exist', help: 'pass --force to replace them' });
    expect(failureText(new Failure('no', { help: 'do' }), 'own')).toBe('error: no\nhelp: do\n');
  });
});
