import { expect, test } from 'vitest';
import { announcesRockRidge } from '../../src/iso9660/rock-ridge.ts';

const field = (signature: string, data: Uint8Array = new Uint8Array(8)) =>
  ({ signature, data, offset: 0 }) as unknown as Parameters<typeof announcesRockRidge>[0][number];
/** ER: lengths of identifier, description and source, the version, then the texts. */
const extension = (id: string) => field('ER', Uint8Array.of(id.length, 0, 0, 1, ...new TextEncoder().encode(id)));

test.each(['RR', 'PX', 'TF', 'NM'])('recognises Rock Ridge by the field %s in the root', (signature) => {
  expect(announcesRockRidge([field('SP'), field(signature)])).toBe(true);
});

test.each(['RRIP_1991A', 'IEEE_P1282', 'IEEE_1282'])('recognises Rock Ridge by the extension %s', (id) => {
  expect(announcesRockRidge([extension(id)])).toBe(true);
});

test.each(['SP', 'CE', 'AA', 'ST'])('does not recognise Rock Ridge by the field %s', (signature) => {
  expect(announcesRockRidge([field(signature)])).toBe(false);
});

test('does not recognise Rock Ridge by another extension or without one', () => {
  expect(announcesRockRidge([extension('IEEE_9999')])).toBe(false);
  expect(announcesRockRidge([])).toBe(false);
});
