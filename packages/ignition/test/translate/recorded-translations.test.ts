import { expect, test } from 'vitest';
import { Goldens } from '../../../../test/support/goldens.ts';
import type { Config } from '../../src/spec/generated/types.ts';
import type { SpecVersion } from '../../src/spec/version.ts';
import { translate } from '../../src/translate/translate.ts';
import { formatReport } from '../../src/validate/format.ts';
import { validateConfig } from '../../src/validate/validate.ts';

interface Recording {
  readonly from: SpecVersion;
  readonly to: SpecVersion;
  readonly input: Config;
  readonly output: Config;
  readonly outputReport: string[];
}

const goldens = new Goldens(new URL('../goldens/translate.json', import.meta.url));
const cases = goldens.paths().map((name) => ({ name, ...goldens.json<Recording>(name) }));

test('uses every recording', () => {
  expect(cases).toHaveLength(62);
});

test.each(cases)('translates as Ignition does: $name', ({ from, to, input, output, outputReport }) => {
  const outcome = translate(input, to, { from });
  expect(outcome).toMatchObject({ ok: true });
  if (!outcome.ok) return;
  expect(outcome.value).toEqual(output);
  expect(formatReport(validateConfig(outcome.value)).stdout.split('\n').slice(0, -1)).toEqual(outputReport);
});
