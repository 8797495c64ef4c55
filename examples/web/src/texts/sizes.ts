// Numbers as people read them.

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];

/** `1.2 GiB`; three digits are enough to tell two images apart. */
export function sizeText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  if (unit === 0) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
  return `${value < 10 ? Number(value.toFixed(1)) : Math.round(value)} ${UNITS[unit]}`;
}

export function countText(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
