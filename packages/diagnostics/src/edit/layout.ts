// The layout of a text, so that additions look like the rest.
import type { Node, ScalarNode, TextDocument } from '../node.ts';
import { columnOf, contentStart } from './places.ts';

/** The writing style of a file. */
export interface Layout {
  readonly lineEnd: string;
  /** Columns of indentation of a nested mapping. */
  readonly step: number;
  /** Columns between a key and the dashes of its list. */
  readonly listStep: number;
  readonly quote: 'single' | 'double';
  /** Whether keys and texts must be quoted, as in JSON. */
  readonly isJson: boolean;
  /** Whether texts of several lines may be written as blocks: the text must end with a line end and must not have lines of blanks. */
  readonly mayBlock: boolean;
  /** The separator between a key and its value in flow style. */
  readonly colon: string;
}

/** The number of nodes to inspect before the defaults apply. */
const ENOUGH = 2000;

const known = new WeakMap<TextDocument, Layout>();

export function layoutOf(document: TextDocument): Layout {
  let layout = known.get(document);
  if (layout === undefined) {
    layout = measure(document);
    known.set(document, layout);
  }
  return layout;
}

function measure({ text, root }: TextDocument): Layout {
  const found: { step?: number; listStep?: number; quote?: 'single' | 'double'; colon?: string } = {};
  const queue: Node[] = root === undefined ? [] : [root];
  for (let at = 0; at < queue.length && at < ENOUGH; at++) {
    const node = queue[at];
    if (node?.kind === 'sequence') queue.push(...node.items.slice(0, ENOUGH));
    if (node?.kind === 'scalar' && isQuoted(node)) found.quote ??= node.style;
    if (node?.kind !== 'mapping') continue;
    for (const { key, value } of node.entries.slice(0, ENOUGH)) {
      queue.push(value);
      if (value.start < key.end) continue;
      const between = text.slice(key.end, contentStart(text, value));
      if (/^ *: *$/.test(between)) found.colon ??= between;
      if (value.kind === 'scalar' || !between.includes('\n') || isFlow(text, value)) continue;
      const columns = columnOf(text, contentStart(text, value)) - columnOf(text, key.start);
      if (value.kind === 'sequence') found.listStep ??= columns;
      else if (columns > 0) found.step ??= columns;
    }
  }
  const isJson = root !== undefined && !isBlock(text, root) && isJsonScalar(firstScalar(root));
  return {
    lineEnd: /\r\n|\n|\r/.exec(text)?.[0] ?? '\n',
    step: found.step ?? (isJson ? jsonStep(text) : 2),
    listStep: found.listStep ?? found.step ?? 2,
    quote: found.quote ?? 'double',
    isJson,
    mayBlock: /[\r\n]$/.test(text) && !/^[ \t]+$/m.test(text),
    colon: isJson ? (found.colon ?? ': ') : ': ',
  };
}

/** The indentation of the first line inside the outermost bracket. */
function jsonStep(text: string): number {
  return /^\s*[[{]\s*?\n( +)/.exec(text)?.[1]?.length ?? 2;
}

function isQuoted(node: ScalarNode): node is ScalarNode & { style: 'single' | 'double' } {
  return node.style === 'single' || node.style === 'double';
}

/** The first scalar below a node; a key comes before its value. */
function firstScalar(node: Node): ScalarNode | undefined {
  if (node.kind === 'scalar') return node;
  const first = node.kind === 'mapping' ? node.entries[0]?.key : node.items[0];
  return first && firstScalar(first);
}

function isJsonScalar(node: ScalarNode | undefined): boolean {
  return node === undefined || node.style === 'double' || /^(?:null|true|false|-?\d.*)$/.test(node.text);
}

function isBlock(text: string, root: Node): boolean {
  return root.kind !== 'scalar' && !isFlow(text, root);
}

/** Whether a collection is written in brackets. */
export function isFlow(text: string, node: Node): boolean {
  const first = text[contentStart(text, node)];
  return node.kind !== 'scalar' && (first === '{' || first === '[');
}
