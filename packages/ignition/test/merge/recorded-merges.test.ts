import type { Path } from '@coreiso/diagnostics';
import { expect, test } from 'vitest';
import { Goldens } from '../../../../test/support/goldens.ts';
import { merge } from '../../src/merge/merge.ts';
import type { Config } from '../../src/spec/generated/types.ts';
import type { SpecVersion } from '../../src/spec/version.ts';
import { formatReport } from '../../src/validate/format.ts';
import { validateConfig } from '../../src/validate/validate.ts';

interface Recording {
  readonly version: SpecVersion;
  readonly parent: Config;
  readonly child: Config;
  readonly result: Config;
  readonly resultReport: string[];
  readonly transcript: string[];
}

const goldens = new Goldens(new URL('../goldens/merge.json', import.meta.url));
const cases = goldens.paths().map((name) => ({ name, ...goldens.json<Recording>(name) }));
const print = (path: Path) => ['$', ...path].join('.');

test('uses every recording', () => {
  expect(cases).toHaveLength(106);
});

test.each(cases)('merges as Ignition does: $name', ({ version, parent, child, result, resultReport, transcript }) => {
  const merged = merge(parent, child, { version });
  expect(merged.config).toEqual(result);
  expect(merged.transcript.map(({ side, from, to }) => `${side}:${print(from)} → ${print(to)}`)).toEqual(transcript);
  const { stdout } = formatReport(validateConfig(merged.config, { version }));
  expect(stdout.split('\n').slice(0, -1)).toEqual(resultReport);
});
