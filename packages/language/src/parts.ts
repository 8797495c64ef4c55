// Long lists of hosts are read host by host: a document with a single host has the same findings, except those about shared values.
import type { Diagnostic, Extent, Path, TextEdit } from '@coreiso/diagnostics';
import type { Source } from './judge.ts';

/** One host of a list, in its own document. */
export interface Part extends Extent {
  /** The index of the host in the list. */
  readonly index: number;
  /** The document with only this host. */
  readonly source: Source;
  /** The offset of the host in that document. */
  readonly at: number;
  /** The end of the list in the whole text. */
  readonly listEnd: number;
}

/** Shorter lists are read at once. */
const FEWEST = 8;

/** The hosts of a document that has many; undefined if the list has an unusual layout. */
export function partsOf(source: Source): readonly Part[] | undefined {
  const { kind, text } = source;
  if (kind !== 'nodes-config' && kind !== 'agent-config') return undefined;
  // Text with aliases or several documents cannot be read in parts.
  if (/[&*]\w|^(?:---|\.\.\.)/m.test(text)) return undefined;
  const key = /^hosts:[ \t]*(?:#.*)?\r?\n(?:[ \t]*(?:#.*)?\r?\n)*( *)- /m.exec(text);
  if (key === null) return undefined;
  const [whole, pad = ''] = key;
  const first = key.index + whole.length - pad.length - 2;
  const starts: number[] = [];
  let end = text.length;
  const line = new RegExp(`^(?:${pad}(- )| {0,${pad.length}}(?=[^\\s#-]))`, 'gm');
  line.lastIndex = first;
  for (let found = line.exec(text); found !== null; found = line.exec(text)) {
    if (found[1] === undefined) {
      end = found.index;
      break;
    }
    starts.push(found.index);
  }
  if (starts.length < FEWEST) return undefined;
  const [head, tail] = [text.slice(0, first), text.slice(end)];
  return starts.map((start, index) => {
    const stop = starts[index + 1] ?? end;
    const own = { ...source, text: head + text.slice(start, stop) + tail };
    return { index, start, end: stop, at: first, listEnd: end, source: own };
  });
}

/** The part that contains a place of the whole text. */
export function partAt(parts: readonly Part[] | undefined, offset: number): Part | undefined {
  return parts?.find(({ start, end }) => start <= offset && offset < end);
}

/** The offset of a finding in the document of its part; undefined if it is in none. */
export function placeInPart({ start, end, at }: Part, { range }: Diagnostic): number | undefined {
  const place = range?.start.offset ?? -1;
  return place < start || place >= end ? undefined : place - start + at;
}

/** Converts edits from the document of a part to the whole text. */
export function editsOfWhole({ start, end, at, listEnd }: Part, edits: readonly TextEdit[]): readonly TextEdit[] {
  const moved = (place: number): number =>
    place < at ? place : place <= at + end - start ? place - at + start : place - at - (end - start) + listEnd;
  return edits.map((edit) => ({ ...edit, start: moved(edit.start), end: moved(edit.end) }));
}

/** Converts a path from the document of a part to the whole document. */
export function pathOfWhole({ index }: Part, path: Path): Path {
  return path[0] === 'hosts' && path[1] === 0 ? ['hosts', index, ...path.slice(2)] : path;
}
