import { checkArgument } from '@coreiso/peers/arguments';
import { TextIndex } from '@coreiso/peers/text-index';
import { type OwnFinding, ownDiagnostic } from '../codes.ts';
import type { Outcome } from '../diagnostic.ts';
import { createDocument } from '../document.ts';
import { fillLimits, type Limits, tooLong, YAML_LIMITS } from '../limits.ts';
import type { TextDocument } from '../node.ts';
import { fail, succeed } from '../outcome.ts';
import { findForbiddenCharacter } from './characters.ts';
import { libyamlReport, type YamlDiagnostic } from './libyaml-report.ts';
import { LimitReached, Parser } from './parser.ts';
import { type YamlProblem, YamlSyntaxError } from './problem.ts';

/** Deeper recursion than this could exhaust the stack of a small thread. */
const DEEPEST = 1000;

/**
 * Parses YAML into one outcome per document. A syntax error ends the list with one failure, which stands for its own document and
 * all later ones; the documents before it are complete. `[0]` always exists: an empty text, or one with only comments, is one
 * document with `root: undefined`.
 *
 * @example const [first] = parseYaml('hostname: n\n')
 */
export function parseYaml(
  text: string,
  options: Limits & {
    /**
     * `go` refuses and accepts the few texts that go-yaml v2 treats differently from libyaml (`%YAML 1.2`, `\/`, `?` in
     * flow).
     */
    readonly flavour?: 'libyaml' | 'go' | undefined;
  } = {},
): readonly [Outcome<TextDocument>, ...Outcome<TextDocument>[]] {
  checkArgument('text', text, 'text');
  const limits = fillLimits(options, YAML_LIMITS);
  if (limits.depth > DEEPEST)
    throw new RangeError(`limits.depth must be at most ${DEEPEST} for YAML, not ${limits.depth}`);
  if (text.length > limits.length) return [fail(tooLong(text, limits))];
  const index = new TextIndex(text);
  const forbidden = findForbiddenCharacter(text);
  const readable = forbidden === -1 ? index : new TextIndex(text.slice(0, forbidden));
  const outcomes = readDocuments(new Parser(readable, limits, options.flavour ?? 'libyaml'), index);
  if (forbidden !== -1) outcomes.splice(-1, 1, failLastDocument(index, outcomes.at(-1), forbidden));
  const [first = succeed(createDocument(index, undefined)), ...rest] = outcomes;
  return [first, ...rest];
}

function readDocuments(parser: Parser, index: TextIndex): Outcome<TextDocument>[] {
  const outcomes: Outcome<TextDocument>[] = [];
  try {
    for (let parsed = parser.nextDocument(); parsed !== undefined; parsed = parser.nextDocument()) {
      const document = createDocument(index, parsed.root);
      outcomes.push(parsed.badAliases.length === 0 ? succeed(document) : fail(...parsed.badAliases));
    }
  } catch (error) {
    // Readers follow aliases while they read, so they report an unknown one before a syntax error after it.
    const unknown = parser.badAliases.filter(({ code }) => code === 'diagnostics/undefined-alias');
    if (error instanceof YamlSyntaxError) outcomes.push(fail(...unknown, describe(index, error.details)));
    else if (error instanceof LimitReached) outcomes.push(fail(error.diagnostic));
    else throw error;
  }
  return outcomes;
}

/** The last document before a forbidden character fails; if it already failed earlier, that failure stays. */
function failLastDocument(
  index: TextIndex,
  last: Outcome<TextDocument> | undefined,
  offset: number,
): Outcome<TextDocument> {
  const place = last?.ok === false ? last.diagnostics[0]?.range?.start : undefined;
  if (last !== undefined && place !== undefined && place.offset < offset) return last;
  return fail(
    describe(index, { problem: 'control characters are not allowed', offset, stage: 'reader', isAtEnd: false }),
  );
}

function describe(index: TextIndex, problem: YamlProblem): YamlDiagnostic {
  const place = index.position(problem.offset);
  const context = problem.context === undefined ? '' : ` ${problem.context}`;
  const isTab = index.text[problem.offset] === '\t';
  const help = isTab ? 'Indent with spaces: YAML allows no tab here.' : undefined;
  const finding: OwnFinding = { code: 'diagnostics/yaml-syntax', message: `${problem.problem}${context}`, help };
  return { ...ownDiagnostic(finding, { start: place, end: place }), libyaml: libyamlReport(index, problem) };
}
