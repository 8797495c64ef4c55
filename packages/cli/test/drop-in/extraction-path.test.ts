import { describe, expect, test } from 'vitest';
import { extractionPath } from '../../src/drop-in/dev-initrd.ts';

describe('paths to extract to', () => {
  test.each(['a', 'a/b', './a', 'a/./b', '..a/b..', 'a//b'])('%s stays in the directory', (path) => {
    expect(extractionPath(path)).toBe(path);
  });

  test.each(['/etc/adjtime', '../f', 'a/../../b', 'b/../two', '..', '/'])('%s is refused', (path) => {
    expect(() => extractionPath(path)).toThrow(`path ${path} contains path traversal`);
  });
});
