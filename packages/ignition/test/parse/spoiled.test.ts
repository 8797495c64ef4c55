import { parseJson } from '@coreiso/diagnostics';
import { expect, test } from 'vitest';
import { Goldens } from '../../../../test/support/goldens.ts';
import { thrownAt } from '../../../../test/support/spoiled.ts';
import { findExpiries, parseConfig, validate, validateConfig } from '../../src/index.ts';
import { redactText } from '../../src/inspect/redact.ts';

const goldens = new Goldens(new URL('../goldens/validate.json', import.meta.url));

/** Longer configs repeat the same kinds of entries. */
const LONGEST = 12_000;

const configs = goldens.paths(/\.ign$/).flatMap((path) => {
  const text = goldens.text(path);
  const { ok } = text.length > LONGEST ? { ok: false } : parseJson(text);
  return ok ? [[JSON.parse(text), undefined] as const] : [];
});

test('gives a report for any value at any place of a config', () => {
  const thrown = thrownAt(configs, (text) => {
    validate(text);
    redactText(text);
    const { value } = parseConfig(text) as { value?: Parameters<typeof validateConfig>[0] };
    if (value === undefined) return;
    validateConfig(value);
    findExpiries(value);
  });
  expect(thrown).toEqual([]);
});
