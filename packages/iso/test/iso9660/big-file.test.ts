import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { openIso } from '@coreiso/iso/iso9660';
import { fileSource } from '@coreiso/iso/node';
import { beforeAll, expect, test } from 'vitest';
import { scratchFolder } from '../../../../test/support/scratch.ts';
import { describeWith, output } from '../../../../test/support/tools.ts';

describeWith(['xorriso', 'dd'], 'a file over 4 GiB', () => {
  const scratch = scratchFolder();
  // Four gigabytes pass through xorriso and a pipe.
  const SLOW = 600_000;
  const SIZE = 4 * 2 ** 30 + 5000;
  const tree = join(scratch, 'tree');

  beforeAll(() => {
    mkdirSync(tree);
    const file = openSync(join(tree, 'big'), 'w');
    for (const at of [0, 2 ** 32 - 4, SIZE - 5]) writeSync(file, 'bytes', at);
    closeSync(file);
    writeFileSync(join(tree, 'later'), 'after the big one');
  });

  test(
    'in several sections is read as one',
    async () => {
      const image = join(scratch, 'big.iso');
      // Through a pipe, because xorriso does not write sparse files.
      const command = 'xorriso -as mkisofs -quiet -iso-level 3 -R -o - "$1"';
      output('sh', ['-c', `${command} | dd of="$2" conv=sparse bs=1M iflag=fullblock status=none`, 'sh', tree, image]);
      await using source = await fileSource(image);
      const iso = await openIso(source);
      const entry = await iso.entry('big');
      expect(entry.size).toBe(SIZE);
      expect(entry.extents.length).toBeGreaterThan(1);
      const big = iso.contents(entry);
      expect(big.size).toBe(SIZE);
      for (const at of [0, 2 ** 32 - 4, SIZE - 5]) {
        expect(new TextDecoder().decode(await big.read(at, 5))).toBe('bytes');
      }
      expect(await big.read(2 ** 31, 100)).toEqual(new Uint8Array(100));
      const later = await iso.file('later');
      expect(new TextDecoder().decode(await later.read(0, later.size))).toBe('after the big one');
    },
    SLOW,
  );
});
