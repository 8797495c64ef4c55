// Compositions and overlays against plain arrays of bytes.
import {
  type ByteSource,
  type Bytes,
  bytesOf,
  bytesSource,
  compose,
  overlay,
  slice,
  toBlob,
  toReadableStream,
  zeros,
} from '@coreiso/iso';
import { Choices } from '../choices.ts';
import { assertHolds, type Target } from '../target.ts';

const LONGEST = 400;

/** A source and its expected contents. */
interface Model {
  readonly source: ByteSource;
  readonly bytes: Uint8Array;
}

const joined = (...parts: readonly Uint8Array[]) => Uint8Array.from(Buffer.concat(parts));
let fill = 0;

function fresh(length: number): Uint8Array {
  return new Uint8Array(length).fill(++fill & 0xff);
}

function begin(choices: Choices): Model {
  const length = choices.upTo(60);
  if (choices.upTo(3) === 0) return { source: zeros(length), bytes: new Uint8Array(length) };
  const bytes = fresh(length);
  return { source: bytesSource(bytes), bytes };
}

function changed({ source, bytes }: Model, choices: Choices): Model {
  const [kind, size] = [choices.upTo(4), bytes.length];
  if (kind === 0) {
    const other = begin(choices);
    const isFirst = choices.upTo(1) === 0;
    const parts: Bytes[] = isFirst ? [other.source, source] : [source, other.bytes];
    return { source: compose(parts), bytes: isFirst ? joined(other.bytes, bytes) : joined(bytes, other.bytes) };
  }
  if (kind === 1) {
    const offset = choices.upTo(size);
    const length = choices.upTo(size - offset);
    return { source: slice(source, offset, length), bytes: bytes.slice(offset, offset + length) };
  }
  // An overlay: kept bytes, patches in the gaps, a tail.
  const keep = kind === 2 ? size : choices.upTo(size);
  const result = bytes.slice(0, keep);
  const patches: { offset: number; bytes: Bytes }[] = [];
  let free = 0;
  for (let left = choices.upTo(3); left > 0 && free <= keep; left--) {
    const offset = free + choices.upTo(keep - free);
    const patch = fresh(choices.upTo(keep - offset));
    result.set(patch, offset);
    patches.unshift({ offset, bytes: choices.upTo(1) === 0 ? patch : bytesSource(patch) });
    free = offset + patch.length;
  }
  const tail = kind === 4 ? begin(choices) : undefined;
  const options = { keep, tail: tail === undefined ? [] : [tail.source] };
  return { source: overlay(source, patches, options), bytes: joined(result, tail?.bytes ?? new Uint8Array()) };
}

async function check({ source, bytes }: Model, choices: Choices): Promise<void> {
  assertHolds(source.size === bytes.length, () => `a source of ${bytes.length} bytes has size ${source.size}`);
  assertHolds(Buffer.compare(await bytesOf(source), bytes) === 0, 'a source holds what its parts hold');
  const offset = choices.upTo(bytes.length);
  const length = choices.upTo(bytes.length - offset);
  const part = await source.read(offset, length);
  assertHolds(
    Buffer.compare(part, bytes.subarray(offset, offset + length)) === 0,
    'a read gives the bytes of its place',
  );
  if ('segments' in source) {
    const segments = (source as ReturnType<typeof compose>).segments(offset, offset + length);
    let place = offset;
    for (const segment of segments) {
      assertHolds(segment.start === place && segment.length > 0, 'segments follow one another');
      place += segment.length;
    }
    assertHolds(place === offset + length, 'segments cover what was asked for');
  }
}

export const targets: readonly Target[] = [
  {
    name: 'bytes/overlay',
    shape: 'bytes',
    longest: LONGEST,
    seeds: () => [Uint8Array.of(40, 1, 2, 1, 3, 5, 7, 0), Uint8Array.of(50, 0, 4, 30, 2, 3, 9, 1, 20, 3, 0, 1, 1, 5)],
    run: async (input) => {
      fill = 0;
      const choices = new Choices(input);
      let model = begin(choices);
      for (let steps = 0; steps < 12 && !choices.isOver() && model.bytes.length < 2000; steps++)
        model = changed(model, choices);
      await check(model, choices);
    },
  },
  {
    name: 'bytes/streams',
    shape: 'bytes',
    longest: LONGEST,
    seeds: () => [Uint8Array.of(40, 1, 2, 1, 3, 5, 7, 0)],
    run: async (input) => {
      fill = 0;
      const choices = new Choices(input);
      let model = begin(choices);
      for (let steps = 0; steps < 6 && !choices.isOver() && model.bytes.length < 2000; steps++)
        model = changed(model, choices);
      const streamed = await new Response(
        toReadableStream(model.source) as ReadableStream<Uint8Array<ArrayBuffer>>,
      ).arrayBuffer();
      assertHolds(Buffer.compare(new Uint8Array(streamed), model.bytes) === 0, 'a stream gives all bytes');
      const blob = await (await toBlob(model.source)).arrayBuffer();
      assertHolds(Buffer.compare(new Uint8Array(blob), model.bytes) === 0, 'a Blob has all bytes');
    },
  },
];
