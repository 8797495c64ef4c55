import { slice } from '../../../src/bytes/compose.ts';
import { type Overlay, overlay } from '../../../src/bytes/overlay.ts';
import { type ByteSource, bytesSource, CHUNK_SIZE } from '../../../src/bytes/source.ts';

/** Contents without repetition. */
export function pattern(length: number, seed = 1): Uint8Array {
  let state = seed;
  return Uint8Array.from({ length }, () => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return state >> 16;
  });
}

/** All kinds of edits of a file, as functions of its base. */
export const EDITS: readonly [name: string, size: number, edit: (base: ByteSource) => Overlay][] = [
  [
    'patches',
    4000,
    (base) => overlay(base, [at(0, 10), at(700, 300), { offset: 3990, bytes: bytesSource(pattern(10, 3)) }]),
  ],
  ['a patch of several pieces', CHUNK_SIZE + 2000, (base) => overlay(base, [at(100, CHUNK_SIZE + 900)])],
  ['a patch that changes nothing and one that does', 600, (base) => overlay(base, [same(base), at(300, 5)])],
  ['a tail', 1000, (base) => overlay(base, [at(10, 10)], { tail: [pattern(CHUNK_SIZE + 500, 4)] })],
  ['a cut', 1000, (base) => overlay(base, [at(10, 10)], { keep: 400 })],
  ['nothing but a cut', 1000, (base) => overlay(base, [], { keep: 400 })],
  ['a shorter tail in place of the old end', 1000, (base) => overlay(base, [], { keep: 400, tail: [pattern(300, 5)] })],
  ['a longer tail in place of the old end', 1000, (base) => overlay(base, [], { keep: 400, tail: [pattern(900, 6)] })],
  [
    'bytes that change places',
    1000,
    (base) =>
      overlay(
        base,
        [
          { offset: 0, bytes: slice(base, 500, 300) },
          { offset: 500, bytes: slice(base, 0, 300) },
        ],
        { tail: [slice(base, 400, 500)] },
      ),
  ],
];

function at(offset: number, length: number): { offset: number; bytes: Uint8Array } {
  return { offset, bytes: pattern(length, offset + 2) };
}

function same(base: ByteSource): { offset: number; bytes: ByteSource } {
  return { offset: 50, bytes: slice(base, 50, 100) };
}
