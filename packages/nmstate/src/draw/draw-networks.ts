import { checkArgument, checkWord } from '@coreiso/peers/arguments';
import type { NetworkLink } from '../state/links.ts';
import { NAME_SIZE, SMALL_SIZE, truncateText } from './card-text.ts';
import { type Card, type Layout, layOut, type Wire } from './layout.ts';

/** One host of a drawing. */
export interface DrawnNetwork {
  /** The title, such as the name of the host. */
  readonly title: string;
  readonly links: readonly NetworkLink[];
  /** Routes to list below the cards, such as those of `toForm`. */
  readonly routes?:
    | readonly {
        readonly destination?: string | undefined;
        readonly gateway?: string | undefined;
        readonly interface?: string | undefined;
      }[]
    | undefined;
}

const MARGIN = 8;
const TITLE = 28;
const BETWEEN = 12;
const TITLE_SIZE = 14;
const LINE = 16;
const MOST_ROUTES = 12;

/**
 * Draws the interfaces of hosts as SVG, each above the interfaces it uses. The picture is readable from 320 pixels on, in light
 * and dark, needs no script, and has a description in words.
 *
 * @example
 * await writeFile('network.svg', drawNetworks([{ title: 'worker-0', links: linksOf(text) }]));
 */
export function drawNetworks(
  networks: readonly DrawnNetwork[],
  options: {
    /**
     * Whether the picture has its own styles: `own` (the default) or `none`. With `none` the page has to style the classes
     * `paper`, `card`, `name` and `small` in `coreiso-network`; a content security policy without `unsafe-inline` requires that.
     */
    readonly styles?: 'own' | 'none' | undefined;
  } = {},
): string {
  checkArgument('networks', networks, 'array');
  checkArgument('options', options, 'object');
  const { styles = 'own' } = options;
  checkWord('styles', styles, ['own', 'none']);
  const parts: string[] = [];
  let y = MARGIN;
  let width = 0;
  for (const [index, { title, links, routes = [] }] of networks.entries()) {
    checkArgument(`networks[${index}].links`, links, 'array');
    checkArgument(`networks[${index}].routes`, routes, 'array');
    checkArgument(`networks[${index}].title`, title, 'text');
    const layout = layOut(links, y + TITLE);
    parts.push(
      heading(title, y, layout.width),
      ...layout.wires.map((wire) => drawWire(wire, layout)),
      ...layout.cards.map(drawCard),
      ...layout.wires.flatMap((wire) => drawDots(wire, layout)),
      ...routeLines(routes, layout),
    );
    width = Math.max(width, layout.width);
    y = layout.height + linesFor(routes) * LINE + BETWEEN;
  }
  const height = Math.max(y - BETWEEN, TITLE);
  width = Math.max(width, 320);
  const title = networks.length === 1 ? `Network of ${networks[0]?.title}` : `Networks of ${networks.length} hosts`;
  return `<svg xmlns="http://www.w3.org/2000/svg" class="coreiso-network" role="img" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"${styles === 'own' ? ' style="max-width:100%;height:auto"' : ` font-family="${FONT}"`}>
<title>${escaped(title)}</title>
<desc>${escaped(networks.map(description).join(' '))}</desc>
${styles === 'own' ? `<style>${STYLE}</style>\n` : ''}<rect class="paper" width="${width}" height="${height}" fill="#ffffff"/>
${parts.join('\n')}
</svg>
`;
}

const FONT = `ui-monospace,'SFMono-Regular',Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace`;

/** Colours of neighbouring tracks; all have a contrast of at least 3 on both backgrounds. */
const COLOURS = ['#0969da', '#bc4c00', '#1a7f37', '#8250df', '#bf3989', '#6e7781'];

const scoped = (selector: string): string => `.coreiso-network ${selector}`;

const STYLE = `${scoped('text')}{font-family:${FONT}}@media (prefers-color-scheme:dark){${scoped('.paper')}{fill:#0d1117}${scoped('.card')}{fill:#161b22;stroke:#6e7681}${scoped('.name')}{fill:#f0f6fc}${scoped('.small')}{fill:#b1bac4}}`;

function heading(title: string, y: number, width: number): string {
  const shown = truncateText(title, width - 2 * MARGIN, TITLE_SIZE);
  return `<text class="name" x="${MARGIN}" y="${y + 16}" font-size="${TITLE_SIZE}" font-weight="600" fill="#1f2328">${escaped(shown)}</text>`;
}

