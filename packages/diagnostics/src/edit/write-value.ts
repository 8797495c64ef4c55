// Values as text: in the style of the file, and with the same meaning for every reader.
import type { Plain } from '../lookup.ts';
import type { ScalarNode } from '../node.ts';
import { goStyle, plainText } from '../write/go-yaml-text.ts';
import { serdeYamlString } from '../write/serde-yaml-string.ts';
import type { Layout } from './layout.ts';
import { NotEditable } from './places.ts';

/** The text of a member or item, independent of its place. */
export interface Content {
  /** In block style after a key or dash, with the blank or line end between them. The column is that of the key or dash. */
  block(column: number, isItem: boolean): string;
  /** In flow style; the column is that of its line if its container has a line for each member. */
  flow(column: number | undefined): string;
}

export function contentOf(value: Plain, layout: Layout, style?: ScalarNode['style']): Content {
  return {
    block: (column, isItem) => (isItem ? behindDash(value, column, layout) : behindKey(value, column, layout, style)),
    flow: (column) => flowText(value, column, layout, style),
  };
}

/** The text of a member's name. */
export function keyText(name: string, layout: Layout, isInFlow: boolean, style?: ScalarNode['style']): string {
  const isJson = layout.isJson && style !== 'plain' && style !== 'single';
  return scalarText(name, { ...layout, isJson }, isInFlow, style);
}

function behindKey(value: Plain, column: number, layout: Layout, style?: ScalarNode['style']): string {
  if (isLeaf(value)) return ` ${leafText(value, column, layout, style)}`;
  const inner = column + (Array.isArray(value) ? layout.listStep : layout.step);
  return `${layout.lineEnd}${' '.repeat(inner)}${blockText(value, inner, layout)}`;
}

function behindDash(value: Plain, column: number, layout: Layout): string {
  return isLeaf(value) ? ` ${leafText(value, column, layout)}` : ` ${blockText(value, column + 2, layout)}`;
}

/** A collection in block style, whose first line begins at the place where it is inserted. */
export function blockText(value: Plain, column: number, layout: Layout): string {
  const lines = Array.isArray(value)
    ? value.map((item: Plain) => `-${behindDash(item, column, layout)}`)
    : members(value).map(([name, item]) => `${keyText(name, layout, false)}:${behindKey(item, column, layout)}`);
  return lines.join(layout.lineEnd + ' '.repeat(column));
}

function flowText(value: Plain, column: number | undefined, layout: Layout, style?: ScalarNode['style']): string {
  if (typeof value !== 'object' || value === null) return scalarText(value, layout, true, style);
  if (isLeaf(value)) return emptyText(value);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const inner = column === undefined || !layout.isJson ? undefined : column + layout.step;
  const parts = Array.isArray(value)
    ? value.map((item: Plain) => flowText(item, inner, layout))
    : members(value).map(([name, item]) => keyText(name, layout, true) + layout.colon + flowText(item, inner, layout));
  const compact = layout.colon === ':' ? ',' : ', ';
  if (inner === undefined) return open + parts.join(compact) + close;
  const line = (at: number): string => layout.lineEnd + ' '.repeat(at);
  return open + line(inner) + parts.join(`,${line(inner)}`) + line(inner - layout.step) + close;
}

/** Writes a text on one line or as a block scalar. */
export function isLeaf(value: Plain): boolean {
  return typeof value !== 'object' || value === null || (Array.isArray(value) ? value : members(value)).length === 0;
}

function leafText(value: Plain, column: number, layout: Layout, style?: ScalarNode['style']): string {
  if (typeof value === 'object' && value !== null) return emptyText(value);
  const isBlock =
    typeof value === 'string' && layout.mayBlock && !layout.isJson && /[^\n]\n?$/.test(value) && value.includes('\n');
  if (!isBlock || /^\s/.test(value) || goStyle(value) !== 'literal') return scalarText(value, layout, false, style);
  const body = value.replace(/\n$/, '').replace(/\n(?=[^\n])/g, `\n${' '.repeat(column + layout.step)}`);
  return `|${value.endsWith('\n') ? '' : '-'}\n${' '.repeat(column + layout.step)}${body}`.replaceAll(
    '\n',
    layout.lineEnd,
  );
}

function emptyText(value: Plain): string {
  return Array.isArray(value) ? '[]' : '{}';
}

function members(value: Plain): [string, Plain][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

function scalarText(value: Plain, layout: Layout, isInFlow: boolean, style?: ScalarNode['style']): string {
  if (typeof value !== 'string') {
    if (layout.isJson && typeof value === 'number' && !Number.isFinite(value))
      throw new NotEditable('JSON has no such number');
    const text = value === null ? 'null' : plainText(value as Exclude<Plain, string>);
    return text;
  }
  const wanted = style === 'single' || style === 'double' ? style : undefined;
  if (layout.isJson) return doubleQuoted(value);
  if (wanted === undefined && isSafePlain(value, isInFlow)) return value;
  return (wanted ?? layout.quote) === 'single' && !UNPRINTABLE.test(value)
    ? `'${value.replaceAll("'", "''")}'`
    : doubleQuoted(value);
}

const UNPRINTABLE = /[^\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]/;

/** Whether all readers read exactly this text from it without quotes. */
function isSafePlain(text: string, isInFlow: boolean): boolean {
  if (text === '' || (isInFlow && /[,[\]{}?]|:(?=\S)|^-/.test(text))) return false;
  return goStyle(text) === 'plain' && serdeYamlString(text) === text;
}

/** Quotes a text so that both YAML and JSON can read it. */
function doubleQuoted(text: string): string {
  return JSON.stringify(text).replace(/[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
