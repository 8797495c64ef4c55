import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../../test/support/scratch.ts';
import { describeWith, output } from '../../../../test/support/tools.ts';
import { bytesSource } from '../../src/bytes/source.ts';
import { readFiles } from '../../src/initrd/archive-files.ts';
import { plain } from '../../src/initrd/encoders.ts';
import { xz } from '../../src/node/xz.ts';
import { archive, noise, sha256, utf8 } from './archives.ts';
import { describePeer, hasPeer } from './peer.ts';

/** Text, base64 and noise of every length modulo four, 0.2 to 400 KB. */
const PAYLOADS = [200, 1001, 5002, 20_003, 100_000, 399_999].flatMap((length, index) => [
  {
    title: `${length} bytes of text`,
    content: utf8('the same words again and again; '.repeat(13_000).slice(0, length)),
  },
  {
    title: `${length} bytes of base64`,
    content: utf8(
      Buffer.from(noise(`b${index}`, length))
        .toString('base64')
        .slice(0, length),
    ),
  },
  { title: `${length} bytes of noise`, content: noise(`n${index}`, length) },
]);

test.skipIf(hasPeer)('names the command that installs the peer if that is missing', async () => {
  await expect(xz()).rejects.toMatchObject({
    code: 'ISO_XZ_MISSING',
    message: expect.stringContaining('npm install node-liblzma@'),
  });
});

describePeer('xz archives', () => {
  test.each(PAYLOADS)('restores $title', async ({ content }) => {
    const bytes = await archive([{ path: 'config.ign', content }], { compression: xz });
    const files = await readFiles(bytesSource(bytes));
    expect(sha256(files.get('config.ign')!.content as Uint8Array)).toBe(sha256(content));
    expect([...bytes.subarray(0, 8)]).toEqual([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0, 0, 1]);
    expect(bytes.length % 4).toBe(0);
  });

  test('ends a block after every padded member, as the recorded size of the smallest archive shows', async () => {
    const content = utf8('{"ignition": {"version": "3.0.0"}\n');
    expect(await archive([{ path: 'config.ign', content }], { compression: xz })).toHaveLength(184);
  });
});

describeWith(['xz'], 'the xz program', () => {
  describePeer('and the peer', () => {
    test('unpacks our archives', async () => {
      const files = PAYLOADS.map(({ content }, index) => ({ path: `d/${index}`, content }));
      const packed = await archive(files, { compression: xz });
      const unpacked = output('xz', ['-dc'], { input: packed });
      expect(sha256(unpacked)).toBe(sha256(await archive(files, { compression: plain })));
    });

    test('writes the same bytes if no member is padded', async () => {
      const files = [{ path: 'a', content: noise('aligned', 40_000) }];
      const packed = await archive(files, { compression: xz });
      const input = await archive(files, { compression: plain });
      expect(sha256(packed)).toBe(sha256(output('xz', ['-9', '-T1', '--check=crc32', '-c'], { input })));
    });
  });
});

describeWith(['coreos-installer'], 'coreos-installer', () => {
  describePeer('and the peer', () => {
    test.each(PAYLOADS)('wraps $title in the same bytes', async ({ content }) => {
      const theirs = output('coreos-installer', ['pxe', 'ignition', 'wrap'], { input: content });
      const ours = await archive([{ path: 'config.ign', content }], { compression: xz });
      expect(sha256(ours)).toBe(sha256(theirs));
    });

    test('wraps many members in the same bytes', async () => {
      const directory = scratchFolder();
      const args = PAYLOADS.flatMap(({ content }, index) => {
        writeFileSync(join(directory, `${index}.nmconnection`), content);
        return ['-k', `${index}.nmconnection`];
      });
      output('coreos-installer', ['pxe', 'network', 'wrap', ...args, '-o', 'out'], { cwd: directory });
      const files = PAYLOADS.map(({ content }, index) => ({
        path: `etc/coreos-firstboot-network/${index}.nmconnection`,
        content,
      }));
      const ours = await archive(files, { compression: xz });
      expect(sha256(ours)).toBe(sha256(readFileSync(join(directory, 'out'))));
    });
  });
});
