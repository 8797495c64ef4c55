// Reads and writes INI text as ini.v1 does with inline comments off and its other options at their defaults. Upstream sends every
// keyfile through it, and that changes them: it removes quotes and outer blanks, a final backslash joins lines, and `:` ends a
// key as `=` does.

import { HIDDEN } from '../hidden.ts';
import { trimSpace, trimSpaceStart } from './bytes.ts';

/** One section; keys keep the order in which they first appeared. */
export interface IniSection {
  readonly name: string;
  readonly comment: string;
  readonly entries: Map<string, IniEntry>;
}

/** One key of a section. */
export interface IniEntry {
  readonly value: string;
  readonly comment: string;
  /** Whether the key was written as `-`; ini.v1 numbers such keys. */
  readonly isNumbered?: boolean;
}

/** The sections in order, the nameless one first; or the error of ini.v1 without the line that caused it, which may be a secret. */
export type IniReading =
  | { readonly ok: true; readonly sections: readonly IniSection[] }
  | { readonly ok: false; readonly message: string };

/** The name of the section for keys before the first header. */
const DEFAULT_SECTION = 'DEFAULT';

/**
 * Reads INI text.
 *
 * @example readIni('[connection]\nid = eth0\n')
 */
export function readIni(text: string): IniReading {
  try {
    return { ok: true, sections: new Reader(text).read() };
  } catch (error) {
    if (error instanceof IniRefusal) return { ok: false, message: error.message };
    throw error;
  }
}

class IniRefusal extends Error {}

interface OpenSection {
  name: string;
  comment: string;
  entries: Map<string, IniEntry>;
}

class Reader {
  /** The lines with their line ends, as messages quote them. */
  readonly #lines: readonly string[];
  readonly #sections = new Map<string, OpenSection>();
  #next = 0;
  #comment = '';
  #numbered = 1;

