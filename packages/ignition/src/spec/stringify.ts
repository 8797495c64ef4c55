import type { Config } from './generated/types.ts';
import { asValues, type Value } from './values.ts';

export interface StringifyOptions {
  /** Spaces per level; 0, the default, writes one line. */
  readonly indent?: number;
}

/** JSON text of a config as it stands. Unlike `JSON.stringify` it writes every digit of a 64-bit integer. */
export function stringifyConfig(config: Config, { indent = 0 }: StringifyOptions = {}): string {
  if (!Number.isInteger(indent) || indent < 0) throw new RangeError('indent must be a whole number of spaces');
  return write(asValues(config), indent, '');
}

function write(value: Value, indent: number, margin: string): string {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = indent === 0 ? '' : `\n${margin.slice(1)}${' '.repeat(indent)}`;
  const colon = indent === 0 ? ':' : ': ';
  const parts = Array.isArray(value)
    ? value.map((item: Value) => write(item, indent, inner))
    : Object.entries(value).flatMap(([name, member]) =>
        member === undefined ? [] : [`${JSON.stringify(name)}${colon}${write(member, indent, inner)}`],
      );
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  if (parts.length === 0) return `${open}${close}`;
  const outer = indent === 0 ? '' : margin === '' ? '\n' : margin;
  return `${open}${parts.map((part) => `${inner}${part}`).join(',')}${outer}${close}`;
}