function drawWire({ track, x, from, to, isPeer }: Wire, { cards }: Layout): string {
  const right = cards[0]?.x ?? 0;
  const [first, last] = [Math.min(from, ...to), Math.max(from, ...to)];
  const arms = [from, ...to].map((y) => `M${x} ${y}H${right}`).join('');
  const colour = COLOURS[track % COLOURS.length];
  const dashes = isPeer ? ' stroke-dasharray="4 3"' : '';
  return `<path d="M${x} ${first}V${last}${arms}" fill="none" stroke="${colour}" stroke-width="1.5"${dashes}/>`;
}

/** Draws dots at the ends of lines, on top of the cards. */
function drawDots({ track, to }: Wire, { cards }: Layout): string[] {
  const right = cards[0]?.x ?? 0;
  return to.map((y) => `<circle cx="${right}" cy="${y}" r="3" fill="${COLOURS[track % COLOURS.length]}"/>`);
}

function drawCard({ x, y, width, height, name, fullName, type, lines, isUndeclared, isUp }: Card): string {
  const dashes = isUndeclared ? ' stroke-dasharray="4 3"' : '';
  const texts = lines.map(
    (line, index) =>
      `<text class="small" x="${x + MARGIN}" y="${y + 35 + index * 16}" font-size="${SMALL_SIZE}" fill="#59636e">${escaped(line)}</text>`,
  );
  return `<g${isUp ? '' : ' opacity="0.75"'}><title>${escaped(`${fullName} (${type})`)}</title><rect class="card" x="${x}" y="${y}" width="${width}" height="${height}" rx="5" fill="#f6f8fa" stroke="#8c959f"${dashes}/><text class="name" x="${x + MARGIN}" y="${y + 17}" font-size="${NAME_SIZE}" font-weight="600" fill="#1f2328">${escaped(name)}</text><text class="small" x="${x + width - MARGIN}" y="${y + 17}" font-size="${SMALL_SIZE}" text-anchor="end" fill="#59636e">${escaped(type)}</text>${texts.join('')}</g>`;
}

type Routes = NonNullable<DrawnNetwork['routes']>;

const linesFor = ({ length }: Routes): number => Math.min(length, MOST_ROUTES);

/** One line per route, as far as there is room. */
function routeLines(routes: Routes, { width, height }: Layout): string[] {
  const lines = routes.map(routeText);
  const others = lines.length - MOST_ROUTES + 1;
  const shown = others > 1 ? [...lines.slice(0, MOST_ROUTES - 1), `and ${others} more routes`] : lines;
  return shown.map((line, index) => {
    const text = escaped(truncateText(line, width - 2 * MARGIN, SMALL_SIZE));
    const y = height + 10 + index * LINE;
    return `<text class="small" x="${MARGIN}" y="${y}" font-size="${SMALL_SIZE}" fill="#59636e">${text}</text>`;
  });
}

function routeText({ destination = '(anywhere)', gateway, interface: name }: Routes[number]): string {
  const way = [...(gateway === undefined ? [] : [`via ${gateway}`]), ...(name === undefined ? [] : [`on ${name}`])];
  return [`route ${destination}`, ...way].join(' ');
}

/** The drawing in words. */
function description({ title, links, routes = [] }: DrawnNetwork): string {
  const sentences = links.map(({ name, type, below, peers, addresses, dynamic }) => {
    const parts = [
      `${name || '(no name)'}: ${type || 'no type'}`,
      ...(below.length === 0 ? [] : [`on ${below.map((end) => end.name).join(', ')}`]),
      ...(peers.length === 0 ? [] : [`connected to ${peers.map((end) => end.name).join(', ')}`]),
      ...(addresses.length === 0 ? [] : [`with ${addresses.join(', ')}`]),
      ...(dynamic.length === 0 ? [] : [`${dynamic.join(' and ')} from the site`]),
    ];
    return `${parts.join(', ')}.`;
  });
  const others = routes.map((route) => `${routeText(route)}.`);
  return [`${title}.`, ...(links.length === 0 ? ['No interfaces.'] : sentences), ...others].join(' ');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** XML cannot represent most control characters and lone surrogates. */
const UNSPEAKABLE = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

function escaped(text: string): string {
  return text.replace(UNSPEAKABLE, '\ufffd').replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
