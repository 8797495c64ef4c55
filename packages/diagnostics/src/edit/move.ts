import type { TextEdit } from '../diagnostic.ts';
import type { Node, ScalarNode, TextDocument } from '../node.ts';
import { isFlow } from './layout.ts';
import {
  afterColon,
  columnOf,
  contentEnd,
  contentStart,
  endOfMatch,
  lastLeaf,
  NotEditable,
  nextLine,
  skipSpace,
} from './places.ts';
import type { NodePlace } from './walk.ts';
import type { Content } from './write-value.ts';

/** The text after a key or dash, prepared for its new place. */
export function contentAt({ text }: TextDocument, spot: NodePlace): Content {
  const { node, extent, place, isInFlow } = spot;
  const isBlock = extent === node && hasLines(text, node);
  const key = place?.entry?.key;
  const start = isBlock && key !== undefined ? afterColon(text, key) : extent.start;
  if (start === undefined) throw new NotEditable('the key has no colon', key);
  const leaf = lastLeaf(node);
  if (isBlock && hasLines(text, leaf) && leaf.kind === 'scalar' && !keepsValue(text, leaf)) {
    throw new NotEditable('the line ends behind it are part of its value', extent);
  }
  const written = text.slice(start, isBlock ? contentEnd(text, extent) : extent.end);
  const column = columnOf(text, key?.start ?? extent.start);
  const hasOwnLine = !isInFlow && !(extent === node && hasLines(text, leaf) && leaf.kind === 'scalar');
  const comment = hasOwnLine ? text.slice(extent.end, endOfMatch(text, extent.end, /[ \t]+#[^\r\n]*/y)) : '';
  return {
    block: (to, isItem) => {
      if (isItem !== (key === undefined) && isBlock)
        throw new NotEditable('an item cannot become a member as it is written', extent);
      if (isInFlow && node.kind === 'mapping' && !isFlow(text, node))
        throw new NotEditable('the mapping has no braces', extent);
      const gap = written === '' || /^\s/.test(written) ? '' : ' ';
      return gap + shifted(written, to - column + (key === undefined ? 2 : 0)) + comment;
    },
    flow: () => {
      if (isBlock || (!isInFlow && /[,[\]{}]/.test(written) && node.kind === 'scalar' && node.style === 'plain')) {
        throw new NotEditable('text of several lines cannot move into brackets', extent);
      }
      return written === '' ? 'null' : written;
    },
  };
}

/** Whether a node has lines whose indentation matters. */
function hasLines(text: string, node: Node): boolean {
  if (node.kind !== 'scalar') return !isFlow(text, node);
  return node.style === 'literal' || node.style === 'folded';
}

/** Whether a block scalar keeps its value if a single line end follows it. */
function keepsValue(text: string, leaf: ScalarNode): boolean {
  const marks = /^[|>]([-+\d]*)/.exec(text.slice(contentStart(text, leaf)))?.[1] ?? '';
  return marks.includes('-') || (!marks.includes('+') && /[\r\n]$/.test(text.slice(0, leaf.end)));
}

/** Shifts all lines but the first to the right, or to the left as far as they have blanks. */
function shifted(lines: string, columns: number): string {
  if (columns >= 0) return lines.replace(/(\r\n?|\n)(?=[^\r\n])/g, `$1${' '.repeat(columns)}`);
  return lines.replace(new RegExp(`(\\r\\n?|\\n) {0,${-columns}}`, 'g'), '$1');
}

/** Moves the members of a mapping into the mapping around it. */
export function unwrap({ text }: TextDocument, spot: NodePlace): TextEdit[] {
  const { node, place, extent } = spot;
  const entry = place?.entry;
  if (entry === undefined || node.kind !== 'mapping' || extent !== node || node.entries.length === 0) {
    throw new NotEditable('only a mapping in a mapping can be unwrapped', node);
  }
  const names = new Set(node.entries.map(({ key }) => (key.kind === 'scalar' ? key.text : '')));
  const isTaken = ({ key }: typeof entry): boolean => key !== entry.key && key.kind === 'scalar' && names.has(key.text);
  if (place?.parent.node.kind === 'mapping' && place.parent.node.entries.some(isTaken)) {
    throw new NotEditable('both mappings have a member of one name', entry.key);
  }
  const first = contentStart(text, node);
  if (isFlow(text, node)) {
    if (!spot.isInFlow) throw new NotEditable('the mapping is written in braces', node);
    const inside = skipSpace(text, first + 1);
    return [
      { start: entry.key.start, end: inside, text: '' },
      { start: contentEnd(text, { start: inside, end: node.end - 1 }), end: node.end, text: '' },
    ];
  }
  const columns = columnOf(text, first) - columnOf(text, entry.key.start);
  const behind = afterColon(text, entry.key) ?? entry.key.end;
  if (node.start !== first || columns <= 0)
    throw new NotEditable('there is text between the key and its members', entry.key);
  // The key is removed; comments between it and its members stay.
  const comment = text.slice(behind, first).indexOf('#');
  const rest = comment === -1 ? first : behind + comment;
  const edits: TextEdit[] = [{ start: entry.key.start, end: rest, text: '' }];
  for (let line = nextLine(text, rest); line < node.end; line = nextLine(text, line)) {
    const blanks = text.slice(line, line + columns).search(/[^ ]|$/);
    if (blanks > 0) edits.push({ start: line, end: line + blanks, text: '' });
  }
  return edits;
}
