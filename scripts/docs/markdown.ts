/** Escapes prose for a page, so that nothing in it is read as HTML, a Vue template or a link. */
export function prose(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part, index) => (index % 2 === 1 ? part : escaped(part)))
    .join('');
}

function escaped(text: string): string {
  return text.replace(/[<>{}[\]*_\\|]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Formats text as code, with any backquotes in it. */
export function code(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const blank = longest > 0 ? ' ' : '';
  return `${fence}${blank}${text.replaceAll('|', '\\|')}${blank}${fence}`;
}

/** A fenced block for text with any fences. */
export function block(language: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n*$/, '\n')}${fence}`;
}

/** A table; cells are already Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** A page: parts separated by empty lines. */
export function page(...parts: readonly string[]): string {
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}
