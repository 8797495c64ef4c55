// Draws a picture of a terminal from a real run: commands as typed, and their output.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

interface TypedCommand {
  /** Runs without being drawn, as preparation. */
  readonly isHidden?: true;
  readonly line: string;
  /** Shows only output lines that fit. */
  readonly shown?: RegExp;
}

const SIZE = 14;
const LINE = 20;
const COLUMN = 8.43;
const WIDEST = 96;
const COLOURS: Readonly<Record<string, string>> = {
  '31': '#ff7b72',
  '32': '#7ee787',
  '33': '#e3b341',
  '34': '#79c0ff',
  '35': '#d2a8ff',
  '36': '#76e3ea',
};

/** The picture in README.md and on the site: mistakes, their fixes, an image. */
const SHOWN: readonly TypedCommand[] = [
  { line: 'coreiso sample-iso live.iso; coreiso nodes template > nodes-config.yaml', isHidden: true },
  { line: 'coreiso nodes facts --sample > cluster.json', isHidden: true },
  { line: "sed -i 's/miimon/miimom/; s/52:54:00:00:00:23/52-54-00-00-00-23/' nodes-config.yaml", isHidden: true },
  { line: 'coreiso nodes validate --cluster cluster.json' },
  { line: 'coreiso nodes validate --cluster cluster.json --fix --yes', shown: /^[-+] |fixed|valid/ },
  {
    line: 'coreiso nodes image --base live.iso --cluster cluster.json --valid-until 2030-01-31T12:00:00Z',
    shown: /\.iso |hosts/,
  },
];

/** Runs the commands in order in an empty folder, with the built coreiso. */
export function recordTerminal(root: string, commands: readonly TypedCommand[] = SHOWN): string {
  const cwd = mkdtempSync(join(tmpdir(), 'coreiso-terminal-'));
  try {
    const PATH = [join(root, 'node_modules/.bin'), process.env['PATH']].join(delimiter);
    const lines = commands.flatMap(({ line, shown, isHidden }) => {
      const env = { ...process.env, PATH, HOME: cwd, FORCE_COLOR: '1', TZ: 'UTC' };
      const { stdout } = spawnSync('sh', ['-c', `exec 2>&1\n${line}`], { cwd, env, encoding: 'utf8' });
      const printed = stdout
        .trimEnd()
        .split('\n')
        .filter((one) => shown === undefined || shown.test(plain(one)));
      return isHidden === true ? [] : [`\u001b[1m$ ${line}\u001b[0m`, ...printed, ''];
    });
    return svg(lines.slice(0, -1));
  } finally {
    rmSync(cwd, { recursive: true });
  }
}

function plain(line: string): string {
  return line.replaceAll(ESCAPE, '');
}

// biome-ignore lint/complexity/useRegexLiterals: an escape in a literal is refused as a control character
const ESCAPE = new RegExp('\\u001b\\[([\\d;]*)m', 'g');

function svg(lines: readonly string[]): string {
  const rows = lines.flatMap(wrapped).map((spans, index) => {
    const y = 28 + index * LINE;
    return `<text x="16" y="${y}" xml:space="preserve">${spans.map(span).join('')}</text>`;
  });
  const width = Math.ceil(WIDEST * COLUMN + 32);
  const height = rows.length * LINE + 28;
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, monospace" font-size="${SIZE}" role="img">`,
    '<title>coreiso at work in a terminal</title>',
    `<rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>`,
    '<g fill="#c9d1d9">',
    ...rows,
    '</g>',
    '</svg>',
  ].join('\n')}\n`;
}

/** Text in one style. */
interface Span {
  readonly style: string;
  readonly text: string;
}

/** The rows of a line, wrapped at the terminal's width, with the colours and weights of its escape sequences. */
function wrapped(line: string): Span[][] {
  const rows: Span[][] = [[]];
  let [style, column] = ['', 0];
  for (const [index, part] of line.split(ESCAPE).entries()) {
    if (index % 2 === 1) {
      style = styleOf(part.split(';'), style);
      continue;
    }
    for (let rest = part; rest !== ''; ) {
      const text = rest.slice(0, WIDEST - column);
      rows.at(-1)?.push({ style, text });
      column += text.length;
      rest = rest.slice(text.length);
      if (rest === '') break;
      rows.push([]);
      column = 0;
    }
  }
  return rows;
}

function span({ style, text }: Span): string {
  return `<tspan${style}>${text.replace(/&/g, '&amp;').replace(/</g, '&lt;')}</tspan>`;
}

function styleOf(codes: readonly string[], before: string): string {
  if (codes.includes('0') || codes.includes('')) return '';
  const colour = codes.map((code) => COLOURS[code.replace(/^9/, '3')]).find((one) => one !== undefined);
  const fill = colour === undefined ? '' : ` fill="${colour}"`;
  const weight = codes.includes('1') ? ' font-weight="bold"' : '';
  return fill + weight || before;
}
