import { goYaml, type Node, type Plain, toPlain } from '@coreiso/diagnostics';
import { type Cidr, formatCidr } from '@coreiso/peers/ip';
import type { FieldType, NetworkText, Section } from '../text/table.ts';

interface TableField {
  readonly type: FieldType;
  readonly kept?: boolean;
}

type Members = { [name: string]: Plain };

/** Values as Go writes them as JSON: under the names of their table, without empty ones unless the table keeps them. */
export function encodeSection(section: Section<object>, values: object): Members {
  const members: Members = {};
  const given = new Map(Object.entries(values));
  const fields: [string, TableField][] = Object.entries(section.fields);
  for (const [name, field] of fields) {
    const encoded = encodeValue(field.type, given.get(name));
    if (field.kept || !isEmpty(encoded, field.type)) members[name] = encoded;
  }
  return members;
}

/** The decoder has read each value by the same table, so its type is that of the field. */
function encodeValue(type: FieldType, value: unknown): Plain {
  if (value === undefined || value === null) return null;
  switch (type.kind) {
    case 'section':
      return encodeSection(type.section(), value);
    case 'list': {
      const items = (value as readonly unknown[]).map((item) => encodeValue(type.of, item));
      return items.length === 0 ? null : items;
    }
    case 'cidr':
      return formatCidr(value as Cidr);
    case 'raw':
      return toPlain(value as Node, goYaml);
    case 'network':
      return toPlain((value as NetworkText).node, goYaml);
    case 'labels':
      return { ...(value as Readonly<Record<string, string>>) };
    default:
      return value as Plain;
  }
}

/** Whether `omitempty` leaves a value out: a pointer to an empty value is not empty, and neither is a struct. */
function isEmpty(value: Plain, type: FieldType): boolean {
  if (value === null) return true;
  if (type.kind === 'labels') return Object.keys(value).length === 0;
  const isPointer = (type.kind === 'integer' || type.kind === 'boolean') && type.optional === true;
  return !isPointer && (value === '' || value === 0 || value === false);
}
