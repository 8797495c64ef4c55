// Files with several documents: each manifest is checked by its own kind.
import { kindOf, type LanguageKind } from './kinds.ts';

/** One document of a file, or all of them if their kind reads them together. */
export interface Segment {
  readonly kind: LanguageKind;
  /** The whole file with everything else blanked, so that places stay the same. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Kinds whose files have any number of documents, of other kinds, too. */
const MANIFESTS: ReadonlySet<LanguageKind | undefined> = new Set(['nmstateconfig', 'infraenv']);

/** The documents of a file that can be checked; `given` applies to the whole file. */
export function segmentsOf(text: string, path: string, given?: LanguageKind): readonly Segment[] {
  const whole = given ?? kindOf(text, path);
  const marks = whole === 'ignition' ? [] : [...text.matchAll(/^---[ \t]*(?:#.*)?$/gm)];
  const isMixed = given === undefined && marks.length > 0 && (whole === undefined || MANIFESTS.has(whole));
  if (!isMixed) return whole === undefined ? [] : [{ kind: whole, text, start: 0, end: text.length }];
  const starts = [0, ...marks.map(({ index, 0: mark }) => index + mark.length)];
  return starts.flatMap((start, index) => {
    const end = marks[index]?.index ?? text.length;
    const own = text.slice(start, end);
    const kind = kindOf(own);
    if (own.trim() === '' || kind === undefined) return [];
    return [{ kind, text: blank(text.slice(0, start)) + own + blank(text.slice(end)), start, end }];
  });
}

function blank(text: string): string {
  return text.replace(/[^\r\n]/g, ' ');
}
