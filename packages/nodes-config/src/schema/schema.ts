// JSON Schemas for editors, made from the tables of the parsers. They require quoted text where the installer would
// turn a number into text, and do not cover rules about more than one value.

import { type JsonSchema, networkStateSchema } from '@coreiso/nmstate/schema';
import { AGENT_CLUSTER_INSTALL, CLUSTER_DEPLOYMENT, CLUSTER_IMAGE_SET, SECRET } from '../directory/manifest-tables.ts';
import { AGENT_CONFIG, INFRA_ENV, NMSTATE_CONFIG, NODES_CONFIG } from '../documents/document-tables.ts';
import type { DocumentKind } from '../documents/types.ts';
import { INSTALL_CONFIG } from '../install-config/install-config-table.ts';
import type { FieldType, Section } from '../text/table.ts';
import { ZTP_SITE } from '../ztp/site-table.ts';

/** Kinds of documents that have a schema: those with hosts, and the other files of a new cluster. */
export type SchemaKind =
  | DocumentKind
  | 'install-config'
  | 'agent-cluster-install'
  | 'cluster-deployment'
  | 'cluster-image-set'
  | 'pull-secret'
  | 'ztp-site';

const ROOTS: Readonly<Record<SchemaKind, Section<object>>> = {
  'nodes-config': NODES_CONFIG,
  'agent-config': AGENT_CONFIG,
  nmstateconfig: NMSTATE_CONFIG,
  infraenv: INFRA_ENV,
  'install-config': INSTALL_CONFIG,
  'agent-cluster-install': AGENT_CLUSTER_INSTALL,
  'cluster-deployment': CLUSTER_DEPLOYMENT,
  'cluster-image-set': CLUSTER_IMAGE_SET,
  'pull-secret': SECRET,
  'ztp-site': ZTP_SITE,
};

/**
 * The schema of one kind of document.
 *
 * @example await writeFile('nodes-config.schema.json', JSON.stringify(schemaFor('nodes-config')))
 */
export function schemaFor(kind: SchemaKind): JsonSchema {
  if (!Object.hasOwn(ROOTS, kind))
    throw new RangeError(`kind must be one of ${Object.keys(ROOTS).join(', ')}, not ${String(kind)}`);
  return tableSchema(kind, ROOTS[kind]);
}

function tableSchema(title: string, root: Section<object>): JsonSchema {
  const { $schema, definitions, ...networkState } = networkStateSchema();
  return {
    $schema,
    title,
    ...sectionSchema(root),
    definitions: { ...(definitions as object), NetworkState: networkState },
  };
}

interface TableField {
  readonly type: FieldType;
  readonly doc: string;
  readonly required?: boolean;
}

function sectionSchema({ doc, fields }: Section<object>): JsonSchema {
  const entries: [string, TableField][] = Object.entries(fields);
  const required = entries.filter(([, field]) => field.required).map(([name]) => name);
  return {
    description: doc,
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, field]) => [spelling(name), fieldSchema(field)])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

/** The spelling of a key; one key is documented with another spelling than the Go type's. */
function spelling(name: string): string {
  return name === 'BMC' ? 'bmc' : name;
}

function fieldSchema({ type, doc, required }: TableField): JsonSchema {
  const schema = typeSchema(type);
  return { ...schema, description: doc, ...(required && schema['type'] === 'array' ? { minItems: 1 } : {}) };
}

function typeSchema(type: FieldType): JsonSchema {
  switch (type.kind) {
    case 'text':
      return {
        type: 'string',
        ...(type.values === undefined ? {} : { enum: type.values }),
        ...(type.pattern === undefined ? {} : { pattern: type.pattern }),
      };
    case 'integer':
    case 'boolean':
      return { type: type.kind };
    case 'list':
      return { type: 'array', items: typeSchema(type.of) };
    case 'section':
      return sectionSchema(type.section());
    case 'cidr':
      return { type: 'string', pattern: '^[0-9A-Fa-f.:]+/[0-9]{1,3}$' };
    case 'labels':
      return { type: 'object', additionalProperties: { type: 'string' } };
    case 'network':
      return { allOf: [{ $ref: '#/definitions/NetworkState' }] };
    case 'raw':
    case 'any':
      return {};
  }
}
