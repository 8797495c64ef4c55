// Help for common mistakes: texts that are not configs, and values of the wrong type.
import type { Node } from '@coreiso/diagnostics';
import type { Mismatch } from './decode.ts';

/** Keys at the top of Butane configs, which are YAML, not JSON. */
const BUTANE = /^(?:---\s*\n|\s*#.*\n|\s*\n)*(?:variant|version)\s*:/;

export function helpForSyntax(text: string, offset: number): string | undefined {
  if (BUTANE.test(text)) return 'This is Butane. Translate it first: butane --strict --output config.ign config.bu';
  const start = /[\w+-]*$/.exec(text.slice(Math.max(offset - 40, 0), offset))?.[0].length ?? 0;
  const number = /^0[oO]?([0-7]{2,6})(?![\w.])/.exec(text.slice(offset - start, offset - start + 20));
  if (number !== null) return octalHelp(number[1] ?? '');
  if (/^(?:\/\/|\/\*|#)/.test(text.slice(offset))) return 'Remove the comment: JSON has none.';
  if (/^[}\]]/.test(text.slice(offset)) && /,\s*$/.test(text.slice(Math.max(offset - 200, 0), offset)))
    return 'Remove the comma before it.';
  return undefined;
}

export function helpForMismatch({ node, place, expected }: Mismatch): string | undefined {
  const name = String(place?.step ?? '');
  const text = node.kind === 'scalar' ? node.text : '';
  if (name === 'mode' && /^0?o?[0-7]{3,5}$/.test(text)) return octalHelp(text.replace(/^0?o?/, ''));
  if (/^(?:contents|source)$/.test(name) && isText(node) && expected === 'an object')
    return 'Write { "source": "data:,TEXT" }, with TEXT percent-encoded.';
  if (isText(node) && /^true or false/.test(expected)) return 'Write true or false without quotes.';
  if (isText(node) && /^-?\d+$/.test(text) && expected.startsWith('a whole number'))
    return 'Write the number without quotes.';
  if (node.kind === 'scalar' && node.style === 'plain' && expected === 'a string') return 'Put it in double quotes.';
  if (expected === 'a list') return 'Put it in square brackets.';
  return undefined;
}

function isText(node: Node): boolean {
  return node.kind === 'scalar' && node.style === 'double';
}

/** Help with an octal mode: its decimal notation, which JSON requires. */
function octalHelp(digits: string): string {
  return `Write ${Number.parseInt(digits, 8)}, which is 0${digits.replace(/^0+/, '')} in decimal: JSON has no octal numbers.`;
}
