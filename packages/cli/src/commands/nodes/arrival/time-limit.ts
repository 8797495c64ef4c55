const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

/** Parses `45m` as milliseconds; a bare number means minutes. */
export function readTimeLimit(text: string): number {
  const [, count = '', unit = 'm'] = /^([1-9]\d{0,4})([smh])?$/.exec(text) ?? [];
  if (count === '') throw new Error('expected seconds, minutes or hours, such as 90s, 45m or 2h');
  return Number(count) * (UNITS[unit] ?? 0);
}
