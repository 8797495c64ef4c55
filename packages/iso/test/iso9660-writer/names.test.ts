import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jolietNames, primaryNames } from '../../src/iso9660/writer/names.ts';
import type { TreeNode } from '../../src/iso9660/writer/tree.ts';

const data = { content: new Uint8Array(), size: 0, align: 2048, modified: new Date(0), mode: 0, links: 1 };
const file = (name: string): TreeNode => ({ kind: 'file', name, path: `/${name}`, data });

/** The names on which genisoimage and xorriso agree. */
test.each([
  ['kargs.json', 'KARGS.JSO'],
  ['features.json', 'FEATURES.JSO'],
  ['ignition.img', 'IGNITION.IMG'],
  ['vmlinuz', 'VMLINUZ.'],
  ['.cmdline', '_CMDLINE.'],
  ['boot.catalog', 'BOOT.CAT'],
  ['initrd.addrsize', 'INITRD.ADD'],
  ['a.b.c', 'A_B.C'],
  ['a.json', 'A.JSO'],
  ['trailing.', 'TRAILING.'],
  ['sp ace+plus.txt', 'SP_ACE_P.TXT'],
])('gives %s the primary name %s', (name, expected) => {
  expect([...primaryNames([file(name)]).values()]).toEqual([expected]);
});

test('numbers names that would be equal, without taking an existing name', () => {
  const names = ['long_name_1.txt', 'long_name_2.txt', 'long_na0.txt', 'README', 'readme'].map(file);
  expect([...primaryNames(names).entries()].map(([node, name]) => [node.name, name])).toEqual([
    ['long_name_1.txt', 'LONG_NA1.TXT'],
    ['long_name_2.txt', 'LONG_NA2.TXT'],
    ['long_na0.txt', 'LONG_NA0.TXT'],
    ['README', 'README0.'],
    ['readme', 'README1.'],
  ]);
});

test('uses different numbers for different groups of equal names', () => {
  const names = ['aaaaaaaax', 'aaaaaaaay', 'aaaaaaabx', 'aaaaaaaby'].map(file);
  expect([...primaryNames(names).values()]).toEqual(['AAAAAAA0.', 'AAAAAAA1.', 'AAAAAAA2.', 'AAAAAAA3.']);
});

test('replaces characters that Joliet forbids (3.3.1)', () => {
  expect([...jolietNames([file('\x01\x1f\t a*b/c:d;e?f\\g~')]).values()]).toEqual(['___ a_b_c_d_e_f_g~']);
});

test('shortens Joliet names to what UCS-2 and Windows allow, and keeps the extension', () => {
  const long = 'x'.repeat(80);
  const names = ['plain.json', 'a*b:c?.txt', '😀.txt', `${long}.json`, `${long}.${long}`].map(file);
  expect([...jolietNames(names).values()]).toEqual([
    ...['plain.json', 'a_b_c_.txt', '_.txt'],
    `${'x'.repeat(59)}.json`,
    `${'x'.repeat(32)}.${'x'.repeat(31)}`,
  ]);
});

const nameSets = fc.uniqueArray(fc.stringMatching(/^[ab.XÄ😀]{1,12}$/u), { maxLength: 60 });

test('makes valid and different primary names', () => {
  fc.assert(
    fc.property(nameSets, (names) => {
      const given = [...primaryNames(names.map(file)).values()];
      expect(new Set(given).size).toBe(names.length);
      for (const name of given) expect(name).toMatch(/^[A-Z0-9_]{1,8}\.[A-Z0-9_]{0,3}$/);
    }),
    { numRuns: 200 },
  );
});

test('makes different Joliet names of at most 64 characters', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string({ minLength: 1, maxLength: 100 }), { maxLength: 40 }), (names) => {
      const given = [...jolietNames(names.map(file)).values()];
      expect(new Set(given).size).toBe(names.length);
      for (const name of given) expect(name.length).toBeLessThanOrEqual(64);
    }),
    { numRuns: 200 },
  );
});
