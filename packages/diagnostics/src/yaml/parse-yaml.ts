import { type Event, parseEvents, YAMLException } from 'js-yaml';
import type { Diagnostic, Outcome } from '../diagnostic.ts';
import { createDocument } from '../document.ts';
import { type FullLimits, fillLimits, type Limits, tooDeep, tooLong, tooManyNodes, YAML_LIMITS } from '../limits.ts';
import type { TextDocument } from '../node.ts';
import { diagnostic, fail, succeed } from '../outcome.ts';
import { TextIndex } from '../text-index.ts';
import { buildDocuments } from './build.ts';
import { findForbiddenCharacter } from './characters.ts';

/** At least one, so that `[0]` is always there. */
export type YamlOutcomes = readonly [Outcome<TextDocument>, ...Outcome<TextDocument>[]];

/**
 * One outcome per document. A syntax error ends the list: the documents before it are whole, its own and all later ones are the one
 * failure at the end. A text without any document (empty, or comments only) is one empty document, `root: undefined`.
 */
export function parseYaml(text: string, limits: Limits = {}): YamlOutcomes {
  const full = fillLimits(limits, YAML_LIMITS);
  if (text.length > full.length) return [fail(tooLong(text, full))];
  const index = new TextIndex(text);
  const crowd = findCrowd(text, full.nodes);
  if (crowd !== -1) return [fail(tooManyNodes(index, crowd, full))];

  const { events, problem } = readEvents(index, full);
  const outcomes = buildDocuments(index, events, full);
  if (problem !== undefined) outcomes.push(fail(problem));
  const [first = succeed(createDocument(index, undefined)), ...rest] = outcomes;
  return [first, ...rest];
}

interface Reading {
  readonly events: readonly Event[];
  readonly problem?: Diagnostic;
}

function readEvents(index: TextIndex, limits: FullLimits): Reading {
  const forbidden = findForbiddenCharacter(index.text);
  const whole = tryEvents(index.text, limits);
  if (whole instanceof SyntaxProblem) {
    const problem = forbidden !== undefined && forbidden.offset <= whole.offset ? forbidden : whole;
    return { events: eventsBefore(index.text, problem.offset, limits), problem: describe(problem, index, limits) };
  }
  if (forbidden === undefined) return { events: whole };
  return {
    events: eventsBefore(index.text, forbidden.offset, limits),
    problem: describe(forbidden, index, limits),
  };
}

/** A place where the text stops being YAML. */
class SyntaxProblem {
  readonly offset: number;
  readonly message: string;

  constructor(offset: number, message: string) {
    this.offset = offset;
    this.message = message;
  }
}

function tryEvents(text: string, limits: FullLimits): readonly Event[] | SyntaxProblem {
  try {
    // The parser counts a scalar as a level, and one more where it looks for a key; the exact limit is kept when building.
    return parseEvents(text, { maxDepth: limits.depth + 2 });
  } catch (error) {
    if (error instanceof YAMLException) return new SyntaxProblem(error.mark?.position ?? 0, error.reason);
    throw error;
  }
}

/** The events of the documents that end before the one with the error at `offset`. */
function eventsBefore(text: string, offset: number, limits: FullLimits): readonly Event[] {
  let end = lastMarkerBefore(text, offset);
  // The first marker back may be the `---` behind the failing document's own directives; then the one before it counts.
  for (let attempt = 0; attempt < 3 && end > 0; attempt++) {
    const events = tryEvents(text.slice(0, end), limits);
    if (!(events instanceof SyntaxProblem)) return events;
    end = lastMarkerBefore(text, end);
  }
  return [];
}

/** YAML 1.2.2 §9.1.2: `---` or `...` at the start of a line parts documents whatever surrounds it. */
function lastMarkerBefore(text: string, offset: number): number {
  let found = 0;
  for (const match of text.matchAll(/(^|[\n\r])(?:---|\.\.\.)(?=[\s]|$)/g)) {
    const start = match.index + (match[1]?.length ?? 0);
    if (start >= offset) break;
    found = start;
  }
  return found;
}

function describe(
  problem: SyntaxProblem | { offset: number; message: string },
  index: TextIndex,
  limits: FullLimits,
): Diagnostic {
  if (problem.message.startsWith('nesting exceeded maxDepth')) return tooDeep(index, problem.offset, limits);
  const place = index.position(problem.offset);
  return diagnostic({ code: 'diagnostics/yaml-syntax', message: problem.message }, { start: place, end: place });
}

/**
 * The parser collects all events before we see one, so the number of nodes is bounded beforehand: every node but the first has a
 * separator of its own or shares it with one other. Returns where there are too many, or -1.
 */
function findCrowd(text: string, nodes: number): number {
  if (text.length <= nodes) return -1;
  let separators = 0;
  for (let offset = 0; offset < text.length; offset++) {
    if (isSeparator(text, offset) && ++separators > nodes) return offset;
  }
  return -1;
}

function isSeparator(text: string, offset: number): boolean {
  switch (text.charCodeAt(offset)) {
    case 0x0a: // line feed
    case 0x0d: // carriage return
    case 0x2c: // ,
    case 0x5b: // [
    case 0x7b: // {
      return true;
    case 0x2d: // -
    case 0x3a: // :
    case 0x3f: // ?
      return text.charCodeAt(offset + 1) <= 0x20;
    default:
      return false;
  }
}
