import type { MappingNode } from '@coreiso/diagnostics';
import { debugJson } from '../table/serde-words.ts';
import type { ValueReader } from '../table/table.ts';
import { type Field, inside, type Section, type SpecialType } from '../table/table.ts';

const OVS_DB_SECTIONS = ['external_ids', 'other_config'] as const;
const OVS_DB_MAP = { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean', 'null'] } } as const;

/** Entries of an interface: scalars become text, other values are dropped. */
const ovsDbSections: SpecialType = {
  kind: 'special',
  typescript:
    "{ readonly external_ids?: StateParts['OvsDbEntries'] | undefined; readonly other_config?: StateParts['OvsDbEntries'] | undefined }",
  schema: {
    type: 'object',
    properties: { external_ids: OVS_DB_MAP, other_config: OVS_DB_MAP },
    additionalProperties: false,
  },
  read(node, reader) {
    if (node.kind !== 'mapping') {
      const upstream = `Expecting dict/HashMap, but got ${debugJson(node, reader)}`;
      return reader.refuse(node, 'wrong-type', 'expected a map', upstream);
    }
    const entries = reader.entries(node);
    const unknown = entries.filter(
      ({ key }) => key.kind === 'scalar' && !OVS_DB_SECTIONS.some((name) => name === key.text),
    );
    if (unknown.length > 0) {
      const names = unknown.map(({ key }) => (key.kind === 'scalar' ? key.text : '')).join(', ');
      const upstream = `Unsupported section names '${names}', only supports \`external_ids\` and \`other_config\``;
      for (const { key } of unknown)
        reader.refuse(key, 'unknown-key', 'expected `external_ids` or `other_config`', upstream);
      return undefined;
    }
    const sections: Record<string, Record<string, string>> = Object.create(null);
    for (const { key, value } of entries) {
      const name = key.kind === 'scalar' ? key.text : '';
      if (value.kind === 'mapping') sections[name] = reader.within(name, () => ovsDbTexts(value, reader));
    }
    return sections;
  },
};

function ovsDbTexts(node: MappingNode, reader: ValueReader): Record<string, string> {
  const texts: Record<string, string> = Object.create(null);
  for (const { key, value } of reader.entries(node)) {
    const scalar = reader.scalar(value);
    if (key.kind !== 'scalar') continue;
    if (scalar === undefined || scalar === null)
      reader.note('warning', value, 'dropped-value', `\`${key.text}\` is left out`, 'Remove it or write text.');
    else texts[key.text] = typeof scalar === 'number' ? plainDecimal(scalar) : String(scalar);
  }
  return texts;
}

/** The fewest digits that read back as the same number, without an exponent. */
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

/** Entries of the whole host: text or null. */
const ovsDbEntries: SpecialType = {
  kind: 'special',
  typescript: '{ readonly [key: string]: string | null }',
  schema: { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean', 'null'] } },
  read(node, reader) {
    if (node.kind !== 'mapping') return reader.wrongType(node, 'a map', 'a map');
    const values: Record<string, string | null> = Object.create(null);
    for (const { key, value } of node.entries) {
      if (key.kind !== 'scalar') continue;
      const read = reader.within(key.text, () => (reader.isNull(value) ? null : reader.text(value)));
      if (read !== undefined) values[key.text] = read;
    }
    return values;
  },
};

/** Entries of an interface or an Open vSwitch bond: scalars of any type; other values are dropped. */
export const ovsDb: Field = { type: ovsDbSections };

const globalSection: Section = {
  name: 'OvsDbGlobalConfig',
  doc: 'Global entries of the Open vSwitch database; checked, never written.',
  unknownKeys: 'refused',
  fields: {
    /** External identifiers. */
    external_ids: { type: ovsDbEntries, unused: true },
    /** Other configuration. */
    other_config: { type: ovsDbEntries, unused: true },
  },
};

export const globalOvsDb: Field = { type: inside(globalSection) };
