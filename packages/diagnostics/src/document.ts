import type { TextIndex } from '@coreiso/peers/text-index';
import { type OwnFinding, ownDiagnostic } from './codes.ts';
import type { Outcome, Path } from './diagnostic.ts';
import type { Extent, MappingEntry, Node, ScalarNode, TextDocument } from './node.ts';
import { fail, succeed } from './outcome.ts';
import { NOWHERE, type Range } from './position.ts';

/** Documents of one text share its line index. */
export function createDocument(index: TextIndex, root: Node | undefined): TextDocument {
  return {
    text: index.text,
    root,
    range: ({ start, end }: Extent): Range => ({ start: index.position(start), end: index.position(end) }),
  };
}

const DEEPEST = 128;

/**
 * Makes a document from data in memory, as if a text with these values had been parsed. Findings about it have paths but no
 * ranges. Undefined members are left out; functions, symbols and data nested too deeply are refused.
 *
 * @example documentOf({ hosts: [{ hostname: 'worker-0' }] })
 */
export function documentOf(value: unknown): Outcome<TextDocument> {
  const root = nodeOf(value, []);
  if ('refusal' in root) return fail(ownDiagnostic(root.refusal));
  return succeed({ text: '', root, range: () => NOWHERE });
}

interface RefusedText {
  readonly refusal: OwnFinding;
}

function nodeOf(value: unknown, path: Path): Node | RefusedText {
  if (path.length > DEEPEST) {
    const message = `the data is nested more than ${DEEPEST} levels deep`;
    return { refusal: { code: 'diagnostics/too-deep', message, path } };
  }
  switch (typeof value) {
    case 'string':
      return scalar(value, 'double');
    case 'number':
    case 'bigint':
    case 'boolean':
      return scalar(plainText(value), 'plain');
    case 'object':
      if (value === null) return scalar('null', 'plain');
      return Array.isArray(value) ? sequenceOf(value, path) : mappingOf(value, path);
    default: {
      const message = `a value of type ${typeof value} cannot be part of a document`;
      return { refusal: { code: 'diagnostics/no-data', message, path } };
    }
  }
}

function sequenceOf(values: readonly unknown[], path: Path): Node | RefusedText {
  const items: Node[] = [];
  for (const [index, value] of values.entries()) {
    const item = nodeOf(value ?? null, [...path, index]);
    if ('refusal' in item) return item;
    items.push(item);
  }
  return { kind: 'sequence', items, tag: undefined, start: 0, end: 0 };
}

function mappingOf(values: object, path: Path): Node | RefusedText {
  const entries: MappingEntry[] = [];
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    const node = nodeOf(value, [...path, name]);
    if ('refusal' in node) return node;
    entries.push({ key: scalar(name, 'double'), value: node });
  }
  return { kind: 'mapping', entries, tag: undefined, start: 0, end: 0 };
}

function scalar(text: string, style: ScalarNode['style']): ScalarNode {
  return { kind: 'scalar', text, style, tag: undefined, start: 0, end: 0 };
}

function plainText(value: number | bigint | boolean): string {
  if (typeof value !== 'number' || Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? '.nan' : value > 0 ? '.inf' : '-.inf';
}
