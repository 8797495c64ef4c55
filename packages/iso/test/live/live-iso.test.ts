import { describe, expect, test } from 'vitest';
import { IsoError } from '../../src/errors.ts';
import { type Iso, openIso } from '../../src/iso9660/reader.ts';
import { findFile, readMetadata } from '../../src/live/live-iso.ts';
import { sampleIso } from '../../src/sample/index.ts';

const iso = await openIso(await sampleIso(), { view: 'strict' });
const failing = (error: Error): Iso => ({ ...iso, entry: () => Promise.reject(error) });

describe('a file of an image', () => {
  test('is found by its strict name, or is absent', async () => {
    expect(await findFile(iso, 'COREOS/KARGS.JSO')).toMatchObject({ kind: 'file', name: 'KARGS.JSO' });
    expect(await findFile(iso, 'COREOS/KARGS.JSX')).toBeUndefined();
    expect(await findFile(iso, 'NOWHERE/KARGS.JSO')).toBeUndefined();
  });

  test.each([
    ['a damaged directory', new IsoError('ISO_BAD_RECORD', 'a record contradicts itself')],
    ['the failure of a source', new Error('the disk is gone')],
  ])('does not count as absent because of %s', async (_, error) => {
    await expect(findFile(failing(error), 'COREOS/KARGS.JSO')).rejects.toBe(error);
  });

  test('must not be a directory', async () => {
    const { recordOffset } = await iso.entry('COREOS');
    await expect(findFile(iso, 'COREOS')).rejects.toMatchObject({
      code: 'ISO_WRONG_KIND',
      message: 'entry COREOS is a directory',
      offset: recordOffset,
    });
  });

  test('has at most 256 KiB if it is metadata', async () => {
    const entry = await iso.entry('IMAGES/IGNITION.IMG');
    expect(await readMetadata(iso, entry)).toHaveLength(262144);
    await expect(readMetadata(iso, { ...entry, size: 262145 })).rejects.toMatchObject({
      code: 'ISO_BAD_METADATA',
      message: 'IMAGES/IGNITION.IMG has 262145 bytes, more than 262144',
      offset: entry.recordOffset,
    });
  });
});
