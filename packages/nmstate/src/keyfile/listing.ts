// The YAML that `nmstatectl gc` prints around keyfiles: that of serde_yaml, and with it of libyaml, for one map of pairs.
import type { Keyfile } from '../generate.ts';

const LEADING_INDICATORS = /^[#,[\]{}&*!|>'"%@`]/;
/** These may begin a plain scalar unless nothing, or a space, follows. */
const SPACED_INDICATORS = /^[-?:](?:\s|$)/;
const UNPRINTABLE = /[^\n\x20-\x7e\x85\u{a0}-\u{d7ff}\u{e000}-\u{fefe}\u{ff00}-\u{fffd}\u{10000}-\u{10ffff}]/u;
const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '\0': '\\0',
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '\x1b': '\\e',
  '"': '\\"',
  '\\': '\\\\',
};

/** What `nmstatectl gc` prints on success, to the byte; also where that breaks the YAML, as with a backslash before an n. */
export function formatGcListing(keyfiles: readonly Keyfile[]): string {
  const pairs = keyfiles.map(({ name, content }) => `- - ${scalar(name)}\n  - ${scalar(content)}\n`);
  const yaml = pairs.length === 0 ? 'NetworkManager: []\n' : `NetworkManager:\n${pairs.join('')}`;
  // The tool means to make line ends of double-quoted scalars readable.
  return `${yaml.replaceAll('\\n', '\n\n')}\n`;
}

function scalar(text: string): string {
  if (UNPRINTABLE.test(text) || / \n/.test(text)) return doubleQuoted(text);
  if (text.includes('\n')) return literal(text);
  const isPlain =
    text !== '' &&
    !LEADING_INDICATORS.test(text) &&
    !SPACED_INDICATORS.test(text) &&
    !/^ | $|: | #|:$|^---|^\.\.\./.test(text);
  return isPlain ? text : `'${text.replaceAll("'", "''")}'`;
}

function literal(text: string): string {
  const indent = /^[ \n]/.test(text) ? '2' : '';
  const chomping = !text.endsWith('\n') ? '-' : text.endsWith('\n\n') ? '+' : '';
  const body = text.replace(/^(?=[^\n])/gm, '    ');
  return `|${indent}${chomping}\n${body.endsWith('\n') ? body.slice(0, -1) : body}`;
}

function doubleQuoted(text: string): string {
  let quoted = '';
  for (const character of text)
    quoted += SHORT_ESCAPES[character] ?? (UNPRINTABLE.test(character) ? hexEscape(character) : character);
  return `"${quoted}"`;
}

function hexEscape(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  if (code.length <= 2) return `\\x${code.padStart(2, '0')}`;
  return code.length <= 4 ? `\\u${code.padStart(4, '0')}` : `\\U${code.padStart(8, '0')}`;
}
