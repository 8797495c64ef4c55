// The parts of a capture: `PATH`, `PATH == VALUE`, `PATH := VALUE`, each optionally after `capture.NAME |`.
import { isBlank, Line } from './line.ts';
import { problemAt } from './problem.ts';

export type CaptureToken =
  | { readonly kind: 'path'; readonly steps: readonly string[]; readonly at: number }
  | { readonly kind: 'value'; readonly text: string; readonly at: number }
  | { readonly kind: 'null'; readonly at: number }
  | { readonly kind: '|' | '==' | ':='; readonly at: number };

const ACTIONS = {
  '=': ['==', 'equal'],
  ':': [':=', 'replace'],
} as const;

export function captureTokens(text: string): CaptureToken[] {
  const line = new Line(text);
  const tokens: CaptureToken[] = [];
  for (let next = line.take(); next !== undefined; next = line.take()) {
    const { text: first, at } = next;
    if (first === '=' || first === ':') tokens.push(actionAt(first, at, line, tokens, text));
    else if (first === '|') tokens.push(pipeAt(at, tokens, text));
    else if (first === '"') tokens.push(...quotedAt(at, line, text));
    else if (!isBlank(first)) tokens.push(...blockAt(first + line.takeUntil((one) => ' =!|":'.includes(one)), at));
  }
  checkPipe(tokens, text);
  return tokens;
}

function actionAt(
  first: keyof typeof ACTIONS,
  at: number,
  line: Line,
  tokens: readonly CaptureToken[],
  text: string,
): CaptureToken {
  const [kind, word] = ACTIONS[first];
  const second = line.take();
  const expected = `Invalid ${word} action string after =, expecting another '='`;
  if (second === undefined) throw problemAt(text, at, `${expected}, but got nothing`);
  if (second.text !== '=') throw problemAt(text, at + 1, expected);
  if (tokens.some((one) => one.kind === kind)) throw problemAt(text, at, `Nmpolicy does not allows two ${word} action`);
  return { kind, at };
}

function pipeAt(at: number, tokens: readonly CaptureToken[], text: string): CaptureToken {
  if (tokens.some(({ kind }) => kind === '|')) throw problemAt(text, at, 'Nmpolicy does not allows two pipe action');
  return { kind: '|', at };
}

/** Reads quoted text. When nmstate searches for the closing quote, it uses the byte position as a character position. */
function quotedAt(at: number, line: Line, text: string): CaptureToken[] {
  const rest = line.characters.slice(at + 1);
  if (!rest.some((one) => one.text === '"')) throw problemAt(text, at, 'No ending double quote');
  const quoted = line.takeUntil((one) => one === '"');
  line.take();
  return quoted === '' ? [] : [{ kind: 'value', text: quoted, at: at + 1 }];
}

function blockAt(block: string, at: number): CaptureToken[] {
  const text = block.trim();
  if (text.includes('.')) return [{ kind: 'path', steps: text.split('.'), at }];
  if (text === '') return [];
  return text.toLowerCase() === 'null' ? [{ kind: 'null', at }] : [{ kind: 'value', text, at }];
}

function checkPipe(tokens: readonly CaptureToken[], text: string): void {
  const index = tokens.findIndex(({ kind }) => kind === '|');
  const pipe = tokens[index];
  if (pipe === undefined) return;
  const next = tokens[index + 1];
  if (next === undefined) throw problemAt(text, pipe.at, 'Invalid pipe action: no property path defined');
  if (next.kind !== 'path')
    throw problemAt(text, next.at, 'Invalid pipe action: only property path allowed after pipe');
}
