import { expect, test } from 'vitest';
import { failureText } from '../../src/frame/failure.ts';

const exists = Object.assign(new Error("EEXIST: file already exists, open 'x'"), { code: 'EEXIST', syscall: 'open' });

test('a failure without a cause is one line', () => {
  expect(failureText(new Error('No embedded Ignition config.'))).toBe('Error: No embedded Ignition config.\n');
});

test('one cause stands indented, in the wording of the operating system', () => {
  const error = new Error('opening x', { cause: exists });
  expect(failureText(error)).toBe('Error: opening x\n\nCaused by:\n    File exists (os error 17)\n');
});

test('several causes are numbered and their further lines indented', () => {
  const error = new Error('outer', { cause: new Error('one\ntwo', { cause: exists }) });
  expect(failureText(error)).toBe(
    'Error: outer\n\nCaused by:\n    0: one\n       two\n    1: File exists (os error 17)\n',
  );
});
