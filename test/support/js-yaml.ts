import { goYaml, type Plain, parseYaml, toPlain, valueOrThrow } from '@coreiso/diagnostics';
import { loadAll } from 'js-yaml';
import { expect } from 'vitest';

/** js-yaml has only one kind of number. */
export function oneNumber(value: Plain): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(oneNumber);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, oneNumber(member)]));
}

/** Checks that js-yaml, an independent reader, and our reader read the same values from a text. */
export function expectReadAlike(text: string): void {
  const ours = parseYaml(text, { flavour: 'go' }).map((outcome) => {
    const { root } = valueOrThrow(outcome);
    return root === undefined ? null : oneNumber(toPlain(root, goYaml));
  });
  expect(loadAll(text)).toEqual(ours);
}
