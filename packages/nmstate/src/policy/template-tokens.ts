// The parts of a text with a reference to a capture: `{{ capture.NAME.PATH }}` and the text around it.
import { isBlank, Line } from './line.ts';
import { problemAt } from './problem.ts';

export interface TemplateToken {
  readonly kind: 'value' | 'path' | '{{' | '}}';
  readonly text: string;
  readonly at: number;
}

const BRACES = { '{': ['{{', '='], '}': ['}}', '}'] } as const;

export function templateTokens(text: string): TemplateToken[] {
  const line = new Line(text);
  const tokens: TemplateToken[] = [];
  for (let next = line.take(); next !== undefined; next = line.take()) {
    const { text: first, at } = next;
    if (first === '{' || first === '}') {
      tokens.push(braceAt(first, at, line, tokens, text));
      if (first === '{') line.takeUntil((one) => !isBlank(one));
      continue;
    }
    const word = (first + line.takeUntil((one) => one === '{' || one === '}' || isBlank(one))).trim();
    if (isBlank(line.peek() ?? '')) line.take();
    if (word !== '')
      tokens.push({ kind: word.includes('.') && !word.startsWith('.') ? 'path' : 'value', text: word, at });
  }
  checkReference(tokens, text);
  return tokens;
}

function braceAt(
  first: keyof typeof BRACES,
  at: number,
  line: Line,
  tokens: readonly TemplateToken[],
  text: string,
): TemplateToken {
  const [kind, after] = BRACES[first];
  const second = line.take();
  if (second === undefined) {
    throw problemAt(
      text,
      at,
      `Invalid reference action string after ${after}, expecting another '${first}', but got nothing`,
    );
  }
  if (second.text !== first)
    throw problemAt(text, at, `Invalid reference action string after ${first}, expecting another '${first}'`);
  if (tokens.some((one) => one.kind === kind))
    throw problemAt(text, at, 'Nmpolicy does not allow multiple references {{}}');
  return { kind, text: kind, at };
}

function checkReference(tokens: readonly TemplateToken[], text: string): void {
  const from = tokens.findIndex(({ kind }) => kind === '{{');
  const to = tokens.findIndex(({ kind }) => kind === '}}');
  const start = tokens[from];
  const end = tokens[to];
  if (start !== undefined && end === undefined) throw problemAt(text, start.at, 'No reference end }} found');
  if (start === undefined && end !== undefined) throw problemAt(text, end.at, 'No reference start {{ found');
  if (start === undefined || end === undefined) return;
  if (from >= to) {
    const message = 'The reference start {{ can not be placed before reference end }}';
    throw problemAt(text, end.at, message);
  }
  if (from + 1 === to) {
    const message = 'No property path between reference start {{ and reference end }}';
    throw problemAt(text, end.at - 1, message);
  }
  if (from + 2 !== to) {
    const message = 'Only allows single property path between reference start {{ and reference end }}';
    throw problemAt(text, tokens[from + 2]?.at ?? 0, message);
  }
}
