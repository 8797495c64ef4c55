import { type IsoEntry, type IsoWriterOptions, openIso, writeIso } from '@coreiso/iso/iso9660';
import { describe, expect, test } from 'vitest';
import { bytesSource } from '../../src/bytes/source.ts';
import { bytes } from './support.ts';

const whole = async (entries: readonly IsoEntry[], options: Partial<IsoWriterOptions> = {}): Promise<Uint8Array> => {
  const { source } = await writeIso(entries, { volumeId: 'TEST', ...options });
  return source.read(0, source.size);
};

const file = (path: string, content = 'x'): IsoEntry => ({ kind: 'file', path, content: bytes(content) });

describe('layout', () => {
  test('has data in the order of the list', async () => {
    const { extentOf } = await writeIso([file('/z'), file('/a'), file('/m/b')], { volumeId: 'TEST' });
    const [z, a, b] = ['/z', '/a', '/m/b'].map((path) => extentOf(path).offset);
    expect([a, b]).toEqual([z! + 2048, z! + 4096]);
  });

  test('has the same names for any order of files', async () => {
    const entries = [file('/name with blanks 1'), file('/name with blanks 2')];
    const [forward, backward] = [await whole(entries), await whole(entries.toReversed())];
    const name = (image: Uint8Array) => Buffer.from(image).indexOf('NAME_WI1');
    expect(name(forward)).toBe(name(backward));
  });

  test('aligns a file on request', async () => {
    const aligned: IsoEntry = { kind: 'file', path: '/aligned', content: bytes('x'), align: 1 << 20 };
    const { extentOf, source } = await writeIso([file('/first'), aligned, file('/next')], { volumeId: 'TEST' });
    expect(extentOf('/aligned').offset).toBe(1 << 20);
    expect(extentOf('/next').offset).toBe((1 << 20) + 2048);
    expect(await source.read(1 << 20, 1)).toEqual(bytes('x'));
  });

  test('gives empty files a shared sector without other bytes', async () => {
    const entries = [file('/a', ''), file('/b'), file('/c', ''), file('/d')];
    const { extentOf, volumeSize } = await writeIso(entries, { volumeId: 'TEST', padSectors: 0 });
    const [a, b, c, d] = ['/a', '/b', '/c', '/d'].map(extentOf);
    expect([a!.length, c]).toEqual([0, a]);
    expect([b!.offset + 2048, b!.offset + 4096, b!.offset + 6144]).toEqual([d!.offset, a!.offset, volumeSize]);
  });

  test('shares the bytes of a file between its names', async () => {
    const { extentOf } = await writeIso([{ kind: 'link', path: '/b', to: '/a' }, file('/a')], { volumeId: 'TEST' });
    expect(extentOf('/b')).toEqual(extentOf('/a'));
  });

  test('does not read file data', async () => {
    const untouchable = { size: 30 * 2 ** 30, read: () => Promise.reject(new Error('read')) };
    const { source } = await writeIso([{ kind: 'file', path: '/big', content: untouchable }], { volumeId: 'TEST' });
    expect(source.size).toBeGreaterThan(30 * 2 ** 30);
  });

  test('begins with the given system area', async () => {
    const image = await whole([], { systemArea: bytes('mine') });
    expect(Buffer.from(image.subarray(0, 5)).toString('latin1')).toBe('mine\0');
  });

  test('accepts a system area filled to its last byte', async () => {
    const image = await whole([], { systemArea: new Uint8Array(32768).fill(7) });
    expect([image[32767], image[32768]]).toEqual([7, 1]);
  });

  test('allows as many sectors as 32 bits can count', async () => {
    const { volumeSize } = await writeIso([], { volumeId: 'TEST', padSectors: 0 });
    const padSectors = 2 ** 32 - 1 - volumeSize / 2048;
    const { source } = await writeIso([], { volumeId: 'TEST', padSectors });
    expect([...(await source.read(16 * 2048 + 80, 8))]).toEqual(new Array(8).fill(255));
    const larger = writeIso([], { volumeId: 'TEST', padSectors: padSectors + 1 });
    await expect(larger).rejects.toThrow(new RangeError('entries must fit 4294967295 sectors, not 4294967296'));
  });

  test('adds the requested number of empty sectors', async () => {
    expect((await whole([file('/a')])).length - (await whole([file('/a')], { padSectors: 0 })).length).toBe(150 * 2048);
  });
});

