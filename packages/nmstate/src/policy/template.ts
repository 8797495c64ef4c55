// Replaces `{{ … }}` by captured values.
import type { Plain } from '@coreiso/diagnostics';
import type { Captures } from './captures.ts';
import { valueAt } from './json.ts';
import { lengthOf } from './line.ts';
import { PolicyProblem, problemAt } from './problem.ts';
import { type TemplateToken, templateTokens } from './template-tokens.ts';

/** The value of a text with references; undefined if it has none. */
export function evaluateTemplate(text: string, captures: Captures): Plain | undefined {
  const line = text.trim();
  const tokens = templateTokens(line);
  const from = tokens.findIndex(({ kind }) => kind === '{{');
  const to = tokens.findIndex(({ kind }) => kind === '}}');
  const start = tokens[from];
  const reference = tokens[from + 1];
  if (start === undefined || reference === undefined) return undefined;
  if (reference.kind !== 'path') {
    const message = 'Only allow property path between reference start {{ and reference end }}';
    throw problemAt(line, start.at, message);
  }
  const value = capturedValue(reference, captures, line);
  const before = tokens.slice(0, from);
  const after = tokens.slice(to + 1);
  if (typeof value !== 'string') {
    if (before.length === 0 && after.length === 0) return value;
    const message = 'The resolved reference result is object or array, hence you cannot add prefix or postfix';
    throw problemAt(line, reference.at, message);
  }
  return plainText(before, 'before', line) + value + plainText(after, 'after', line);
}

function plainText(tokens: readonly TemplateToken[], where: 'before' | 'after', line: string): string {
  const wrong = tokens.find(({ kind }) => kind !== 'value');
  if (wrong !== undefined) throw problemAt(line, wrong.at, `Only allows string ${where} reference`);
  return tokens.map(({ text }) => text).join('');
}

function capturedValue({ text, at }: TemplateToken, captures: Captures, line: string): Plain {
  const [keyword, name, ...steps] = text.split('.');
  if (name === undefined) {
    const message = 'Invalid capture reference string, should be in the format capture.<capture_name>.<property_path>';
    throw problemAt(line, at, message);
  }
  if (keyword !== 'capture') throw problemAt(line, at, 'Can only refer to captured data');
  const state = captures.get(name);
  if (state === undefined) throw problemAt(line, at + 'capture.'.length, `Failed to find capture ${name}`);
  if (steps.length === 0) throw new PolicyProblem('Bug', 'Got zero length prop_path');
  return valueAt(state, steps, { line, at: at + lengthOf(`capture.${name}.`) });
}
