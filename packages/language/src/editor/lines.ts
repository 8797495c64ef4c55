/** A place as editors and the language server protocol count it: lines from 0, characters in units of UTF-16. */
export interface EditorPosition {
  readonly line: number;
  readonly character: number;
}

/** Converts offsets of one text to editor positions, and back. */
export interface EditorLines {
  positionAt(offset: number): EditorPosition;
  /** The nearest offset in the text; a position past the end of a line means its end. */
  offsetAt(position: EditorPosition): number;
}

/**
 * The lines of a text as editors count them.
 *
 * @example editorLines('a\nbc').positionAt(3) // { line: 1, character: 1 }
 */
export function editorLines(text: string): EditorLines {
  const starts = [0];
  for (const { index, 0: end } of text.matchAll(/\r\n|\r|\n/g)) starts.push(index + end.length);
  const lineOf = (offset: number): number => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  return {
    positionAt(offset) {
      const place = Math.min(Math.max(offset, 0), text.length);
      const line = lineOf(place);
      return { line, character: place - (starts[line] ?? 0) };
    },
    offsetAt({ line, character }) {
      if (line < 0) return 0;
      const start = starts[line];
      if (start === undefined) return text.length;
      const next = starts[line + 1];
      const end =
        next === undefined ? text.length : next - (/(?:\r\n|\r|\n)$/.exec(text.slice(start, next))?.[0].length ?? 0);
      return Math.min(start + Math.max(character, 0), end);
    },
  };
}