test.each(['/', ''])('accepts a mode and a date for the root, as %j', async (path) => {
  const modified = new Date('2001-09-09T01:46:40Z');
  const root: IsoEntry = { kind: 'directory', path, mode: 0o700, modified };
  const iso = await openIso(await whole([root, file('/a')]));
  expect(await iso.entry('/')).toMatchObject({ mode: 0o40700, modified });
  expect((await iso.list('/')).map(({ name }) => name)).toEqual(['a']);
});

test.each([
  ['a Joliet volume has the first half of a name of 32 characters', 40, 32],
  ['a Joliet volume has the first half of a publisher of 128 characters', 318, 128],
])('%s', async (_, at, length) => {
  const name = Array.from({ length }, (_, index) => String.fromCharCode(65 + (index % 26))).join('');
  const image = Buffer.from(await whole([], length === 32 ? { volumeId: name } : { publisherId: name }));
  expect(image.toString('latin1', 16 * 2048 + at, 16 * 2048 + at + length)).toBe(name);
  const half = [...name.slice(0, length / 2)].map((character) => `\0${character}`).join('');
  expect(image.toString('latin1', 17 * 2048 + at, 17 * 2048 + at + length)).toBe(half);
});

test('writes equal bytes for equal input, from memory or from a source', async () => {
  const fromSource: IsoEntry = { kind: 'file', path: '/a', content: bytesSource(bytes('x')) };
  expect(Buffer.compare(await whole([file('/a')]), await whole([fromSource]))).toBe(0);
});

test.each<[string, readonly IsoEntry[], Partial<IsoWriterOptions>, RegExp]>([
  ['a path listed twice', [file('/a'), file('a')], {}, /entries must list \/a once/],
  ['a file below a file', [file('/a'), file('/a/b')], {}, /entries must have \/a as a directory/],
  ['a file in place of a directory', [file('/a/b'), file('/a')], {}, /entries must not have \/a beside/],
  ['a path that climbs', [file('/a/../b')], {}, /path must be plain .*, not "\/a\/\.\.\/b"$/],
  ['an empty component', [file('/a//b')], {}, /path must be plain and from the root/],
  ['a name over 255 bytes', [file(`/${'ä'.repeat(128)}`)], {}, /path must have names of at most 255 bytes/],
  ['a link to nothing', [{ kind: 'link', path: '/a', to: '/b' }], {}, /entries must list the file that \/a links to/],
  ['an empty link target', [{ kind: 'symlink', path: '/a', target: '' }], {}, /target of \/a must be/],
  [
    'a link target over 4095 bytes',
    [{ kind: 'symlink', path: '/a', target: 'x'.repeat(4096) }],
    {},
    /target of \/a must be/,
  ],
  ['a link target with a NUL', [{ kind: 'symlink', path: '/a', target: 'a\0' }], {}, /target of \/a must be/],
  ['half a surrogate pair in a name', [file('/a\ud800')], {}, /path .* must be well-formed Unicode/],
  [
    'half a surrogate pair in a target',
    [{ kind: 'symlink', path: '/a', target: '\udc00' }],
    {},
    /target of \/a must be well-formed Unicode/,
  ],
  ['a name with a NUL', [file('/a\0')], {}, /path must be plain and from the root/],
  ['a path of the directory itself', [file('/a/./b')], {}, /path must be plain and from the root/],
  ['a file in place of the root', [file('/')], {}, /entries must have a directory as their root, not a file/],
  [
    'a link to a directory',
    [file('/a/b'), { kind: 'link', path: '/c', to: '/a' }],
    {},
    /entries must list the file that \/c links to/,
  ],
  ['a negative mode', [{ ...file('/a'), mode: -1 } as IsoEntry], {}, /mode of \/a must be .*, not -1$/],
  ['half a mode', [{ ...file('/a'), mode: 0.5 } as IsoEntry], {}, /mode of \/a must be .*, not 0.5$/],
  [
    'a mode of more than twelve bits',
    [{ ...file('/a'), mode: 0o10000 } as IsoEntry],
    {},
    /mode of \/a must be .*, not 4096$/,
  ],
  ['no alignment', [{ ...file('/a'), align: 0 } as IsoEntry], {}, /align must be .*, not 0$/],
  ['a negative alignment', [{ ...file('/a'), align: -2048 } as IsoEntry], {}, /align must be .*, not -2048$/],
  [
    'an endless alignment',
    [{ ...file('/a'), align: Number.POSITIVE_INFINITY } as IsoEntry],
    {},
    /align must be .*, not Infinity$/,
  ],
  [
    'a date of 1899',
    [{ ...file('/a'), modified: new Date('1899-12-31T23:59:59Z') } as IsoEntry],
    {},
    /modified must be /,
  ],
  [
    'a date of 2156',
    [{ ...file('/a'), modified: new Date('2156-01-01T00:00:00Z') } as IsoEntry],
    {},
    /modified must be /,
  ],
  ['a volume of 2156', [], { timestamp: new Date('2156-01-01T00:00:00Z') }, /modified must be /],
  ['half a sector of padding', [], { padSectors: 0.5 }, /padSectors must be .*, not 0.5$/],
  ['a publisher over 128 characters', [], { publisherId: 'x'.repeat(129) }, /publisherId must be up to 128 characters/],
  [
    'a mode with more than permissions',
    [{ kind: 'directory', path: '/a', mode: 0o40755 }],
    {},
    /mode of \/a must be .*, not 16877$/,
  ],
  [
    'a crooked alignment',
    [{ ...file('/a'), align: 512 } as IsoEntry],
    {},
    /align must be a multiple of 2048, not 512$/,
  ],
  ['a date before 1900', [{ kind: 'directory', path: '/a', modified: new Date(-1e13) }], {}, /modified must be /],
  ['a volume id over 32 characters', [], { volumeId: 'x'.repeat(33) }, /volumeId must be up to 32 characters/],
  ['a volume id outside ASCII', [], { volumeId: 'ä' }, /volumeId must be /],
  ['a system area over 32 KiB', [], { systemArea: new Uint8Array(32769) }, /systemArea must be .*, not 32769$/],
  ['negative padding', [], { padSectors: -1 }, /padSectors must be .*, not -1$/],
  [
    'a boot image that is not there',
    [],
    { boot: { images: [{ platform: 'efi', path: '/a' }] } },
    /path must be .*, not \/a$/,
  ],
  ['a catalogue without images', [], { boot: { images: [] } }, /boot\.images must be 1 to 32/],
  ['partition tables without EFI', [], { hybrid: {} }, /hybrid must come with a boot image for EFI/],
  [
    'boot code that is too long',
    [],
    { hybrid: { bootCode: new Uint8Array(433) } },
    /hybrid\.bootCode must be .*, not 433$/,
  ],
  [
    'an information table in a tiny image',
    [file('/a')],
    { boot: { images: [{ platform: 'bios', path: '/a', bootInfoTable: true }] } },
    /bootInfoTable must be absent from an image of 1 bytes/,
  ],
])('refuses %s', async (_, entries, options, message) => {
  await expect(writeIso(entries, { volumeId: 'TEST', ...options })).rejects.toThrow(message);
  await expect(writeIso(entries, { volumeId: 'TEST', ...options })).rejects.toBeInstanceOf(RangeError);
});

