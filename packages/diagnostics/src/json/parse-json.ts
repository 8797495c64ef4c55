// RFC 8259, strictly, without recursion. Messages are those of Go's encoding/json, which the tools we follow use.
import { checkArgument } from '@coreiso/peers/arguments';
import { TextIndex } from '@coreiso/peers/text-index';
import { ownDiagnostic } from '../codes.ts';
import type { Outcome } from '../diagnostic.ts';
import { createDocument } from '../document.ts';
import { type FullLimits, fillLimits, JSON_LIMITS, type Limits, tooLong, tooManyNodes } from '../limits.ts';
import type { MappingEntry, Node, ScalarNode, TextDocument } from '../node.ts';
import type { JsonDiagnostic } from './json-diagnostic.ts';
import { JsonLexer, JsonProblem } from './lexer.ts';

/**
 * Parses JSON. Members keep their order and duplicates; unpaired surrogate escapes become U+FFFD.
 *
 * @example const document = valueOrThrow(parseJson('{ "a": 1 }'))
 */
export function parseJson(text: string, limits: Limits = {}): Outcome<TextDocument, JsonDiagnostic> {
  checkArgument('text', text, 'text');
  const full = fillLimits(limits, JSON_LIMITS);
  if (text.length > full.length) return { ok: false, diagnostics: [tooLong(text, full)] };
  const index = new TextIndex(text);
  try {
    return { ok: true, value: createDocument(index, readValue(new JsonLexer(text), full)), diagnostics: [] };
  } catch (problem) {
    if (problem instanceof JsonProblem) return { ok: false, diagnostics: [describe(problem, index, full)] };
    throw problem;
  }
}

function describe(problem: JsonProblem, index: TextIndex, limits: FullLimits): JsonDiagnostic {
  if (problem.kind === 'too-many-nodes') return tooManyNodes(index, problem.offset, limits);
  const place = index.position(problem.offset);
  const code = problem.kind === 'syntax' ? 'diagnostics/json-syntax' : 'diagnostics/too-deep';
  const found = ownDiagnostic({ code, message: problem.message }, { start: place, end: place });
  return problem.report === undefined ? found : { ...found, json: problem.report };
}

interface OpenObject {
  kind: 'mapping';
  entries: MappingEntry[];
  tag: undefined;
  start: number;
  end: number;
}

interface OpenArray {
  kind: 'sequence';
  items: Node[];
  tag: undefined;
  start: number;
  end: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

function readValue(lexer: JsonLexer, limits: FullLimits): Node {
  const stack: (OpenObject | OpenArray)[] = [];
  /** `keys[n]` is the key whose value is being read in `stack[n]`. */
  const keys: (ScalarNode | undefined)[] = [];
  let nodes = 0;

  const count = (): void => {
    if (++nodes > limits.nodes) throw new JsonProblem('too-many-nodes', lexer.offset, '');
  };
  const readKey = (): void => {
    lexer.skipSpace();
    if (lexer.peek() !== QUOTE) throw lexer.unexpected('member-name');
    count();
    keys[stack.length - 1] = lexer.readString();
    lexer.skipSpace();
    if (lexer.peek() !== COLON) throw lexer.unexpected('colon');
    lexer.offset++;
  };

  for (;;) {
    lexer.skipSpace();
    const first = lexer.peek();
    const start = lexer.offset;
    count();
    let done: Node;
    if (first === OPEN_BRACE || first === OPEN_BRACKET) {
      if (stack.length >= limits.depth) throw lexer.tooDeep();
      lexer.offset++;
      lexer.skipSpace();
      const isEmpty = lexer.peek() === (first === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET);
      const opened: OpenObject | OpenArray =
        first === OPEN_BRACE
          ? { kind: 'mapping', start, end: start, entries: [], tag: undefined }
          : { kind: 'sequence', start, end: start, items: [], tag: undefined };
      if (!isEmpty) {
        stack.push(opened);
        if (first === OPEN_BRACE) readKey();
        continue;
      }
      lexer.offset++;
      opened.end = lexer.offset;
      done = opened;
    } else {
      done = lexer.readScalar();
    }

    // A complete value completes its parent, for as long as closing brackets follow.
    for (;;) {
      lexer.skipSpace();
      const parent = stack.at(-1);
      if (parent === undefined) {
        if (!lexer.isAtEnd()) throw lexer.unexpected('end');
        return done;
      }
      const next = lexer.peek();
      if (parent.kind === 'sequence') {
        parent.items.push(done);
        if (next !== COMMA && next !== CLOSE_BRACKET) throw lexer.unexpected('item-end');
      } else {
        const key = keys[stack.length - 1];
        if (key !== undefined) parent.entries.push({ key, value: done });
        if (next !== COMMA && next !== CLOSE_BRACE) throw lexer.unexpected('member-end');
      }
      lexer.offset++;
      if (next === COMMA) {
        if (parent.kind === 'mapping') readKey();
        break;
      }
      parent.end = lexer.offset;
      stack.pop();
      done = parent;
    }
  }
}
