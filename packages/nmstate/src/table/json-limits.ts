import { type Node, type ScalarNode, serdeYaml } from '@coreiso/diagnostics';
import type { ValueReader } from './table.ts';
import { I64_MIN, U64_MAX } from './values.ts';

/** Numbers with fewer characters fit 64 bits. */
const SHORTEST_WIDE = 18;

/** Checks that a value fits JSON: nmstate refuses wider numbers and custom tags, even in ignored values. */
export function checkJson(node: Node, reader: ValueReader): boolean {
  if (!isBeyondJson(node)) return true;
  refuseBeyondJson(node, reader);
  return false;
}

function isBeyondJson(node: Node): boolean {
  if (isTagged(node)) return true;
  if (node.kind === 'sequence') return node.items.some(isBeyondJson);
  if (node.kind === 'mapping') return node.entries.some(({ value }) => isBeyondJson(value));
  return isWide(node);
}

function refuseBeyondJson(node: Node, reader: ValueReader): void {
  if (isTagged(node)) {
    const upstream = 'invalid type: enum, expected any valid JSON value';
    reader.refuse(node, 'wrong-type', `the tag \`${node.tag}\` has no meaning here`, upstream);
  } else if (node.kind === 'sequence') {
    for (const [index, item] of node.items.entries()) reader.within(index, () => refuseBeyondJson(item, reader));
  } else if (node.kind === 'mapping') {
    for (const { key, value } of node.entries) {
      reader.within(key.kind === 'scalar' ? key.text : '', () => refuseBeyondJson(value, reader));
    }
  } else if (isWide(node)) {
    reader.refuse(node, 'out-of-range', 'the number does not fit into 64 bits', 'JSON number out of range');
  }
}

function isTagged({ tag }: Node): boolean {
  return tag?.startsWith('!') === true;
}

function isWide(node: ScalarNode): boolean {
  if (node.text.length < SHORTEST_WIDE) return false;
  const value = serdeYaml(node);
  return typeof value === 'bigint' && (value > U64_MAX || value < I64_MIN);
}
