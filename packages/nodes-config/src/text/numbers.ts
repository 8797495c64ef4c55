import type { Plain } from '@coreiso/diagnostics';

/** YAML's integers are bigint here; members of objects are compared with numbers. */
export function numbersAsNumbers(value: Plain): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(numbersAsNumbers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, numbersAsNumbers(member)]));
}
