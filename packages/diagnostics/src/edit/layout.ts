// How a text is laid out, so that what is added looks like the rest.
import type { Node, ScalarNode, TextDocument } from '../node.ts';
import { columnOf, contentStart } from './places.ts';

/** The writing style of a file. */
export interface Layout {
  readonly lineEnd: string;
  /** Columns from a mapping to one inside it. */
  readonly step: number;
  /** Columns from a key to the dashes of its list. */
  readonly listStep: number;
  readonly quote: 'single' | 'double';
  /** Whether keys and texts are quoted as JSON needs it. */
  readonly isJson: boolean;
  /** Whether texts of several lines may be written as blocks: the last line has to end for that, and lines of blanks would be in them. */
  readonly mayBlock: boolean;
  /** Between a key and its value in flow style. */
  readonly colon: string;
}

/** Nodes looked at before the usual is assumed. */
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

/** The first line inside the outermost bracket tells. */
function jsonStep(text: string): number {
  return /^\s*[[{]\s*?\n( +)/.exec(text)?.[1]?.length ?? 2;
}

function isQuoted(node: ScalarNode): node is ScalarNode & { style: 'single' | 'double' } {
  return node.style === 'single' || node.style === 'double';
}

/** Keys before values. */
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

/** Whether a collection has brackets of its own. */
export function isFlow(text: string, node: Node): boolean {
  const first = text[contentStart(text, node)];
  return node.kind !== 'scalar' && (first === '{' || first === '[');
}
