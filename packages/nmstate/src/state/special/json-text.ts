// Values that were read as JSON, as messages of nmstate show them.
import type { Node } from '@coreiso/diagnostics';
import { debugNumber, debugText } from '../../rust-text.ts';
import type { Reader } from '../reader.ts';

/** How Rust shows a value that was read as JSON. */
export function debugJson(node: Node, reader: Reader): string {
  if (node.kind === 'mapping') {
    const members = reader.entries(node).map(({ key, value }) => {
      return `${debugText(key.kind === 'scalar' ? key.text : '')}: ${debugJson(value, reader)}`;
    });
    return `Object {${members.join(', ')}}`;
  }
  if (node.kind === 'sequence') return `Array [${node.items.map((item) => debugJson(item, reader)).join(', ')}]`;
  const value = reader.scalar(node);
  if (typeof value === 'string') return `String(${debugText(value)})`;
  if (typeof value === 'boolean') return `Bool(${value})`;
  return typeof value === 'bigint' || typeof value === 'number' ? `Number(${debugNumber(value)})` : 'Null';
}

/** How serde prints a value that it read as JSON. */
export function compactJson(node: Node, reader: Reader): string {
  if (node.kind === 'sequence') return `[${node.items.map((item) => compactJson(item, reader)).join(',')}]`;
  if (node.kind === 'mapping') {
    const members = reader.entries(node).map(({ key, value }) => {
      return `${JSON.stringify(key.kind === 'scalar' ? key.text : '')}:${compactJson(value, reader)}`;
    });
    return `{${members.join(',')}}`;
  }
  const value = reader.scalar(node);
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}
