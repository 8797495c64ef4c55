import { describe, expect, test } from 'vitest';
import { openIso } from '../../src/iso9660/reader.ts';
import { openLiveImage } from '../../src/live/image.ts';
import { inspect } from '../../src/live/inspect.ts';

describe('an empty file', () => {
  test.each([
    ['openLiveImage', openLiveImage],
    ['openIso', openIso],
    ['inspect', inspect],
  ])('is reported as empty by %s', async (_, open) => {
    await expect(open(new Uint8Array(0))).rejects.toMatchObject({
      code: 'ISO_NOT_AN_IMAGE',
      message: 'not an ISO image: the file is empty',
    });
  });
});
