import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Config } from '../../src/spec/generated/types.ts';
import { stringifyConfig } from '../../src/spec/stringify.ts';
import { arbitraryConfig } from './arbitrary-config.ts';

test('writes the same as JSON.stringify, on one line or indented', () => {
  fc.assert(
    fc.property(arbitraryConfig('3.6.0'), fc.constantFrom(0, 1, 2, 4), (config, indent) => {
      expect(stringifyConfig(config, { indent })).toBe(JSON.stringify(config, undefined, indent));
    }),
    { numRuns: 50 },
  );
});

test('keeps every digit and leaves out undefined members', () => {
  const user = { name: 'u', uid: 9223372036854775807n, gecos: undefined };
  const config: Config = { ignition: { version: '3.6.0' }, passwd: { users: [user], groups: [] } };
  expect(stringifyConfig(config)).toBe(
    '{"ignition":{"version":"3.6.0"},"passwd":{"users":[{"name":"u","uid":9223372036854775807}],"groups":[]}}',
  );
  expect(() => stringifyConfig(config, { indent: -1 })).toThrow(/^indent/);
});
