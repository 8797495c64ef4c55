// Updates findings after a key stroke: the changed host is read again, all other findings move.
import { type Diagnostic, formatPath, type Position, type Range } from '@coreiso/diagnostics';
import { judged } from '../findings.ts';
import type { Source } from '../judge.ts';
import { type Part, partsOf, pathOfWhole, placeInPart } from '../parts.ts';

/** A text and all findings about it. */
export interface CheckedText {
  readonly source: Source;
  readonly findings: readonly Diagnostic[];
}

/** The most hosts that one edit changes. */
const MOST_CHANGED = 4;

/**
 * The findings about a text after a small change: those about the changed hosts are new; those that several hosts share
 * stay until the whole text is checked again. Undefined if the change is not within a few hosts of a long list.
 */
export function incrementalFindings(source: Source, before: CheckedText): readonly Diagnostic[] | undefined {
  const parts = partsOf(source);
  const oldParts = partsOf(before.source);
  if (parts === undefined || oldParts === undefined || parts.length !== oldParts.length) return undefined;
  const [old, now] = [before.source.text, source.text];
  let start = 0;
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start++;
  let tail = 0;
  while (tail < Math.min(old.length, now.length) - start && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  const changed = parts.filter((part) => part.start <= now.length - tail && start <= part.end);
  const [first, last] = [changed[0], changed.at(-1)];
  if (first === undefined || last === undefined || changed.length > MOST_CHANGED) return undefined;
  if (start < first.start || now.length - tail > last.end) return undefined;
  const [oldFirst, oldLast] = [oldParts[first.index], oldParts[last.index]];
  if (oldFirst?.start !== first.start || oldLast === undefined) return undefined;
  const shift = {
    offset: last.end - oldLast.end,
    line: linesIn(now.slice(first.start, last.end)) - linesIn(old.slice(first.start, oldLast.end)),
  };
  const kept = before.findings.flatMap((finding): Diagnostic[] => {
    const place = finding.range?.start.offset;
    if (place === undefined || place < first.start) return [finding];
    return place >= oldLast.end ? [shiftFinding(finding, shift)] : [];
  });
  const fresh = changed.flatMap((part) => {
    const previous = oldParts[part.index];
    const shared =
      previous === undefined ? [] : sharedFindings(previous, before.findings, shiftOf(now, old, part, previous));
    return [...findingsOf(part, now), ...shared];
  });
  return [...kept, ...fresh].sort((a, b) => (a.range?.start.offset ?? -1) - (b.range?.start.offset ?? -1));
}

interface Shift {
  readonly offset: number;
  readonly line: number;
}

function shiftOf(now: string, old: string, part: Part, previous: Part): Shift {
  return {
    offset: part.start - previous.start,
    line: linesIn(now.slice(0, part.start)) - linesIn(old.slice(0, previous.start)),
  };
}

/** The findings about a host by itself, at their places in the whole text. */
function findingsOf(part: Part, whole: string): Diagnostic[] {
  const shift = {
    offset: part.start - part.at,
    line: linesIn(whole.slice(0, part.start)) - linesIn(part.source.text.slice(0, part.at)),
  };
  const end = part.at + part.end - part.start;
  return judged(part.source)
    .filter(({ range }) => range !== undefined && range.start.offset >= part.at && range.start.offset < end)
    .map((finding) => {
      // The installer's messages contain the host's index.
      const message = finding.message.replace(/\b((?:hosts|Hosts)\[|host )0\b/g, `$1${part.index}`);
      const path = pathOfWhole(part, finding.path);
      const named = finding.arguments;
      const place = named?.['place'] === undefined ? {} : { arguments: { ...named, place: formatPath(path) } };
      return { ...shiftFinding(finding, shift), message, path, ...place };
    });
}

/** Findings in a host that it would not have by itself, such as duplicate names. */
function sharedFindings(previous: Part, findings: readonly Diagnostic[], shift: Shift): Diagnostic[] {
  const own = judged(previous.source).map(({ code, range }) => `${range?.start.offset} ${code}`);
  const known = new Set(own);
  return findings
    .filter((finding) => {
      const place = placeInPart(previous, finding);
      return place !== undefined && !known.has(`${place} ${finding.code}`);
    })
    .map((finding) => shiftFinding(finding, shift));
}

function shiftFinding(finding: Diagnostic, { offset, line }: Shift): Diagnostic {
  const { range } = finding;
  if (range === undefined || (offset === 0 && line === 0)) return finding;
  const place = (one: Position): Position => ({ ...one, offset: one.offset + offset, line: one.line + line });
  const there: Range = { start: place(range.start), end: place(range.end) };
  return { ...finding, range: there };
}

function linesIn(text: string): number {
  return text.match(/\r\n|\r|\n/g)?.length ?? 0;
}