  constructor(text: string) {
    this.#lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  }

  read(): IniSection[] {
    let section = this.#section(DEFAULT_SECTION);
    while (this.#next < this.#lines.length) {
      const line = trimSpaceStart(this.#take());
      if (line === '') continue;
      if (/^[#;]/.test(line)) this.#comment += line;
      else if (line.startsWith('[')) section = this.#header(line);
      else this.#entry(section, line);
    }
    return [...this.#sections.values()];
  }

  #take(): string {
    return this.#lines[this.#next++] ?? '';
  }

  #takeComment(): string {
    const comment = trimSpace(this.#comment);
    this.#comment = '';
    return comment;
  }

  #section(name: string): OpenSection {
    const known = this.#sections.get(name);
    if (known !== undefined) return known;
    const opened = { name, comment: '', entries: new Map<string, IniEntry>() };
    this.#sections.set(name, opened);
    return opened;
  }

  #header(line: string): OpenSection {
    const end = line.lastIndexOf(']');
    if (end === -1) throw new IniRefusal(`unclosed section: ${HIDDEN}`);
    const name = line.slice(1, end);
    if (name === '') throw new IniRefusal('empty section name');
    const section = this.#section(name);
    const remark = line.slice(end + 1).search(/[#;]/);
    if (remark !== -1) this.#comment += line.slice(end + 1 + remark);
    section.comment = this.#takeComment();
    this.#numbered = 1;
    return section;
  }

  #entry(section: OpenSection, line: string): void {
    const { key: written, rest } = readKey(line);
    const isNumbered = written === '-';
    const key = isNumbered ? `#${this.#numbered++}` : written;
    const value = this.#value(rest);
    if (key === '') throw new IniRefusal('error creating new key: empty key name');
    section.entries.set(key, { value, comment: this.#takeComment(), ...(isNumbered ? { isNumbered } : {}) });
  }

  #value(written: string): string {
    const line = trimSpaceStart(written);
    if (line === '') return '';
    const quote = line.length > 3 && line.startsWith('"""') ? '"""' : line.startsWith('`') ? '`' : '';
    if (quote !== '') {
      const quoted = line.slice(quote.length);
      const end = quoted.lastIndexOf(quote);
      return end === -1 ? this.#untilQuote(quoted, quote) : quoted.slice(0, end);
    }
    const value = trimSpace(line);
    if (value.endsWith('\\')) return this.#continued(value.slice(0, -1));
    return isQuoted(value, "'") || isQuoted(value, '"') ? value.slice(1, -1) : value;
  }

  /** A value with an open quote goes on for whole lines until one has the closing quote. */
  #untilQuote(start: string, quote: string): string {
    let value = start;
    for (;;) {
      const next = this.#take();
      const end = next.lastIndexOf(quote);
      if (end !== -1) {
        const remark = next.slice(end).search(/[#;]/);
        if (remark !== -1) this.#comment += trimSpace(next.slice(end + remark));
        return value + next.slice(0, end);
      }
      value += next;
      if (!next.endsWith('\n')) throw new IniRefusal(`missing closing key quote from '${HIDDEN}' to '${HIDDEN}'`);
    }
  }

  /** A final backslash joins the next line, without its outer blanks; an empty line ends the value. */
  #continued(start: string): string {
    let value = start;
    for (;;) {
      const next = trimSpace(this.#take());
      if (next === '') return value;
      value += next;
      if (!value.endsWith('\\')) return value;
      value = value.slice(0, -1);
    }
  }
}

function readKey(line: string): { key: string; rest: string } {
  const quote = line.startsWith('"')
    ? line.length > 6 && line.startsWith('"""')
      ? '"""'
      : '"'
    : line.startsWith('`')
      ? '`'
      : '';
  if (quote === '') {
    const end = line.search(/[=:]/);
    if (end === -1) throw new IniRefusal(`key-value delimiter not found: ${HIDDEN}`);
    if (end === 0) throw new IniRefusal(`empty key name: ${HIDDEN}`);
    return { key: trimSpace(line.slice(0, end)), rest: line.slice(end + 1) };
  }
  const end = line.indexOf(quote, quote.length);
  if (end === -1) throw new IniRefusal(`missing closing key quote: ${HIDDEN}`);
  const after = line.slice(end + quote.length);
  const delimiter = after.search(/[=:]/);
  if (delimiter === -1) throw new IniRefusal(`key-value delimiter not found: ${HIDDEN}`);
  return { key: trimSpace(line.slice(quote.length, end)), rest: after.slice(delimiter + 1) };
}

/** Whether two quotes enclose the text, with no further quote inside. */
function isQuoted(text: string, quote: string): boolean {
  return text.length >= 2 && text.startsWith(quote) && text.indexOf(quote, 1) === text.length - 1;
}

/** A section in its written form: keys and values have quotes where they need them, and comments are in lines. */
export interface WrittenSection {
  /** Empty if the section has no header. */
  readonly name: string;
  readonly settings: readonly WrittenSetting[];
  readonly comment: string | undefined;
}

/** A line `key=value`. */
export interface WrittenSetting {
  readonly key: string;
  readonly value: string;
  readonly comment: string | undefined;
}

/**
 * The written form of sections; an empty line goes between them. Leaves out a nameless section without entries.
 *
 * @example writtenIni([{ name: 'connection', comment: '', entries: new Map([['id', { value: 'eth0', comment: '' }]]) }])
 */
export function writtenIni(sections: readonly IniSection[]): WrittenSection[] {
  return sections.flatMap(({ name, comment, entries }, position) => {
    const isDefault = position === 0 && name.toUpperCase() === DEFAULT_SECTION;
    if (isDefault && comment === '' && entries.size === 0) return [];
    const settings = Array.from(entries, writtenEntry);
    return [{ name: isDefault ? '' : name, settings, comment: commentText(comment) }];
  });
}

function writtenEntry([key, { value, comment, isNumbered }]: readonly [string, IniEntry]): WrittenSetting {
  return { key: isNumbered ? '-' : keyText(key), value: valueText(value), comment: commentText(comment) };
}

function commentText(comment: string): string | undefined {
  if (comment === '') return undefined;
  const lines = comment.split('\n').map((line) => {
    return /^[#;]/.test(line) ? `${line.slice(0, 1)} ${trimSpace(line.slice(1))}` : `; ${trimSpace(line)}`;
  });
  return lines.join('\n');
}

function keyText(key: string): string {
  if (/["=:]/.test(key)) return `\`${key}\``;
  return key.includes('`') ? `"""${key}"""` : key;
}

function valueText(value: string): string {
  if (/[\n`]/.test(value)) return `"""${value}"""`;
  return trimSpace(value) === value ? value : `"${value}"`;
}