test('writes values just within the limits', async () => {
  const dates = [new Date('1900-01-01T00:00:00Z'), new Date('2155-12-31T23:59:59Z')];
  const target = `${'x'.repeat(255)}/`.repeat(15) + 'y'.repeat(255);
  const entries: IsoEntry[] = [
    { ...file('/first'), modified: dates[0]!, mode: 0 } as IsoEntry,
    { ...file('/last'), modified: dates[1]!, mode: 0o7777 } as IsoEntry,
    { kind: 'symlink', path: '/link', target },
  ];
  const iso = await openIso(await whole(entries, { volumeId: 'V'.repeat(32), publisherId: 'P'.repeat(128) }));
  expect(iso.volume.primary).toMatchObject({ volumeId: 'V'.repeat(32), publisherId: 'P'.repeat(128) });
  const found = Object.fromEntries((await iso.list('/')).map((entry) => [entry.name, entry]));
  expect(found['first']).toMatchObject({ modified: dates[0], mode: 0o100000 });
  expect(found['last']).toMatchObject({ modified: dates[1], mode: 0o107777 });
  expect(found['link']?.target).toBe(target);
});

test.each([
  ['systemId', 32],
  ['volumeId', 32],
  ['volumeSetId', 128],
  ['publisherId', 128],
  ['preparerId', 128],
  ['applicationId', 128],
] as const)('allows %s up to %d characters', async (option, length) => {
  const { volume } = await openIso(await whole([], { [option]: 'X'.repeat(length) }));
  expect(volume.primary[option]).toBe('X'.repeat(length));
  const longer = whole([], { [option]: 'X'.repeat(length + 1) });
  await expect(longer).rejects.toThrow(new RegExp(`^${option} must be up to ${length} characters`));
});
