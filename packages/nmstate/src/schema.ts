// JSON Schema of the input (draft 7, which editors support best). It describes the input that nmstate's parser accepts, without
// rules across properties and without the checks of strict mode.

import { DOCS } from './generated/docs.ts';
import { baseInterfaceFields } from './interfaces/base.ts';
import { KINDS } from './interfaces/kinds.ts';

import { networkState } from './state/network-state.ts';
import type { Regime } from './table/state-findings.ts';
import type { Field, Fields, Section, Type } from './table/table.ts';

/** A JSON Schema (draft 7, which editors support best) as plain data. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

const LENIENT_BOOLEAN: JsonSchema = {
  anyOf: [
    { type: 'boolean' },
    { enum: [0, 1] },
    { type: 'string', pattern: anyCase('true|false|yes|no|on|off|y|n|0|1') },
  ],
};
const NULL: JsonSchema = { type: 'null' };

/**
 * The schema of a network state, for editors and validators.
 *
 * @example
 * await writeFile('network-state.schema.json', JSON.stringify(networkStateSchema()));
 */
export function networkStateSchema(): JsonSchema {
  const definitions: Record<string, JsonSchema> = {};
  const builder = new SchemaBuilder(definitions);
  const fields: Fields = Object.fromEntries(
    Object.entries(networkState.fields).filter(([name]) => name !== 'interfaces'),
  );
  const interfaces = {
    description: 'The interfaces.',
    type: ['array', 'null'],
    items: { $ref: '#/definitions/Interface' },
  };
  const properties = { ...builder.properties(networkState.name, fields, 'yaml'), interfaces };
  definitions['Interface'] = builder.anyInterface();
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: networkState.name,
    description: networkState.doc,
    type: 'object',
    properties,
    additionalProperties: false,
    definitions,
  };
}

class SchemaBuilder {
  readonly #definitions: Record<string, JsonSchema>;

  constructor(definitions: Record<string, JsonSchema>) {
    this.#definitions = definitions;
  }

  /** The schema of the map with that name. */
  properties(map: string, fields: Fields, regime: Regime): JsonSchema {
    const properties: Record<string, JsonSchema> = {};
    for (const [name, field] of Object.entries(fields)) {
      if (field.refused !== undefined) continue;
      const property = this.#property(field, field.doc ?? DOCS[map]?.[name], regime);
      for (const spelling of [name, ...(field.aliases ?? [])]) properties[spelling] = property;
    }
    return properties;
  }

  anyInterface(): JsonSchema {
    const types = Object.entries(KINDS);
    const known = types.map(([type]) => type).filter((type) => type !== 'ethernet');
    for (const [, { name, doc, fields }] of types) {
      this.#definitions[name] = {
        description: doc,
        type: 'object',
        properties: {
          type: { description: 'Type of the interface.' },
          ...this.properties('BaseInterface', baseInterfaceFields, 'json'),
          ...this.properties(name, fields, 'json'),
        },
        additionalProperties: false,
        required: requiredKeys({ ...baseInterfaceFields, ...fields }),
      };
    }
    const branches = types
      .filter(([type]) => type !== 'ethernet')
      .map(([type, { name }]) => ({ if: { not: hasConst('type', type) }, else: { $ref: `#/definitions/${name}` } }));
    const ethernet = {
      if: hasEnum('type', known),
      else: { $ref: `#/definitions/${KINDS.ethernet.name}` },
    };
    return {
      description: 'An interface; `type` decides what else it may have. Of an absent one hardly anything is read.',
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string' },
        type: { type: ['string', 'null'], examples: [...known, 'ethernet', 'veth'] },
      },
      if: hasConst('state', 'absent'),
      else: { allOf: [...branches, ethernet] },
    };
  }

  #property(field: Field, description: string | undefined, regime: Regime): JsonSchema {
    const schema = this.#type(field.type, regime);
    // Outside `interfaces` an empty value counts as absent, and a schema cannot distinguish it from null.
    const isNullable = !field.required && !isLenient(field.type) && (field.nullable !== false || regime === 'yaml');
    if (!isNullable) return { description, ...schema };
    return { description, anyOf: [schema, NULL] };
  }

  #type(type: Type, regime: Regime): JsonSchema {
    switch (type.kind) {
      case 'boolean':
        return type.lenient ? LENIENT_BOOLEAN : { type: 'boolean' };
      case 'integer':
        return integerSchema(type);
      case 'text':
        return regime === 'json' ? { type: 'string' } : { type: ['string', 'number', 'boolean'] };
      case 'address':
        return {
          type: 'string',
          anyOf: type.version === 6 ? [{ format: 'ipv6' }] : [{ format: 'ipv4' }, { format: 'ipv6' }],
        };
      case 'open-choice':
        return { type: 'string', examples: [...type.values] };
      case 'choice': {
        const numbers = type.values.slice(0, type.numbered ?? 0).map((_, position) => position);
        return { enum: [...type.values, ...Object.keys(type.spellings ?? {}), ...numbers, ...numbers.map(String)] };
      }
      case 'list':
        return { type: 'array', items: this.#type(type.of, regime) };
      case 'section':
        return this.#section(type.section, regime);
      case 'special':
        return type.schema;
      case 'ignored':
        return {};
    }
  }

  #section(section: Section, regime: Regime): JsonSchema {
    const { name, doc, fields, unknownKeys } = section;
    if (this.#definitions[name] === undefined) {
      this.#definitions[name] = {};
      const required = requiredKeys(fields);
      this.#definitions[name] = {
        description: doc,
        type: 'object',
        properties: this.properties(name, fields, regime),
        ...(unknownKeys === 'refused' ? { additionalProperties: false } : {}),
        ...(required.length > 0 ? { required } : {}),
      };
    }
    return { $ref: `#/definitions/${name}` };
  }
}

function requiredKeys(fields: Fields): string[] {
  return Object.entries(fields).flatMap(([name, { required }]) => (required ? [name] : []));
}

function isLenient(type: Type): boolean {
  if (type.kind === 'choice') return type.numbered !== undefined;
  return (type.kind === 'boolean' || type.kind === 'integer') && type.lenient;
}

function integerSchema({ bits, signed, lenient }: Type & { kind: 'integer' }): JsonSchema {
  const minimum = signed ? -(2 ** (bits - 1)) : 0;
  const maximum = signed ? 2 ** (bits - 1) - 1 : 2 ** bits - 1;
  const number = { type: 'integer', minimum, maximum };
  const pattern = signed ? '^[+-]?[0-9]+$' : '^(0x[0-9a-fA-F]+|\\+?[0-9]+)$';
  return lenient ? { anyOf: [number, { type: 'string', pattern }] } : number;
}

function hasConst(name: string, value: string): JsonSchema {
  return { properties: { [name]: { const: value } }, required: [name] };
}

function hasEnum(name: string, values: readonly string[]): JsonSchema {
  return { properties: { [name]: { enum: values } }, required: [name] };
}

/** Makes a pattern ignore case, because JSON Schema has no flag for it. */
function anyCase(pattern: string): string {
  return `^(${pattern.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)})$`;
}
