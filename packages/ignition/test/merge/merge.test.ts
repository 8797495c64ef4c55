import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { merge } from '../../src/merge/merge.ts';
import type { Config } from '../../src/spec/generated/types.ts';
import { SPEC_VERSIONS } from '../../src/spec/version.ts';
import { translateOrThrow } from '../../src/translate/translate.ts';
import { arbitraryConfig } from '../spec/arbitrary-config.ts';

const nothing = {} as Config;

describe.each(SPEC_VERSIONS)('configs of %s', (version) => {
  test('do not change in a merge with an empty side', () => {
    fc.assert(
      fc.property(arbitraryConfig(version), fc.boolean(), (config, versioned) => {
        const empty = versioned ? { ignition: { version } } : nothing;
        const same = translateOrThrow(config, version);
        expect(merge(config, empty).config).toEqual(same);
        expect(merge(empty, config).config).toEqual(same);
      }),
      { numRuns: 20 },
    );
  });

  test('merge with a transcript that explains every value', () => {
    fc.assert(
      fc.property(arbitraryConfig(version), arbitraryConfig(version), (parent, child) => {
        const { config, transcript } = merge(parent, child);
        const explained = new Set(transcript.map(({ to }) => to.join('.')));
        expect(leaves(config).filter((path) => !explained.has(path))).toEqual([]);
        for (const { side, from } of transcript) expect(at(side === 'parent' ? parent : child, from)).toBeDefined();
      }),
      { numRuns: 20 },
    );
  });
});

function at(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce((inner, step) => (inner as Record<string | number, unknown> | undefined)?.[step], value);
}

/** The paths of all values except containers and empty texts, which some members always have. */
function leaves(value: unknown, path = ''): string[] {
  if (value === '' || value === undefined) return [];
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([name, inner]) => leaves(inner, path === '' ? name : `${path}.${name}`));
}

test('translates the older side first', () => {
  const parent: Config = { ignition: { version: '3.0.0' }, storage: { files: [{ path: '/a', mode: 0o4755 }] } };
  const child: Config = { ignition: { version: '3.6.0' }, storage: { files: [{ path: '/b', mode: 0o4755 }] } };
  expect(merge(parent, child).config).toEqual({
    ignition: { version: '3.6.0' },
    storage: {
      files: [
        { path: '/a', mode: 0o755 },
        { path: '/b', mode: 0o4755 },
      ],
    },
  });
});

test('keeps integers beyond 53 bits', () => {
  const uid = 9007199254740993n;
  const config: Config = { ignition: { version: '3.6.0' }, passwd: { users: [{ name: 'u', uid }] } };
  expect(merge(config, nothing).config.passwd?.users?.[0]?.uid).toBe(uid);
});

test('refuses configs without a version', () => {
  expect(() => merge(nothing, nothing)).toThrow(expect.objectContaining({ code: 'IGNITION_UNKNOWN_VERSION' }));
});
