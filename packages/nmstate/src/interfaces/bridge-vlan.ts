import type { Node } from '@coreiso/diagnostics';
import type { BridgePortVlanConfig } from '../generated/types.ts';
import { compactJson } from '../table/serde-words.ts';
import type { Findings } from '../table/state-findings.ts';
import type { ValueReader } from '../table/table.ts';
import { bool, type Field, inside, listOf, oneOf, type Section, type SpecialType, u16 } from '../table/table.ts';

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
const trunkTag: SpecialType = {
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

function trunkId(id: Node, tag: Node, reader: ValueReader): { id: number } | undefined {
  const value = reader.scalar(id);
  const isNumber = typeof value === 'bigint' && value >= 0n;
  if (!isNumber && typeof value !== 'string') {
    const upstream = `The id of BridgePortTrunkTag should be unsigned 16 bits integer, but got ${compactJson(tag, reader)}`;
    return reader.refuse(id, 'wrong-type', 'expected a VLAN ID', upstream);
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
    `${written} is out of range (0–65535)`,
    `Failed to parse BridgePortTrunkTag id ${written} as u16: ${reason}`,
  );
}

/** The value of a key; the last of equal keys wins. */
function memberValue(node: Node, name: string): Node | undefined {
  if (node.kind !== 'mapping') return undefined;
  return node.entries.findLast(({ key }) => key.kind === 'scalar' && key.text === name)?.value;
}

const bridgePortVlan: Section = {
  name: 'BridgePortVlanConfig',
  doc: 'VLANs of a bridge port.',
  unknownKeys: 'refused',
  fields: {
    /** Whether `tag` names the native VLAN of a trunk. */
    'enable-native': { type: bool },
    /** Whether the port carries many VLANs or one. */
    mode: { type: oneOf('trunk', 'access') },
    /** The VLAN of an access port, or the native VLAN of a trunk. */
    tag: { type: u16 },
    /** The VLANs of a trunk: `id` or `id-range`. */
    'trunk-tags': { type: listOf(trunkTag) },
  },
};
/** The VLAN of a port, the same for Linux bridges and Open vSwitch. */
export const portVlan: Field = { type: inside(bridgePortVlan) };

type TrunkTag = NonNullable<BridgePortVlanConfig['trunk-tags']>[number];

interface Tag {
  readonly min: number;
  readonly max: number;
  readonly text: string;
}

const LAST_ID = 0xffff;

export function trunkRange(tag: TrunkTag): { min: number; max: number } {
  return 'id' in tag ? { min: tag.id, max: tag.id } : tag['id-range'];
}

/** `12` or `12-14`. */
export function rangeText({ min, max }: { min: number; max: number }): string {
  return min === max ? String(min) : `${min}-${max}`;
}

/** With `asIds` it expands ranges before it compares them, as nmstate does for Linux bridges. */
export function checkPortVlan(vlan: BridgePortVlanConfig, findings: Findings, { asIds }: { asIds: boolean }): void {
  const { mode, tag, 'enable-native': native, 'trunk-tags': tags } = vlan;
  if (mode === 'trunk' && tag !== undefined && tag !== 0 && native !== true) {
    findings
      .at('tag')
      .invalid(
        'Bridge VLAN filtering `tag` cannot be use in trunk mode without `enable-native`',
        'Add `enable-native: true`.',
      );
  }
  if (mode === 'access' && native === true) {
    findings.at('enable-native').invalid('Bridge VLAN filtering `enable-native: true` cannot be set in access mode');
  }
  if (mode === 'access' && tags !== undefined && tags.length > 0) {
    findings.at('trunk-tags').invalid('Bridge VLAN filtering access mode cannot have trunk-tags defined');
  }
  if (mode === 'trunk' && tags === undefined) {
    findings.invalid('Bridge VLAN filtering trunk mode cannot have empty trunk-tags', 'Add `trunk-tags`.');
  }
  if (tags !== undefined) checkOverlap(tags, findings.at('trunk-tags'), asIds);
}

function checkOverlap(tags: readonly TrunkTag[], findings: Findings, asIds: boolean): void {
  const all = tags.map((tag): Tag => {
    const range = trunkRange(tag);
    // In nmstate a range up to the last number wraps around and is empty.
    const isEmpty = !('id' in tag) && range.max === LAST_ID;
    const text = 'id' in tag ? `id=${tag.id}` : `id-range=[${range.min},${range.max}]`;
    return { min: range.min, max: isEmpty ? -1 : range.max, text };
  });
  const sorted = all.filter(({ min, max }) => min <= max).sort((a, b) => a.min - b.min);
  let reached = -1;
  let shared: number | undefined;
  for (const { min, max } of sorted) {
    if (min <= reached) {
      shared = min;
      break;
    }
    reached = max;
  }
  if (shared === undefined) return;
  const [tag, other] = asIds ? [`id=${shared}`, `id=${shared}`] : firstOverlap(all);
  findings.invalid(`Bridge VLAN trunk tag ${tag} is overlapping with other tag ${other}`, 'Name each VLAN once.');
}

/** Finds the first overlap in the written order. Ranges before it have no number in common, so the work is bounded. */
function firstOverlap(tags: readonly Tag[]): [string, string] {
  const owners = new Map<number, string>();
  for (const { min, max, text } of tags) {
    for (let id = min; id <= max; id++) {
      const owner = owners.get(id);
      if (owner !== undefined) return [text, owner];
      owners.set(id, text);
    }
  }
  return ['', ''];
}
