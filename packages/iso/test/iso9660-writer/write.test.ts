import { type IsoEntry, type IsoWriterOptions, writeIso } from '@coreiso/iso/iso9660';
import { describe, expect, test } from 'vitest';
import { bytesSource } from '../../src/bytes/source.ts';
import { bytes } from './support.ts';

const whole = async (entries: readonly IsoEntry[], options: Partial<IsoWriterOptions> = {}): Promise<Uint8Array> => {
  const { source } = await writeIso(entries, { volumeId: 'TEST', ...options });
  return source.read(0, source.size);
};

const file = (path: string, content = 'x'): IsoEntry => ({ kind: 'file', path, content: bytes(content) });

describe('layout', () => {
  test('data follows the order of the list', async () => {
    const { extentOf } = await writeIso([file('/z'), file('/a'), file('/m/b')], { volumeId: 'TEST' });
    const [z, a, b] = ['/z', '/a', '/m/b'].map((path) => extentOf(path).offset);
    expect([a, b]).toEqual([z! + 2048, z! + 4096]);
  });

  test('names are the same in whichever order files are listed', async () => {
    const entries = [file('/name with blanks 1'), file('/name with blanks 2')];
    const [forward, backward] = [await whole(entries), await whole(entries.toReversed())];
    const name = (image: Uint8Array) => Buffer.from(image).indexOf('NAME_WI1');
    expect(name(forward)).toBe(name(backward));
  });

  test('a file can ask for alignment', async () => {
    const aligned: IsoEntry = { kind: 'file', path: '/aligned', content: bytes('x'), align: 1 << 20 };
    const { extentOf, source } = await writeIso([file('/first'), aligned, file('/next')], { volumeId: 'TEST' });
    expect(extentOf('/aligned').offset).toBe(1 << 20);
    expect(extentOf('/next').offset).toBe((1 << 20) + 2048);
    expect(await source.read(1 << 20, 1)).toEqual(bytes('x'));
  });

  test('names of one file share its bytes', async () => {
    const { extentOf } = await writeIso([{ kind: 'link', path: '/b', to: '/a' }, file('/a')], { volumeId: 'TEST' });
    expect(extentOf('/b')).toEqual(extentOf('/a'));
  });

  test('file data is not read', async () => {
    const untouchable = { size: 30 * 2 ** 30, read: () => Promise.reject(new Error('read')) };
    const { source } = await writeIso([{ kind: 'file', path: '/big', content: untouchable }], { volumeId: 'TEST' });
    expect(source.size).toBeGreaterThan(30 * 2 ** 30);
  });

  test('the system area begins with what is given for it', async () => {
    const image = await whole([], { systemArea: bytes('mine') });
    expect(Buffer.from(image.subarray(0, 5)).toString('latin1')).toBe('mine\0');
  });

  test('the volume is followed by as many empty sectors as asked for', async () => {
    expect((await whole([file('/a')])).length - (await whole([file('/a')], { padSectors: 0 })).length).toBe(150 * 2048);
  });
});

test('equal input gives equal bytes, from memory or from a source', async () => {
  const fromSource: IsoEntry = { kind: 'file', path: '/a', content: bytesSource(bytes('x')) };
  expect(Buffer.compare(await whole([file('/a')]), await whole([fromSource]))).toBe(0);
});

test.each<[string, readonly IsoEntry[], Partial<IsoWriterOptions>, RegExp]>([
  ['a path listed twice', [file('/a'), file('a')], {}, /entries: \/a is listed twice/],
  ['a file below a file', [file('/a'), file('/a/b')], {}, /entries: \/a is not a directory/],
  ['a file in place of a directory', [file('/a/b'), file('/a')], {}, /entries: \/a is a directory already/],
  ['a path that climbs', [file('/a/../b')], {}, /path: "\/a\/\.\.\/b" is not a plain path/],
  ['an empty component', [file('/a//b')], {}, /path: .* is not a plain path/],
  ['a name over 255 bytes', [file(`/${'ä'.repeat(128)}`)], {}, /path: .* longer than 255 bytes/],
  ['a link to nothing', [{ kind: 'link', path: '/a', to: '/b' }], {}, /entries: \/a links to something/],
  ['an empty link target', [{ kind: 'symlink', path: '/a', target: '' }], {}, /target: the link \/a/],
  ['a mode with more than permissions', [{ kind: 'directory', path: '/a', mode: 0o40755 }], {}, /mode: 16877 of \/a/],
  ['a crooked alignment', [{ ...file('/a'), align: 512 } as IsoEntry], {}, /align: 512 is not a multiple of 2048/],
  ['a date before 1900', [{ kind: 'directory', path: '/a', modified: new Date(-1e13) }], {}, /modified: /],
  ['a volume id over 32 characters', [], { volumeId: 'x'.repeat(33) }, /volumeId: .* up to 32 characters/],
  ['a volume id outside ASCII', [], { volumeId: 'ä' }, /volumeId: /],
  ['a system area over 32 KiB', [], { systemArea: new Uint8Array(32769) }, /systemArea: 32769 bytes/],
  ['negative padding', [], { padSectors: -1 }, /padSectors: -1/],
  [
    'a boot image that is not there',
    [],
    { boot: { images: [{ platform: 'efi', path: '/a' }] } },
    /path: \/a is not a file/,
  ],
  ['a catalogue without images', [], { boot: { images: [] } }, /boot\.images: 1 to 32/],
  ['partition tables without EFI', [], { hybrid: {} }, /hybrid: .* need a boot image for EFI/],
  ['boot code that is too long', [], { hybrid: { bootCode: new Uint8Array(433) } }, /hybrid\.bootCode: 433 bytes/],
  [
    'an information table in a tiny image',
    [file('/a')],
    { boot: { images: [{ platform: 'bios', path: '/a', bootInfoTable: true }] } },
    /bootInfoTable: an image of 1 bytes/,
  ],
])('%s is refused', async (_, entries, options, message) => {
  await expect(writeIso(entries, { volumeId: 'TEST', ...options })).rejects.toThrow(message);
  await expect(writeIso(entries, { volumeId: 'TEST', ...options })).rejects.toBeInstanceOf(RangeError);
});
