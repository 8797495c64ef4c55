// Names of values in our messages and in those of serde, which nmstate shows.
import type { Node, ScalarValue } from '@coreiso/diagnostics';
import { debugText, jsonFloat } from '@coreiso/peers/rust';
import type { ValueReader } from './table.ts';

/** Describes a value for our messages. */
export function plainName(node: Node, value: ScalarValue | undefined): string {
  if (node.kind !== 'scalar') return node.kind === 'mapping' ? 'a map' : 'a list';
  if (value === null) return 'nothing';
  return typeof value === 'string' ? `the text \`${value}\`` : `\`${node.text}\``;
}

/** Describes a value as serde's messages do. */
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
      return `floating point \`${jsonFloat(value)}\``;
    default:
      return regime === 'json' ? 'null' : 'unit value';
  }
}

/** serde's list of accepted words; spellings of one value are in alphabetical order. */
export function expectedOneOf(groups: readonly (readonly string[])[]): string {
  const all = groups.flatMap((group) => [...group].sort()).map((name) => `\`${name}\``);
  if (all.length < 2) return `expected ${all.join('')}`;
  return all.length === 2 ? `expected ${all.join(' or ')}` : `expected one of ${all.join(', ')}`;
}

/** Formats a JSON value like Rust's debug output. */
export function debugJson(node: Node, reader: ValueReader): string {
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
  return typeof value === 'bigint' || typeof value === 'number' ? `Number(${jsonNumber(value)})` : 'Null';
}

/** Formats a JSON value as serde prints it. */
export function compactJson(node: Node, reader: ValueReader): string {
  if (node.kind === 'sequence') return `[${node.items.map((item) => compactJson(item, reader)).join(',')}]`;
  if (node.kind === 'mapping') {
    const members = reader.entries(node).map(({ key, value }) => {
      return `${JSON.stringify(key.kind === 'scalar' ? key.text : '')}:${compactJson(value, reader)}`;
    });
    return `{${members.join(',')}}`;
  }
  const value = reader.scalar(node);
  return typeof value === 'bigint' || typeof value === 'number' ? jsonNumber(value) : JSON.stringify(value);
}

function jsonNumber(value: number | bigint): string {
  return typeof value === 'bigint' ? String(value) : jsonFloat(value);
}
