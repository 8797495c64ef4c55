import { checkArgument } from '@coreiso/peers/arguments';
import type { ScalarNode, ScalarValue } from '../node.ts';

/** The most digits that a double has before the point. */
const MAX_DIGITS = 309;

/**
 * Reads JSON scalars. Integers of up to 309 digits are exact; other numbers are doubles.
 *
 * @example toPlain(root, json)
 */
export function json(node: ScalarNode): ScalarValue {
  checkArgument('node', node, 'object');
  if (node.style !== 'plain') return node.text;
  switch (node.text) {
    case 'true':
      return true;
    case 'false':
      return false;
    case 'null':
      return null;
    default:
      return number(node.text);
  }
}

function number(text: string): bigint | number | string {
  if (/^-?\d+$/.test(text) && text.length <= MAX_DIGITS) return BigInt(text);
  const value = Number(text);
  return Number.isNaN(value) ? text : value;
}
