/** `1.2 GiB`. */
export function sizeText(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  const step = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const value = bytes / 1024 ** step;
  if (value === 1 && step === 0) return '1 byte';
  return `${step === 0 ? value : value.toFixed(1)} ${units[step]}`;
}

const FACTORS: Readonly<Record<string, number>> = { '': 0, K: 1, M: 2, G: 3, T: 4 };

/** Parses a size: `1G` and `1GiB` are 1024³ bytes, `1GB` is 1000³, a bare number is bytes; throws for any other text. */
export function parseSize(text: string): number {
  const [, count = '', unit = '', suffix = ''] = /^(\d{1,15}(?:\.\d{1,3})?)([KMGT]?)(i?B)?$/i.exec(text) ?? [];
  const size = Number(count) * (/^B$/i.test(suffix) ? 1000 : 1024) ** (FACTORS[unit.toUpperCase()] ?? 0);
  const isSize = count !== '' && size >= 1 && Number.isSafeInteger(Math.floor(size)) && (unit !== '' || suffix === '');
  if (!isSize) throw new Error('expected a size, such as 3000000, 64M or 1G');
  return Math.floor(size);
}
