import { expect, test } from 'vitest';
import { validate } from '../../src/validate/validate.ts';

function faults(advertisement: string): string[] {
  const tang = { url: 'http://t', thumbprint: 't', advertisement };
  const luks = [{ name: 'root', device: '/dev/sda', clevis: { tang: [tang] } }];
  const text = JSON.stringify({ ignition: { version: '3.6.0' }, storage: { luks } });
  return validate(text).diagnostics.map(({ code }) => code);
}

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

test.each(['', 'null', '-0', '1e-400', '"\\ud800"', '{"a":1,"a":2}', '"\u2028"', nested(10_000)])(
  'accepts any JSON value as an advertisement: %.20s',
  (advertisement) => {
    expect(faults(advertisement)).toEqual([]);
  },
);

test.each([' ', '\ufeff{}', '{}x', '"\t"', '01', '\u00a01', '1e400', '[-1.7976931348623159e308]', nested(10_001)])(
  'refuses an advertisement that is not JSON, or too large for a reader: %.20s',
  (advertisement) => {
    expect(faults(advertisement)).toEqual(['ignition/tang-advertisement']);
  },
);
