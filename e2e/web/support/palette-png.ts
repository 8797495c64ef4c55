// PNG with a palette: pictures of pages have few colours, so that files take a third of the size with all colours.
import { crc32, deflateSync } from 'node:zlib';

const MOST_COLOURS = 256;

/** Pixels of four bytes each: red, green, blue and one that is ignored. Rare colours become the nearest common one. */
export function palettePng(pixels: Uint8Array, width: number): Buffer {
  const colours = new Uint32Array(pixels.length / 4).map((_, at) => {
    const [red = 0, green = 0, blue = 0] = pixels.subarray(4 * at, 4 * at + 3);
    return (red << 16) | (green << 8) | blue;
  });
  const palette = commonest(colours);
  const indexes = new Map(palette.map((colour, index) => [colour, index]));
  const indexOf = (colour: number): number => {
    const known = indexes.get(colour);
    if (known !== undefined) return known;
    const index = nearest(colour, palette);
    indexes.set(colour, index);
    return index;
  };
  const height = colours.length / width;
  // Each line begins with the number of its filter: none, because neighbouring indices are unrelated.
  const lines = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) lines[y * (width + 1) + 1 + x] = indexOf(colours[y * width + x] ?? 0);
  // PNG 11.2.1: size, eight bits per palette index, the only compression and filter method, no interlacing.
  const header = Buffer.from([...bytesOf(width), ...bytesOf(height), 8, 3, 0, 0, 0]);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap(channels))),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function commonest(colours: Uint32Array): number[] {
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const inOrder = [...counts].sort(([, a], [, b]) => b - a);
  return inOrder.slice(0, MOST_COLOURS).map(([colour]) => colour);
}

function nearest(colour: number, palette: readonly number[]): number {
  const wanted = channels(colour);
  const distances = palette.map((one) =>
    channels(one).reduce((sum, value, at) => sum + (value - (wanted[at] ?? 0)) ** 2, 0),
  );
  return distances.indexOf(Math.min(...distances));
}

const channels = (colour: number): number[] => [colour >> 16, (colour >> 8) & 255, colour & 255];

function bytesOf(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([bytesOf(data.length), content, bytesOf(crc32(content))]);
}
