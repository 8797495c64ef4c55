// Repairs lines of YAML that people write by hand. Every repair is of one line, or of one mistake on many lines; reading the
// text again shows whether it repairs anything.
import type { Proposal } from './proposal.ts';

/** A line of a text without its line end. */
export interface Line {
  readonly number: number;
  readonly start: number;
  readonly text: string;
}

export function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  for (const match of text.matchAll(/([^\r\n]*)(?:\r\n|\r|\n|$)/g)) {
    lines.push({ number: lines.length + 1, start: match.index, text: match[1] ?? '' });
  }
  return lines;
}

/** Repairs of one mistake that occurs throughout a text. */
export function wholeTextRepairs(text: string, lines: readonly Line[]): Proposal[] {
  const proposals: Proposal[] = [];
  const tabbed = lines.filter((line) => /^ *\t/.test(line.text));
  if (tabbed.length > 0) {
    for (const width of [2, 4, 8]) {
      const edits = tabbed.map((line) => {
        const [blanks = ''] = /^[ \t]*/.exec(line.text) ?? [];
        return { start: line.start, end: line.start + blanks.length, text: blanks.replaceAll('\t', ' '.repeat(width)) };
      });
      proposals.push({ title: 'Replace tabs by spaces', edits, certain: true });
    }
  }
  const odd = [...text.matchAll(/[\u00a0\u2002-\u200a\u202f\u3000]+|[\u200b\ufeff]+/g)];
  if (odd.length > 0) {
    const edits = odd.map((match) => {
      const isWide = !/[\u200b\ufeff]/.test(match[0]);
      return {
        start: match.index,
        end: match.index + match[0].length,
        text: isWide ? ' '.repeat(match[0].length) : '',
      };
    });
    proposals.push({ title: 'Write ordinary spaces', edits, certain: true });
  }
  const quoted = [
    ...text.matchAll(
      /(?<=[:\-[,{]\s*)(?:[\u201c\u201d\u201e]([^\u201c\u201d"\r\n]*)[\u201c\u201d"]|[\u2018\u2019]([^\u2018\u2019'\r\n]*)[\u2018\u2019'])/g,
    ),
  ];
  if (quoted.length > 0) {
    const edits = quoted.map((match) => {
      return { start: match.index, end: match.index + match[0].length, text: `"${match[1] ?? match[2]}"` };
    });
    proposals.push({ title: 'Write straight quotes', edits, certain: true });
  }
  return proposals;
}

/** Members that name an item of a list: if none of them is there, more than a dash is missing. */
export const IDENTITIES: RegExp =
  /^(?:name|hostname|destination|ip|ip-from|ip-to|cidr|path|macAddress|source|device|level|url)$/;

/** The text before a key on its line. */
const LEAD = '(\\s*(?:- +)*)';
const KEY = '("[^"]*"|\'[^\']*\'|[A-Za-z][\\w./-]*)';

/** Repairs of one line, the likeliest first. `keys` are all names of the kind's schema. */
export function lineRepairs(line: Line, keys: ReadonlySet<string>): Proposal[] {
  const { text } = line;
  const proposals: Proposal[] = [];
  const propose = (title: string, from: number, to: number, written: string, certain = true): void => {
    proposals.push({
      title,
      edits: [{ start: line.start + from, end: line.start + to, text: written }],
      certain,
      isRough: title.includes('dash'),
    });
  };
  const behind = contentEnd(text);
  const tight = new RegExp(`^${LEAD}${KEY}:(?=[^\\s:])`).exec(text);
  if (tight !== null) propose('Add a space after the colon', tight[0].length, tight[0].length, ' ');
  const dash = /^(\s*(?:- +)*)-(?=[A-Za-z"'{[])/.exec(text);
  if (dash !== null) {
    propose('Add a space after the dash', dash[0].length, dash[0].length, ' ');
  }
  const star = /^(\s*)[*\u2022\u2013\u2014] +(?=\S)/.exec(text);
  if (star !== null) propose('Write a dash', (star[1] ?? '').length, (star[1] ?? '').length + 1, '-');
  const doubled = new RegExp(`^${LEAD}${KEY}(:[:;]+|;)(?=\\s|$)`).exec(text);
  if (doubled !== null)
    propose('Write one colon', doubled[0].length - (doubled[3] ?? '').length, doubled[0].length, ':');
  const stray = new RegExp(`^${LEAD}${KEY}:(?!:)[^\\w\\s~#&*|>!{\\[-]$`).exec(text);
  if (stray !== null) propose('Remove the text after the colon', stray[0].length - 1, stray[0].length, '');
  const assigned = new RegExp(`^${LEAD}${KEY}\\s*(?:=>?|:=)\\s*(?=\\S)`).exec(text);
  if (assigned !== null)
    propose('Write a colon', (assigned[1] ?? '').length + (assigned[2] ?? '').length, assigned[0].length, ': ');
  const bare = new RegExp(`^${LEAD}${KEY}(?=\\s|$)`).exec(text);
  if (bare !== null && keys.has(bare[2] ?? '')) propose('Add the colon', bare[0].length, bare[0].length, ':');
  const joined = new RegExp(`^${LEAD}([A-Za-z][\\w-]*)\\s*[;,.]\\s+(?=\\S)`).exec(text);
  if (joined !== null && keys.has(joined[2] ?? '')) {
    propose('Write a colon', (joined[1] ?? '').length + (joined[2] ?? '').length, joined[0].length, ': ');
  }
  const dashless = /^(\s*)\.(?=\s)/.exec(text);
  if (dashless !== null) propose('Write a dash', (dashless[1] ?? '').length, (dashless[1] ?? '').length + 1, '-');
  const item = /^(\s*)- (?=[A-Za-z"'][^:]*:(?:\s|$))/.exec(text);
  if (item !== null) {
    propose('Remove the dash', (item[1] ?? '').length, item[0].length, '');
    propose('Remove the dash', (item[1] ?? '').length, item[0].length, '  ');
  } else if (/^\s*[A-Za-z]/.test(text)) {
    const column = indentOf(text);
    const key = /^\s*([\w-]+)\s*:/.exec(text)?.[1];
    const isItem = key === undefined || key === 'type' || IDENTITIES.test(key);
    propose('Add a dash', column, column, '- ', isItem);
    if (column >= 2) propose('Add a dash', column - 2, column, '- ', isItem);
  }
  proposals.push(...valueRepairs(line, behind));
  if (/^\s*(?:```\w*|~~~|<{7}|={7}|>{7}).*$/.test(text)) propose('Remove the line', 0, text.length, '');
  return proposals;
}

/** Repairs of the text after a key or dash. */
function valueRepairs({ start, text }: Line, behind: number): Proposal[] {
  const proposals: Proposal[] = [];
  const propose = (title: string, from: number, to: number, written: string, certain = true): void => {
    proposals.push({ title, edits: [{ start: start + from, end: start + to, text: written }], certain });
  };
  const lead = new RegExp(`^${LEAD}(?:${KEY}\\s*:(?:\\s+|(?=["'{\\[])))?`).exec(text)?.[0].length ?? 0;
  const value = text.slice(lead, behind);
  if (value === '') return proposals;
  const [first = ''] = value;
  const last = value.at(-1) ?? '';
  const inner = value.slice(1, -1);
  const inSingle = (content: string): string => `'${content.replaceAll("'", "''")}'`;
  if (first === '"' && last === '"' && value.length > 2 && inner.includes('"')) {
    propose('Write single quotes around it', lead, behind, inSingle(inner.replaceAll('\\"', '"')));
  }
  if (first === "'" && last === "'" && value.length > 2 && inner.replaceAll("''", '').includes("'")) {
    propose('Double the quote inside', lead, behind, inSingle(inner.replaceAll("''", "'")));
  }
  if ((first === '"' || first === "'") && (last !== first || value.length === 1)) {
    propose('Add the closing quote', behind, behind, first);
    const unlike = last === '"' || last === "'";
    if (unlike) propose('Close with the quote that opens', behind - 1, behind, first);
    const trailing = /[,;.:\\]+$/.exec(value);
    if (trailing !== null && value.at(-1 - trailing[0].length) === first) {
      propose('Remove the text after the quote', behind - trailing[0].length, behind, '');
    }
  }
  if (first !== '"' && first !== "'" && (last === '"' || last === "'") && !value.slice(0, -1).includes(last)) {
    propose('Add the opening quote', lead, lead, last);
    propose('Remove the quote', behind - 1, behind, '', false);
  }
  const missing = missingBrackets(value);
  if (missing !== '') propose(`Add ${missing}`, behind, behind, missing);
  if ((first === '{' || first === '[') && /^\{\s*"|^\[\s*"/.test(value))
    propose('Put it in single quotes', lead, behind, inSingle(value));
  if (!/^["'{[|>#]/.test(value)) {
    const trailing = /(?<=\S)[,;:]+$/.exec(value);
    if (trailing === null && /:(?:\s|$)|\s#|^[@`%*&!?,\]}-]/.test(value))
      propose('Put the value in quotes', lead, behind, value.includes('"') ? inSingle(value) : `"${value}"`);
    if (trailing !== null) propose('Remove the text after the value', behind - trailing[0].length, behind, '');
  }
  return proposals;
}

/** Whether a value on the line opens a quote and does not close it. */
export function hasOpenQuote({ text }: Line): boolean {
  const lead = new RegExp(`^${LEAD}(?:${KEY}\\s*:(?:\\s+))?`).exec(text)?.[0].length ?? 0;
  const value = text.slice(lead, contentEnd(text));
  return /^"(?:[^"\\]|\\.)*$|^'(?:[^']|'')*$/.test(value);
}

/** The end of a line's value: before a comment and the blanks in front of it. */
function contentEnd(text: string): number {
  const comment = /\s+#.*$/.exec(text);
  return comment === null ? text.trimEnd().length : comment.index;
}

function missingBrackets(value: string): string {
  const open: string[] = [];
  if (!/^[{[]/.test(value)) return '';
  for (const [token] of value.matchAll(/"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[{}[\]]/g)) {
    if (token === '{' || token === '[') open.push(token === '{' ? '}' : ']');
    else if (token === '}' || token === ']') open.pop();
  }
  return open.reverse().join('');
}

/** The same line, or it and all deeper ones below it, in the columns of lines around it. */
export function indentRepairs(lines: readonly Line[], index: number): Proposal[] {
  const line = lines[index];
  if (line === undefined || line.text.trim() === '') return [];
  const own = indentOf(line.text);
  const columns = new Set<number>();
  const isItem = /^\s*- /.test(line.text);
  for (let above = index - 1, seen = 0; above >= 0 && seen < 40; above--, seen++) {
    const text = lines[above]?.text ?? '';
    if (text.trim() === '' || /^\s*#/.test(text)) continue;
    const column = indentOf(text);
    columns.add(column);
    const item = /^\s*(?:- +)+/.exec(text)?.[0].length;
    if (item !== undefined) columns.add(item);
    if (/:\s*(?:#.*)?$/.test(text)) columns.add((item ?? column) + 2);
    if (isItem) columns.add(column + 2);
    if (column === 0) break;
  }
  const next = lines.slice(index + 1).find(({ text }) => text.trim() !== '');
  if (next !== undefined) columns.add(indentOf(next.text));
  columns.delete(own);
  let last = index;
  while (lines[last + 1] !== undefined && isBelow(lines[last + 1]?.text ?? '', own)) last++;
  while (last > index && (lines[last]?.text ?? '').trim() === '') last--;
  const nearest = [...columns].sort((a, b) => Math.abs(a - own) - Math.abs(b - own));
  return nearest.flatMap((column) => {
    const whole: Proposal = {
      title: `Begin the line in column ${column + 1}`,
      edits: indentEdits(lines.slice(index, last + 1), column - own),
      certain: true,
      isRough: true,
    };
    const alone: Proposal = { ...whole, edits: indentEdits([line], column - own) };
    return last > index ? [whole, alone] : [whole];
  });
}

function isBelow(text: string, column: number): boolean {
  return text.trim() === '' || indentOf(text) > column;
}

function indentOf(text: string): number {
  return text.search(/[^ ]|$/);
}

function indentEdits(lines: readonly Line[], columns: number): Proposal['edits'] {
  return lines
    .filter(({ text }) => text.trim() !== '')
    .map(({ start, text }) => {
      const own = indentOf(text);
      return columns >= 0
        ? { start, end: start, text: ' '.repeat(columns) }
        : { start, end: start + Math.min(own, -columns), text: '' };
    });
}
