import { nodeAt } from '@coreiso/diagnostics';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Findings } from '../../src/validate/breaches.ts';
import { formatReport } from '../../src/validate/format.ts';
import { validate } from '../../src/validate/validate.ts';

const config = (members: string) => `{"ignition":{"version":"3.6.0"},${members}}`;
const codes = (text: string | Uint8Array) => validate(text).diagnostics.map(({ code }) => code);

describe('gives an error with a code for', () => {
  test('100 MB, before decoding them', () => {
    expect(codes(new Uint8Array(100_000_000))).toEqual(['ignition/too-long']);
  });

  test.each(['[', '{"a":', '[{"a":'])('more than 10,000 nested levels of %s', (open) => {
    expect(codes(config(`"x":${open.repeat(1_000_000)}`))).toEqual(['diagnostics/too-deep']);
  });

  test('more values than the limit', () => {
    const text = config(`"x":[${'1,'.repeat(1000)}1]`);
    expect(validate(text, { limits: { nodes: 500 } }).diagnostics.map(({ code }) => code)).toEqual([
      'diagnostics/too-many-nodes',
    ]);
  });

  test('a number of a million digits, as one wrong type', () => {
    expect(codes(config(`"storage":{"files":[{"path":"/a","mode":${'9'.repeat(1_000_000)}}]}`))).toEqual([
      'ignition/type',
    ]);
  });

  test('a version of a million digits', () => {
    expect(codes(`{"ignition":{"version":"3.${'9'.repeat(1_000_000)}.0"}}`)).toEqual(['ignition/version-unreadable']);
  });

  test('a quarter of a million findings of rules that report every pair', () => {
    const links = Array.from({ length: 1000 }, () => ({ path: '/l', target: '/t' }));
    const files = Array.from({ length: 1000 }, (_, index) => ({ path: `/l/${index}` }));
    const { diagnostics } = validate(config(`"storage":${JSON.stringify({ links, files })}`));
    expect(diagnostics).toHaveLength(250_001);
    expect(diagnostics.at(-1)?.code).toBe('ignition/too-many-findings');
  });
});

test('indexes a huge object once for any number of findings in it', () => {
  let reads = 0;
  const entry = (name: string) => ({
    get key() {
      reads++;
      return { kind: 'scalar', text: name, style: 'double', start: 0, end: 0, tag: undefined } as const;
    },
    value: { kind: 'scalar', text: name, style: 'double', start: 0, end: 0, tag: undefined } as const,
  });
  const entries = Array.from({ length: 10_000 }, (_, index) => entry(`m${index}`));
  const root = { kind: 'mapping', entries, start: 0, end: 0, tag: undefined } as const;
  for (let index = 0; index < 1000; index++) nodeAt(root, [`m${index}`, 'x']);
  expect(reads).toBe(10_000);
});

test('spends no time on findings beyond the limit', () => {
  const findings = new Findings(6);
  for (let index = 0; index < 300_000; index++) findings.add('path-not-absolute', undefined);
  expect(findings.breaches).toHaveLength(250_001);
});

test('gives a report for any text and any bytes', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.uint8Array({ maxLength: 200 }), fc.json()), (text) => {
      const report = formatReport(validate(text));
      return report.exitCode === 1 && report.stdout + report.stderr !== '';
    }),
    { numRuns: 500 },
  );
});
