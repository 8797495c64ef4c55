// Policies against recordings of `nmstatectl policy`: the same states or the same errors.
import { readFileSync } from 'node:fs';
import { parseYaml, serdeYaml, toPlain } from '@coreiso/diagnostics';
import { describe, expect, test } from 'vitest';
import { evaluatePolicy } from '../../src/evaluate-policy.ts';
import { refusalKind } from '../../src/index.ts';
import { POLICY_CASES, STATES } from './cases.ts';

interface Recording {
  readonly state?: string;
  readonly refusal?: string;
}

const { cases: recordings }: { cases: Record<string, Recording> } = JSON.parse(
  readFileSync(new URL('../goldens/policies.json', import.meta.url), 'utf8'),
);

/** The state as plain data, in the written order. */
function dataOf(text: string): unknown {
  const [outcome] = parseYaml(text);
  if (!outcome.ok) throw new Error(text);
  return outcome.value.root === undefined
    ? null
    : JSON.parse(JSON.stringify(toPlain(outcome.value.root, serdeYaml), asNumber));
}

function asNumber(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}

const cases = POLICY_CASES.map((one) => ({ ...one, recording: recordings[one.name] ?? {} }));

test('has a recording and a unique name for every policy', () => {
  expect(cases.length).toBeGreaterThan(200);
  expect(new Set(POLICY_CASES.map(({ name }) => name)).size).toBe(POLICY_CASES.length);
  expect(Object.keys(recordings).length).toBe(POLICY_CASES.length);
});

describe('fills in the same as nmstatectl', () => {
  const accepted = cases.filter(({ recording }) => recording.state !== undefined);
  test.each(accepted)('$name', ({ state, policy, recording }) => {
    const outcome = evaluatePolicy(policy, STATES[state]);
    expect(outcome.diagnostics).toEqual([]);
    const value = outcome.ok ? JSON.stringify(outcome.value, asNumber) : '';
    // nmstatectl prints nothing for an empty state.
    const wanted = recording.state === '' ? { interfaces: [] } : dataOf(recording.state ?? '');
    expect(value).toBe(JSON.stringify(wanted));
  });
});

describe('refuses the same as nmstatectl, with its message', () => {
  const refused = cases.filter(({ recording }) => recording.refusal !== undefined);
  test.each(refused)('$name', ({ state, policy, recording: { refusal = '' } }) => {
    const outcome = evaluatePolicy(policy, STATES[state]);
    expect(outcome.ok).toBe(false);
    const [first] = outcome.diagnostics;
    expect(first?.range).toBeDefined();
    if (refusal.startsWith('Failed to load from file')) return;
    const { line, position } = first?.arguments ?? {};
    const shown = position === undefined ? '' : `\n| ${line}\n| ${'.'.repeat(Number(position))}^`;
    const kind = refusalKind(first!) ?? 'Bug';
    expect(`NmstateError: ${kind}: ${first?.message}${shown}`).toBe(refusal);
  });
});
