// Long lists of hosts are read host by host: a document with one of them says the same about it, but for what it shares with others.
import type { Diagnostic, Extent, Path, TextEdit } from '@coreiso/diagnostics';
import type { Source } from './judge.ts';

/** One host of a list, in a document of its own. */
export interface Part extends Extent {
  /** Which item of the list it is. */
  readonly index: number;
  /** The document with this host alone. */
  readonly source: Source;
  /** Where the host begins in it. */
  readonly at: number;
  /** Where the list ends in the whole text. */
  readonly listEnd: number;
}

/** Shorter lists are read at once. */
const FEWEST = 8;

/** The hosts of a document that has many; undefined where it is not written as such lists are. */
export function partsOf(source: Source): readonly Part[] | undefined {
  const { kind, text } = source;
  if (kind !== 'nodes-config' && kind !== 'agent-config') return undefined;
  // What refers to another place, or is another document, cannot be read apart.
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

/** The part that a place of the whole text is in. */
export function partAt(parts: readonly Part[] | undefined, offset: number): Part | undefined {
  return parts?.find(({ start, end }) => start <= offset && offset < end);
}

/** Where a finding about the whole text is in the document of its part; undefined where it is in none. */
export function placeInPart({ start, end, at }: Part, { range }: Diagnostic): number | undefined {
  const place = range?.start.offset ?? -1;
  return place < start || place >= end ? undefined : place - start + at;
}

/** Edits of the document of a part as edits of the whole text. */
export function editsOfWhole({ start, end, at, listEnd }: Part, edits: readonly TextEdit[]): readonly TextEdit[] {
  const moved = (place: number): number =>
    place < at ? place : place <= at + end - start ? place - at + start : place - at - (end - start) + listEnd;
  return edits.map((edit) => ({ ...edit, start: moved(edit.start), end: moved(edit.end) }));
}

/** A path of the document of a part as one of the whole. */
export function pathOfWhole({ index }: Part, path: Path): Path {
  return path[0] === 'hosts' && path[1] === 0 ? ['hosts', index, ...path.slice(2)] : path;
}
