// Values that nmstate reads in ways of their own.
import type { MappingNode, Node } from '@coreiso/diagnostics';
import { debugNumber, debugText } from '../rust-text.ts';
import type { Reader } from './reader.ts';
import { type Section, type SpecialType, u16 } from './table.ts';

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
    const id = member(node, 'id');
    if (id !== undefined) return reader.within('id', () => trunkId(id, node, reader));
    const range = member(node, 'id-range');
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

const MULTICAST_ROUTER = ['disabled', 'auto', 'enabled'] as const;
const MULTICAST_ROUTER_WORDS = '0|1|2 or auto|disabled|enabled';

/** By number or by name, but not by a number in quotes. */
export const multicastRouter: SpecialType = {
  kind: 'special',
  typescript: "'disabled' | 'auto' | 'enabled'",
  schema: {
    anyOf: [
      { enum: [0, 1, 2] },
      { type: 'string', pattern: '^([aA][uU][tT][oO]|[dD][iI][sS][aA][bB][lL][eE][dD]|[eE][nN][aA][bB][lL][eE][dD])$' },
    ],
  },
  read(node, reader) {
    const value = reader.scalar(node);
    if (typeof value !== 'string' && (typeof value !== 'bigint' || value < 0n)) {
      return reader.wrongType(node, 'disabled, auto or enabled', `integer 0|1|2 or string auto|disabled|enabled`);
    }
    const chosen =
      typeof value === 'bigint'
        ? MULTICAST_ROUTER[Number(value)]
        : MULTICAST_ROUTER.find((word) => word === value.toLowerCase());
    if (chosen !== undefined) return chosen;
    const upstream = `InvalidArgument: Invalid linux bridge multicast_router type ${value}, expecting ${MULTICAST_ROUTER_WORDS}`;
    return reader.refuse(node, 'unknown-value', `\`${value}\` is not one of disabled, auto, enabled`, upstream);
  },
};

const STP_OPTIONS_KEYS = {
  type: 'object',
  properties: { enabled: { type: ['boolean', 'integer', 'string'] } },
} as const;

/** A boolean, a map, or a text, all of which mean true: `stp: no` and `stp: "false"` turn the protocol on. */
export function ovsStp(options: Section): SpecialType {
  return {
    kind: 'special',
    typescript: `boolean | ${options.name}`,
    schema: { anyOf: [{ type: 'boolean' }, { type: 'string' }, STP_OPTIONS_KEYS] },
    read(node, reader) {
      if (node.kind === 'mapping') return reader.section(options, node);
      const value = reader.scalar(node);
      if (typeof value === 'boolean') return value;
      if (typeof value === 'string') {
        const meant = reader.booleanWord(value, node);
        if (meant === false)
          reader.note(
            'error',
            node,
            'inverted-value',
            `nmstate takes \`stp: ${value}\` for true`,
            'Write `false`, without quotes.',
          );
        return meant === undefined ? undefined : true;
      }
      const upstream = 'Need to be boolean or map like {enabled: true}';
      return reader.refuse(node, 'wrong-type', 'true, false or a map with `enabled` is needed here', upstream);
    },
  };
}

/** Features by name. Numbers are refused, their texts are not. */
export const ethtoolFeatures: SpecialType = {
  kind: 'special',
  typescript: '{ readonly [feature: string]: boolean }',
  schema: {
    type: 'object',
    additionalProperties: {
      anyOf: [{ type: 'boolean' }, { type: 'string', pattern: '^([tT][rR][uU][eE]|[fF][aA][lL][sS][eE]|0|1)$' }],
    },
  },
  read(node, reader) {
    if (node.kind !== 'mapping') return reader.wrongType(node, 'a map', 'Need to hash map of String:bool');
    const features: Record<string, boolean> = {};
    for (const { key, value } of reader.entries(node)) {
      const name = key.kind === 'scalar' ? key.text : '';
      const on = reader.within(name, () => featureValue(value, reader));
      if (on !== undefined) features[name] = on;
    }
    return features;
  },
};

