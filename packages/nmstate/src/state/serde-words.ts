// What things are called: by us, and by serde, whose words nmstate shows.
import type { Node, ScalarValue } from '@coreiso/diagnostics';
import { debugNumber, debugText } from '../rust-text.ts';

/** A value in our own words. */
export function plainName(node: Node, value: ScalarValue | undefined): string {
  if (node.kind !== 'scalar') return node.kind === 'mapping' ? 'a map' : 'a list';
  if (value === null) return 'nothing';
  return typeof value === 'string' ? `the text \`${value}\`` : `\`${node.text}\``;
}

/** A value in the words of serde. */
export function upstreamName(node: Node, value: ScalarValue | undefined, regime: 'json' | 'yaml'): string {
  if (node.kind !== 'scalar') return node.kind === 'mapping' ? 'map' : 'sequence';
  switch (typeof value) {
    case 'string':
      return `string ${debugText(value)}`;
    case 'boolean':
      return `boolean \`${value}\``;
    case 'bigint':
      return `integer \`${value}\``;
    case 'number':
      return `floating point \`${debugNumber(value)}\``;
    default:
      return regime === 'json' ? 'null' : 'unit value';
  }
}

/** serde lists all that it would take, the spellings of one thing in alphabetical order. */
export function expectedOneOf(groups: readonly (readonly string[])[]): string {
  const all = groups.flatMap((group) => [...group].sort()).map((name) => `\`${name}\``);
  if (all.length < 2) return `expected ${all.join('')}`;
  return all.length === 2 ? `expected ${all.join(' or ')}` : `expected one of ${all.join(', ')}`;
}
