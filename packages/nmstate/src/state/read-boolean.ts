import type { Node } from '@coreiso/diagnostics';
import type { Reader } from './reader.ts';
import type { BooleanType } from './table.ts';

const UPSTREAM = 'Need to be boolean: 1|0|true|false|yes|no|on|off|y|n';
const TRUE_WORDS: ReadonlySet<string> = new Set(['1', 'true', 'yes', 'on', 'y']);
const FALSE_WORDS: ReadonlySet<string> = new Set(['0', 'false', 'no', 'off', 'n']);

export function readBoolean({ lenient }: BooleanType, node: Node, reader: Reader): boolean | undefined {
  const value = reader.scalar(node);
  if (typeof value === 'boolean') return value;
  if (!lenient) return reader.wrongType(node, 'true or false', 'a boolean', 'Write `true` or `false`, without quotes.');
  const isWord = typeof value === 'string' || (typeof value === 'bigint' && value >= 0n);
  return isWord ? readBooleanWord(String(value), node, reader) : reader.wrongType(node, 'true or false', UPSTREAM);
}

/** One of the words that stand for true and false where booleans are lenient. */
export function readBooleanWord(word: string, node: Node, reader: Reader): boolean | undefined {
  const lower = word.toLowerCase();
  if (TRUE_WORDS.has(lower)) return true;
  if (FALSE_WORDS.has(lower)) return false;
  return reader.refuse(node, 'wrong-value', `true or false is needed here, not \`${word}\``, UPSTREAM);
}
