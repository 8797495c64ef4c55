import { checkArgument, checkWhole } from '@coreiso/peers/arguments';
import type { Config } from './generated/types.ts';
import { asValues, type Value } from './values.ts';

/**
 * Formats a config as JSON. Unlike `JSON.stringify`, it writes every digit of a 64-bit integer.
 *
 * @example await writeFile('worker.ign', stringifyConfig(config, { indent: 2 }))
 */
export function stringifyConfig(
  config: Config,
  options: {
    /** Spaces per level; 0, the default, writes one line. */
    readonly indent?: number | undefined;
  } = {},
): string {
  checkArgument('config', config, 'object');
  checkArgument('options', options, 'object');
  const { indent = 0 } = options;
  checkWhole('indent', indent);
  return write(asValues(config), ' '.repeat(indent), '\n');
}

/** `margin` is a line break and the indentation of the value's level. */
function write(value: Value, indent: string, margin: string): string {
  if (typeof value === 'bigint') return String(value);
  // Configs of unknown versions may hold null.
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = margin + indent;
  const colon = indent === '' ? ':' : ': ';
  const parts = Array.isArray(value)
    ? value.map((item: Value) => write(item, indent, inner))
    : Object.entries(value).flatMap(([name, member]) =>
        member === undefined ? [] : [JSON.stringify(name) + colon + write(member, indent, inner)],
      );
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  if (parts.length === 0 || indent === '') return `${open}${parts.join(',')}${close}`;
  return `${open}${inner}${parts.join(`,${inner}`)}${margin}${close}`;
}
