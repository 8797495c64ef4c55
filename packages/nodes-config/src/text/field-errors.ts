// How Kubernetes words what is wrong with a field.
import { formatPath, type Path } from '@coreiso/diagnostics';

export function required(path: Path, detail: string): string {
  return `${formatPath(path)}: Required value: ${detail}`;
}

export function invalid(path: Path, value: string, detail: string): string {
  return `${formatPath(path)}: Invalid value: ${goQuote(value)}: ${detail}`;
}

export function unsupported(path: Path, value: string, supported: readonly string[]): string {
  const list = supported.map((one) => goQuote(one)).join(', ');
  return `${formatPath(path)}: Unsupported value: ${goQuote(value)}: supported values: ${list}`;
}

export function forbidden(path: Path, detail: string): string {
  return `${formatPath(path)}: Forbidden: ${detail}`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '"': '\\"',
  '\\': '\\\\',
};

/** Go's `%q`: what cannot be printed is escaped. */
export function goQuote(text: string): string {
  const quoted = text.replace(/["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, (character) => {
    const named = ESCAPES[character];
    if (named !== undefined) return named;
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`;
    return code <= 0xffff ? `\\u${code.toString(16).padStart(4, '0')}` : `\\U${code.toString(16).padStart(8, '0')}`;
  });
  return `"${quoted}"`;
}
