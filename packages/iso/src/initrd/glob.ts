import { IsoError } from '../errors.ts';
import { comparePaths } from './archive-writer.ts';

type Token =
  | { readonly kind: 'literal'; readonly character: string }
  | { readonly kind: 'any' }
  | { readonly kind: 'class'; readonly negated: boolean; readonly ranges: readonly (readonly [string, string])[] }
  | { readonly kind: 'sequence' }
  | { readonly kind: 'directories' };

/**
 * A test for member names: `*` and `?` match any character, also `/` and a leading dot; `**` stands for whole
 * components; `[a-z]` and `[!a-z]` are classes. Case matters, and the whole name must match.
 */
export function globMatcher(pattern: string): (name: string) => boolean {
  const tokens = parse([...pattern]);
  return (name) => matches(tokens, name);
}

function parse(characters: readonly string[]): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < characters.length) {
    const character = characters[at] ?? '';
    if (character === '*') {
      at = parseStars(characters, at, tokens);
    } else if (character === '[') {
      at = parseClass(characters, at, tokens);
    } else {
      tokens.push(character === '?' ? { kind: 'any' } : { kind: 'literal', character });
      at++;
    }
  }
  return tokens;
}

function parseStars(characters: readonly string[], start: number, tokens: Token[]): number {
  let end = start;
  while (characters[end] === '*') end++;
  if (end - start === 1) {
    tokens.push({ kind: 'sequence' });
    return end;
  }
  if (end - start > 2) throw badPattern(start + 2, 'wildcards are either regular `*` or recursive `**`');
  const alone = 'recursive wildcards must form a single path component';
  if (start > 0 && characters[start - 1] !== '/') throw badPattern(start - 1, alone);
  if (end < characters.length && characters[end] !== '/') throw badPattern(end, alone);
  tokens.push({ kind: 'directories' });
  return end + 1;
}

function parseClass(characters: readonly string[], start: number, tokens: Token[]): number {
  const negated = characters[start + 1] === '!';
  const first = start + (negated ? 2 : 1);
  // The first character never closes the class, so that `[]]` matches a bracket.
  const end = characters.indexOf(']', first + 1);
  if (end === -1) throw badPattern(start, 'invalid range pattern');
  const ranges: [string, string][] = [];
  for (let at = first; at < end; ) {
    const character = characters[at] ?? '';
    const isRange = at + 2 < end && characters[at + 1] === '-';
    ranges.push([character, isRange ? (characters[at + 2] ?? '') : character]);
    at += isRange ? 3 : 1;
  }
  tokens.push({ kind: 'class', negated, ranges });
  return end + 1;
}

function badPattern(position: number, message: string): IsoError {
  return new IsoError('ISO_BAD_PATTERN', `Pattern syntax error near position ${position}: ${message}`);
}

/** Follows all paths through the pattern at once, so that the time is at most the product of both lengths. */
function matches(tokens: readonly Token[], name: string): boolean {
  let states = withEmptyMatches(tokens, [0]);
  for (const character of name) {
    const next = new Set<number>();
    for (const state of states) {
      const token = tokens[state];
      if (token === undefined) continue;
      if (token.kind === 'sequence' || token.kind === 'directories') next.add(state);
      if (consumes(token, character)) next.add(state + 1);
    }
    // An open `**` may end only after a separator.
    states = withEmptyMatches(tokens, next, character === '/');
  }
  return withEmptyMatches(tokens, states).has(tokens.length);
}

function withEmptyMatches(tokens: readonly Token[], states: Iterable<number>, afterSeparator = true): Set<number> {
  const closed = new Set<number>();
  for (const state of states) {
    for (let at = state; !closed.has(at); at++) {
      closed.add(at);
      const kind = tokens[at]?.kind;
      if (kind !== 'sequence' && !(kind === 'directories' && afterSeparator)) break;
    }
  }
  return closed;
}

function consumes(token: Token, character: string): boolean {
  switch (token.kind) {
    case 'literal':
      return token.character === character;
    case 'any':
      return true;
    case 'class':
      return token.ranges.some(([low, high]) => inRange(character, low, high)) !== token.negated;
    default:
      return false;
  }
}

function inRange(character: string, low: string, high: string): boolean {
  return comparePaths(low, character) <= 0 && comparePaths(character, high) <= 0;
}
