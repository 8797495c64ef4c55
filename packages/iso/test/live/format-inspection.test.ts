import { expect, test } from 'vitest';
import { formatInspection } from '../../src/live/format-inspection.ts';
import type { InspectedMember, Inspection } from '../../src/live/inspect.ts';

const BARE: Inspection = {
  volumeId: 'volume',
  architecture: undefined,
  size: 10,
  volumeSize: 10,
  complete: true,
  pristine: undefined,
  initrd: undefined,
  kargs: undefined,
  features: undefined,
  minimal: undefined,
  problems: [],
  oddities: [],
};
const page = (more: Partial<Inspection>): string[] => formatInspection({ ...BARE, ...more }).split('\n');
const FEATURES = { installerConfig: false, liveInitrdNetwork: false, installerConfigDirectives: {} };
const AREA = { offset: 7, length: 100, used: 30, free: 70 };

test('has a line for everything, even for an image without any data', () => {
  expect(page({})).toEqual([
    'Volume       volume',
    'Size         10 bytes, complete',
    'State        unknown, see the problems',
    'Kernel args  cannot be changed in this image',
    'Features     unknown',
    'Minimal ISO  no recipe',
    '',
  ]);
});

test.each<[string, Partial<Inspection>, string[]]>([
  ['an architecture', { architecture: 's390x' }, ['Volume       volume (s390x)']],
  ['a missing end', { complete: false, volumeSize: 20 }, ['Size         10 bytes, truncated: the volume has 20']],
  ['a pristine image', { pristine: true }, ['State        pristine']],
  ['a customised one', { pristine: false }, ['State        customised']],
  ['no features', { features: FEATURES }, ['Features     none']],
  ['one feature', { features: { ...FEATURES, installerConfig: true } }, ['Features     installer-config']],
  ['the other', { features: { ...FEATURES, liveInitrdNetwork: true } }, ['Features     live-initrd-network']],
  [
    'directives that are known',
    { features: { ...FEATURES, installerConfigDirectives: { a: true, b: false, c: true } } },
    ['Features     2 installer directives'],
  ],
  ['a recipe', { minimal: { createdBy: '1.2', entries: 3 } }, ['Minimal ISO  recipe of 3 parts by 1.2']],
  ['problems', { problems: [['a', 'b'], ['c']] }, ['Problem      a: b', 'Problem      c']],
  ['oddities', { oddities: [{ message: 'odd', offset: 0 }] }, ['Oddity       odd (at byte 0)']],
  [
    'an empty area',
    { initrd: { ...AREA, formats: [], members: [] } },
    ['Initrd area  100 bytes at 7: 30 used, 70 free'],
  ],
  [
    'two archives',
    { initrd: { ...AREA, formats: ['plain', 'zstd'], members: [] } },
    ['Initrd area  100 bytes at 7: 30 used, 70 free, plain + zstd'],
  ],
  [
    'one area of default arguments',
    { kargs: { default: 'a', current: 'a', used: 1, free: 2, areas: [{ offset: 5, length: 3 }] } },
    ['Kernel args  1 bytes used, 2 free, in one area at 5', '  current: a'],
  ],
])('%s', (_, more, lines) => {
  const shown = page(more);
  for (const line of lines) expect(shown).toContain(line);
  expect(shown.some((line) => line.startsWith('  default: '))).toBe(false);
});

test.each<[InspectedMember['kind'], string]>([
  ['file', '-'],
  ['directory', 'd'],
  ['symlink', 'l'],
  ['block', 'b'],
  ['character', 'c'],
  ['fifo', 'p'],
  ['socket', 's'],
  ['unknown', '?'],
])('shows a %s with the letter %s of ls', (kind, letter) => {
  const member = (mode: number, size: number) => ({ path: 'x', kind, mode, size });
  const members = [member(0o777, 5), member(0, 123), member(0o421, 0), member(0o4124, 0)];
  expect(page({ initrd: { ...AREA, formats: [], members } }).slice(4, 8)).toEqual([
    `  ${letter}rwxrwxrwx   5 x`,
    `  ${letter}--------- 123 x`,
    `  ${letter}r---w---x   0 x`,
    `  ${letter}--x-w-r--   0 x`,
  ]);
});

test('lets no name move the cursor or begin a line', () => {
  const members = [{ path: 'a\u001b[2J\nState        pristine\u202e', kind: 'file', mode: 0, size: 0 }] as const;
  const lines = page({ volumeId: 'v\u009b\u007f', initrd: { ...AREA, formats: [], members } });
  expect(lines[0]).toBe('Volume       v\ufffd\ufffd');
  expect(lines).toContain('  ---------- 0 a\u241b[2J\u240aState        pristine\ufffd');
});
