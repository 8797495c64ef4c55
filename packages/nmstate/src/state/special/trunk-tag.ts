import type { Node } from '@coreiso/diagnostics';
import type { Reader } from '../reader.ts';
import { type Section, type SpecialType, u16 } from '../table.ts';
import { compactJson } from './json-text.ts';

const vlanRange: Section = {
  name: 'BridgePortVlanRange',
  doc: 'A range of VLANs.',
  unknownKeys: 'refused',
  fields: {
    max: { type: u16, required: true, doc: 'Last VLAN.' },
    min: { type: u16, required: true, doc: 'First VLAN.' },
  },
};

/** `id` wins over `id-range`; other keys beside them are ignored. */
export const trunkTag: SpecialType = {
  kind: 'special',
  typescript: "{ readonly id: number } | { readonly 'id-range': { readonly min: number; readonly max: number } }",
  schema: {
    anyOf: [
      { type: 'object', properties: { id: { type: ['integer', 'string'] } }, required: ['id'] },
      {
        type: 'object',
        properties: {
          'id-range': {
            type: 'object',
            properties: { min: { type: ['integer', 'string'] }, max: { type: ['integer', 'string'] } },
            required: ['min', 'max'],
            additionalProperties: false,
          },
        },
        required: ['id-range'],
      },
    ],
  },
  read(node, reader) {
    const id = memberValue(node, 'id');
    if (id !== undefined) return reader.within('id', () => trunkId(id, node, reader));
    const range = memberValue(node, 'id-range');
    if (range === undefined) {
      const upstream = `BridgePortTrunkTag only support 'id' or 'id-range', but got ${compactJson(node, reader)}`;
      return reader.refuse(node, 'wrong-value', 'a trunk tag has `id` or `id-range`', upstream);
    }
    const values = reader.within('id-range', () => reader.section(vlanRange, range));
    return values && { 'id-range': values };
  },
};

function trunkId(id: Node, tag: Node, reader: Reader): { id: number } | undefined {
  const value = reader.scalar(id);
  const isNumber = typeof value === 'bigint' && value >= 0n;
  if (!isNumber && typeof value !== 'string') {
    const upstream = `The id of BridgePortTrunkTag should be unsigned 16 bits integer, but got ${compactJson(tag, reader)}`;
    return reader.refuse(id, 'wrong-type', 'a VLAN number is needed here', upstream);
  }
  const written = String(value);
  if (!/^\+?[0-9]+$/.test(written)) {
    const reason = written === '' ? 'cannot parse integer from empty string' : 'invalid digit found in string';
    const upstream = `Failed to parse BridgePortTrunkTag id ${written} as u16: ${reason}`;
    return reader.refuse(id, 'wrong-value', `\`${written}\` is not a VLAN number`, upstream);
  }
  if (BigInt(written.replace('+', '')) <= 0xffffn) return { id: Number(written) };
  const reason = isNumber
    ? 'out of range integral type conversion attempted'
    : 'number too large to fit in target type';
  return reader.refuse(
    id,
    'out-of-range',
    `${written} is out of range: 0 to 65535 is possible`,
    `Failed to parse BridgePortTrunkTag id ${written} as u16: ${reason}`,
  );
}

/** Of equal keys the last one wins. */
function memberValue(node: Node, name: string): Node | undefined {
  if (node.kind !== 'mapping') return undefined;
  return node.entries.findLast(({ key }) => key.kind === 'scalar' && key.text === name)?.value;
}
