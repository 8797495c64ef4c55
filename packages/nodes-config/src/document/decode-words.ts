import { goYaml, type Node } from '@coreiso/diagnostics';
import type { FieldType } from './table.ts';

/** What Go's decoder calls the JSON that it met. */
export function jsonName(node: Node, type?: FieldType): string {
  if (node.kind !== 'scalar') return node.kind === 'mapping' ? 'object' : 'array';
  const value = goYaml(node);
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'string':
      return 'string';
    default:
      return type?.kind === 'integer' ? `number ${String(value)}` : 'number';
  }
}

/** How to write what was wanted. */
export function wantedCure(type: FieldType | undefined, node: Node): string | undefined {
  switch (type?.kind) {
    case undefined:
      return 'Write a map of keys and values.';
    case 'text':
      return node.kind === 'scalar' ? `Write "${node.text}", in quotes.` : 'Write text here.';
    case 'integer':
      return 'Write a whole number, without quotes and without a unit.';
    case 'boolean':
      return 'Write `true` or `false`, without quotes.';
    case 'list':
      return 'Write a list: each entry on a line of its own, after `- `.';
    case 'section':
    case 'labels':
      return 'Write a map of keys and values.';
    default:
      return undefined;
  }
}
