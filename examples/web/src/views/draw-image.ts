// The map of an image as SVG without styles: the whole image with its areas on top, and below it each area enlarged, because areas
// of 256 KiB in an image of 1 GiB are invisible.
import { IMAGE } from '../texts/image.ts';
import { sizeText } from '../texts/sizes.ts';

export interface DrawnArea {
  readonly name: string;
  readonly offset: number;
  readonly length: number;
  readonly used: number;
  /** Undefined if it stays unchanged. */
  readonly usedAfter: number | undefined;
}

export interface DrawnImage {
  readonly title: string;
  readonly size: number;
  /** After the old end. */
  readonly tail: number;
  readonly areas: readonly DrawnArea[];
  readonly patches: readonly { readonly offset: number; readonly length: number }[];
}

const WIDTH = 360;
const MARGIN = 8;
const INSIDE = WIDTH - 2 * MARGIN;
const BAR = 18;
const ROW = 70;
const TOP = 72;
/** The width of a part that is too small to be visible. */
const THINNEST = 3;

export function drawImage({ title, size, tail, areas, patches }: DrawnImage): string {
  const whole = Math.max(1, size + tail);
  const x = (offset: number): number => MARGIN + (offset / whole) * INSIDE;
  const span = (offset: number, length: number, name: string): string => {
    const width = Math.max(THINNEST, (length / whole) * INSIDE);
    const start = Math.min(x(offset), MARGIN + INSIDE - width);
    return bar(name, start, 26, width);
  };
  const height = TOP - 16 + areas.length * ROW;
  return `<svg xmlns="http://www.w3.org/2000/svg" class="coreiso-map" role="img" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="system-ui, sans-serif">
<title>${escaped(IMAGE.picture(title))}</title>
<desc>${escaped(areas.map(description).join(' '))}</desc>
${label('small', MARGIN, 18, IMAGE.whole(sizeText(size)))}
${bar('free', MARGIN, 26, INSIDE)}
${areas.map(({ offset, length }) => span(offset, length, 'area')).join('')}
${patches.map(({ offset, length }) => span(offset, length, 'change')).join('')}
${tail > 0 ? span(size, tail, 'change') : ''}
${areas.map((area, index) => drawArea(area, TOP + index * ROW)).join('\n')}
</svg>
`;
}

function drawArea(area: DrawnArea, y: number): string {
  const { name, length, used, usedAfter } = area;
  const width = (bytes: number): number =>
    bytes === 0 ? 0 : Math.max(THINNEST, (Math.min(bytes, length) / Math.max(1, length)) * INSIDE);
  const bars =
    usedAfter === undefined
      ? bar('used', MARGIN, y + 8, width(used))
      : bar('change', MARGIN, y + 8, width(usedAfter)) + bar('used', MARGIN, y + 8 + BAR - 5, width(used), 5);
  return `<g><title>${escaped(`${name} (${useText(area)})`)}</title>${label('name', MARGIN, y, name)}${bar('free', MARGIN, y + 8, INSIDE)}${bars}${label('small', MARGIN, y + 8 + BAR + 15, useText(area))}</g>`;
}

function useText({ used, usedAfter, length }: DrawnArea): string {
  return IMAGE.use(sizeText(used), usedAfter === undefined ? undefined : sizeText(usedAfter), sizeText(length));
}

function description(area: DrawnArea): string {
  return `${area.name}: ${useText(area)}.`;
}

const FILLS: Readonly<Record<string, string>> = {
  free: '#eaeef2',
  area: '#8c959f',
  used: '#57606a',
  change: '#0969da',
};

function bar(name: string, x: number, y: number, width: number, height: number = BAR): string {
  if (width === 0) return '';
  return `<rect class="${name}" x="${round(x)}" y="${y}" width="${round(width)}" height="${height}" rx="2" fill="${FILLS[name]}"/>`;
}

function label(name: string, x: number, y: number, text: string): string {
  const weight = name === 'name' ? ' font-weight="600" fill="#1f2328"' : ' fill="#59636e"';
  return `<text class="${name}" x="${x}" y="${y}" font-size="12"${weight}>${escaped(text)}</text>`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** The volume's name comes from the image; XML cannot express most control characters. */
function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
