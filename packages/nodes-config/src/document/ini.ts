// Keyfiles as upstream's INI library (ini.v1, inline comments off) reads and writes them. Upstream sends every keyfile through it, and
// the passage is not neutral: quotes and outer blanks are lost, and a final backslash swallows the line end.

export interface IniSection {
  readonly name: string;
  readonly entries: readonly (readonly [key: string, value: string])[];
}

/** The sections in order, or the line that cannot be read. */
export type IniReading =
  | { readonly ok: true; readonly sections: readonly IniSection[] }
  | { readonly ok: false; readonly line: string };

export function readIni(text: string): IniReading {
  const sections: { name: string; entries: [string, string][] }[] = [];
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at++) {
    const line = (lines[at] ?? '').trimStart();
    if (line === '' || /^[#;]/.test(line)) continue;
    if (line.startsWith('[')) {
      sections.push({ name: line.slice(1, line.lastIndexOf(']')).trim(), entries: [] });
      continue;
    }
    const delimiter = line.search(/[=:]/);
    if (delimiter === -1) return { ok: false, line: at < lines.length - 1 ? `${line}\n` : line };
    const value = readValue(line.slice(delimiter + 1), lines, at);
    sections.at(-1)?.entries.push([line.slice(0, delimiter).trim(), value.text]);
    at = value.lastLine;
  }
  return { ok: true, sections };
}

function readValue(written: string, lines: readonly string[], at: number): { text: string; lastLine: number } {
  const line = written.trimStart();
  const quote = line.length > 3 && line.startsWith('"""') ? '"""' : line.startsWith('`') ? '`' : '';
  const closing = quote === '' ? -1 : line.indexOf(quote, quote.length) === -1 ? -1 : line.lastIndexOf(quote);
  if (closing > 0) return { text: line.slice(quote.length, closing), lastLine: at };
  const trimmed = line.trim();
  if (trimmed.endsWith('\\')) return readContinued(trimmed.slice(0, -1), lines, at);
  return { text: withoutQuotes(trimmed), lastLine: at };
}

/** A final backslash joins the next line, and an empty one ends the value. */
function readContinued(start: string, lines: readonly string[], from: number): { text: string; lastLine: number } {
  let text = start;
  let at = from;
  while (at + 1 < lines.length) {
    at++;
    const next = (lines[at] ?? '').trim();
    if (next === '') break;
    text += next;
    if (!text.endsWith('\\')) break;
    text = text.slice(0, -1);
  }
  return { text, lastLine: at };
}

function withoutQuotes(text: string): string {
  const quote = text[0];
  if (text.length < 2 || (quote !== '"' && quote !== "'")) return text;
  return text.indexOf(quote, 1) === text.length - 1 ? text.slice(1, -1) : text;
}

/** One empty line between sections, none at the end. */
export function writeIni(sections: readonly IniSection[]): string {
  return sections
    .map(({ name, entries }) => `[${name}]\n${entries.map(([key, value]) => `${key}=${quoted(value)}\n`).join('')}`)
    .join('\n');
}

function quoted(value: string): string {
  if (/[\n`]/.test(value)) return `"""${value}"""`;
  return value.trim() === value ? value : `"${value}"`;
}
