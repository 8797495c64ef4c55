import type { Diagnostic } from '@coreiso/diagnostics';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SPEC_VERSIONS } from '../../src/spec/version.ts';
import { minimumVersion, translate, translateOrThrow } from '../../src/translate/translate.ts';
import { validateConfig } from '../../src/validate/validate.ts';
import { arbitraryConfig } from '../spec/arbitrary-config.ts';

/** From 3.1.0 on, a bad source is also reported at the entry that holds it. */
const covers = (finding: Diagnostic) => (earlier: Diagnostic) =>
  earlier.message === finding.message && `${earlier.path.join('.')}.`.startsWith(`${finding.path.join('.')}.`);
const numRuns = 20;

describe.each(SPEC_VERSIONS)('configs of %s', (version) => {
  test('have no new findings after a translation', () => {
    fc.assert(
      fc.property(arbitraryConfig(version), fc.constantFrom(...SPEC_VERSIONS), (config, to) => {
        const outcome = translate(config, to);
        if (!outcome.ok) return;
        const before = validateConfig(config).diagnostics;
        const news = validateConfig(outcome.value).diagnostics.filter((finding) => !before.some(covers(finding)));
        expect(news).toEqual([]);
      }),
      { numRuns },
    );
  });

  test('are the same after a translation to their minimum version and back', () => {
    fc.assert(
      fc.property(arbitraryConfig(version), (config) => {
        const minimum = minimumVersion(config);
        const lowered = translateOrThrow(config, minimum);
        expect(minimumVersion(lowered)).toBe(minimum);
        const back = translateOrThrow(lowered, version, { keepAdvertisements: true });
        expect(back).toEqual(translateOrThrow(config, version));
      }),
      { numRuns },
    );
  });
});
