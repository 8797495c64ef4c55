import type { IsoEntry } from '@coreiso/iso/iso9660';
import { expect, test } from 'vitest';
import { jolietView } from '../../src/iso9660/writer/directories.ts';
import { buildTree } from '../../src/iso9660/writer/tree.ts';

test('allows only as many directories as 16 bits can number', () => {
  const tree = (count: number) =>
    buildTree(
      Array.from({ length: count }, (_, n): IsoEntry => ({ kind: 'directory', path: `/${n}` })),
      new Date(0),
    );
  expect(jolietView(tree(65_534)).directories).toHaveLength(65_535);
  expect(() => jolietView(tree(65_535))).toThrow(new RangeError('entries must have at most 65535 directories'));
});