function featureValue(node: Node, reader: Reader): boolean | undefined {
  const value = reader.scalar(node);
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.toLowerCase() : undefined;
  if (word === 'true' || word === '1') return true;
  if (word === 'false' || word === '0') return false;
  return reader.refuse(node, 'wrong-value', 'true or false is needed here', 'Invalid feature value, should be boolean');
}

const OVS_DB_SECTIONS = ['external_ids', 'other_config'] as const;
const OVS_DB_MAP = { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean', 'null'] } } as const;

/** On an interface: scalars become text, anything else is dropped. */
export const ovsDbSections: SpecialType = {
  kind: 'special',
  typescript: '{ readonly external_ids?: OvsDbEntries | undefined; readonly other_config?: OvsDbEntries | undefined }',
  schema: {
    type: 'object',
    properties: { external_ids: OVS_DB_MAP, other_config: OVS_DB_MAP },
    additionalProperties: false,
  },
  read(node, reader) {
    if (node.kind !== 'mapping') {
      const upstream = `Expecting dict/HashMap, but got ${debugJson(node, reader)}`;
      return reader.refuse(node, 'wrong-type', 'a map is needed here', upstream);
    }
    const entries = reader.entries(node);
    const unknown = entries.filter(
      ({ key }) => key.kind === 'scalar' && !OVS_DB_SECTIONS.some((name) => name === key.text),
    );
    if (unknown.length > 0) {
      const names = unknown.map(({ key }) => (key.kind === 'scalar' ? key.text : '')).join(', ');
      const upstream = `Unsupported section names '${names}', only supports \`external_ids\` and \`other_config\``;
      for (const { key } of unknown)
        reader.refuse(key, 'unknown-key', 'only `external_ids` and `other_config` are known here', upstream);
      return undefined;
    }
    const sections: Record<string, Record<string, string>> = {};
    for (const { key, value } of entries) {
      const name = key.kind === 'scalar' ? key.text : '';
      if (value.kind === 'mapping') sections[name] = reader.within(name, () => ovsDbTexts(value, reader));
    }
    return sections;
  },
};

function ovsDbTexts(node: MappingNode, reader: Reader): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const { key, value } of reader.entries(node)) {
    const scalar = reader.scalar(value);
    if (key.kind !== 'scalar') continue;
    if (scalar === undefined || scalar === null)
      reader.note('warning', value, 'dropped-value', `\`${key.text}\` is left out`, 'Remove it or write text.');
    else texts[key.text] = typeof scalar === 'number' ? plainDecimal(scalar) : String(scalar);
  }
  return texts;
}

/** The shortest digits that read back the same, never with an exponent. */
function plainDecimal(value: number): string {
  if (Object.is(value, -0)) return '-0';
  const short = String(value);
  const exponential = /^(-?)([0-9])(?:\.([0-9]+))?e([+-][0-9]+)$/.exec(short);
  if (exponential === null) return short;
  const [, sign = '', first = '', rest = '', exponent = '0'] = exponential;
  const point = 1 + Number(exponent);
  const digits = first + rest;
  return point > 0 ? sign + digits.padEnd(point, '0') : `${sign}0.${'0'.repeat(-point)}${digits}`;
}

/** Of the whole host: text or nothing. */
export const ovsDbEntries: SpecialType = {
  kind: 'special',
  typescript: '{ readonly [key: string]: string | null }',
  schema: { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean', 'null'] } },
  read(node, reader) {
    if (node.kind !== 'mapping') return reader.wrongType(node, 'a map', 'a map');
    const values: Record<string, string | null> = {};
    for (const { key, value } of node.entries) {
      if (key.kind !== 'scalar') continue;
      const read = reader.within(key.text, () => (reader.isNull(value) ? null : reader.text(value)));
      if (read !== undefined) values[key.text] = read;
    }
    return values;
  },
};

export const ipsecInterface: SpecialType = {
  kind: 'special',
  typescript: 'number | bigint | string',
  schema: {
    anyOf: [
      { type: 'integer', minimum: 0 },
      { type: 'string', pattern: '^(yes|no|\\+?[0-9]+)$' },
    ],
  },
  read(node, reader) {
    const value = reader.scalar(node);
    if (value === 'yes' || value === 'no') return value;
    if (typeof value === 'bigint' && value >= 0n) return value;
    if (typeof value === 'string' && /^\+?[0-9]+$/.test(value) && BigInt(value.replace('+', '')) <= 0xffff_ffffn)
      return value;
    const upstream = "Invalid ipsec-interface value, should be unsigned integer, string 'yes' or 'no'";
    return reader.refuse(
      node,
      'wrong-value',
      '`yes`, `no` (in quotes where YAML needs it) or a number is needed here',
      upstream,
    );
  },
};

const PCI_ADDRESS = /^(?:([0-9a-fA-F]+):)?([0-9a-fA-F]+):([0-9a-fA-F]+)\.([0-9]+)$/;

/** Kept as it will be printed. */
export const pciAddress: SpecialType = {
  kind: 'special',
  typescript: 'string',
  schema: { type: 'string', pattern: '^([0-9a-fA-F]+:)?[0-9a-fA-F]+:[0-9a-fA-F]+\\.[0-9]+$' },
  read(node, reader) {
    const written = reader.text(node);
    if (written === undefined) return undefined;
    const parts = PCI_ADDRESS.exec(written);
    const [, domain = '0', bus = '', slot = '', call = ''] = parts ?? [];
    const inRange =
      Number.parseInt(domain, 16) <= 0xffff_ffff &&
      Number.parseInt(bus, 16) <= 0xff &&
      Number.parseInt(slot, 16) <= 0xff &&
      Number(call) <= 0xff;
    if (parts === null || !inRange) {
      const upstream = `InvalidArgument: Invalid PCI address, expecting string like 00:1b.0 or 0000:07:00.1, but got ${written}`;
      return reader.refuse(node, 'wrong-value', `\`${written}\` is not a PCI address such as 0000:07:00.1`, upstream);
    }
    const number = Number.parseInt(domain, 16);
    const width = number > 0xffff ? 8 : 4;
    return `${hex(number, width)}:${hex(Number.parseInt(bus, 16), 2)}:${hex(Number.parseInt(slot, 16), 2)}.${Number(call)}`;
  },
};

function hex(value: number, width: number): string {
  return value.toString(16).padStart(width, '0');
}

const ADDRESS_PROTOCOLS = ['lo', 'ra', 'kernel_ll'] as const;

/** By name, or by number in any form; 1, 2 and 3 are the names. */
export const addressProtocol: SpecialType = {
  kind: 'special',
  typescript: "'lo' | 'ra' | 'kernel_ll' | number",
  schema: {
    anyOf: [
      { type: 'integer', minimum: 0, maximum: 255 },
      { type: 'string', pattern: '^(lo|ra|kernel_ll|0x[0-9a-fA-F]+|[0-9]+)$' },
    ],
  },
  read(node, reader) {
    const value = reader.scalar(node);
    const isNumber = typeof value === 'bigint' && value >= 0n;
    if (!isNumber && typeof value !== 'string') {
      return reader.wrongType(node, 'lo, ra, kernel_ll or a number', 'unsigned integer or string');
    }
    const written = String(value);
    const named = ADDRESS_PROTOCOLS.find((name) => name === written);
    if (named !== undefined) return named;
    const number = /^(?:0x[0-9a-fA-F]+|\+?[0-9]+)$/.test(written) ? BigInt(written.replace('+', '')) : undefined;
    if (number === undefined || number > 255n) {
      const upstream = `InvalidArgument: Invalid address protocol '${written}', should be lo, ra, kernel_ll or integer from 0 to 255 (decimal or 0x hex)`;
      return reader.refuse(
        node,
        'wrong-value',
        `\`${written}\` is not lo, ra, kernel_ll or a number from 0 to 255`,
        upstream,
      );
    }
    return ADDRESS_PROTOCOLS[Number(number) - 1] ?? Number(number);
  },
};

function member(node: Node, name: string): Node | undefined {
  if (node.kind !== 'mapping') return undefined;
  return node.entries.findLast(({ key }) => key.kind === 'scalar' && key.text === name)?.value;
}

/** How Rust shows a value that was read as JSON. */
function debugJson(node: Node, reader: Reader): string {
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
function compactJson(node: Node, reader: Reader): string {
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
