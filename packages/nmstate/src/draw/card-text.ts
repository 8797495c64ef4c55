// The text of a card, cut to its width. The browser chooses the font, so widths are those of the widest likely font.
import type { NetworkLink } from '../state/links.ts';

export interface CardText {
  /** The name, cut to the width of the card. */
  readonly name: string;
  readonly fullName: string;
  readonly type: string;
  readonly lines: readonly string[];
}

/** The width of a character of a monospaced font, per pixel of its size. */
const WIDEST = 0.62;
export const NAME_SIZE = 13;
export const SMALL_SIZE = 11;
const PADDING = 8;
const MOST_LINES = 4;

export function cardOf(link: NetworkLink | undefined, name: string, width: number): CardText {
  const inside = width - 2 * PADDING;
  const label =
    link === undefined ? 'not declared' : `${link.type || 'no type'}${link.state === 'up' ? '' : ` ${link.state}`}`;
  const type = truncateText(label, inside / 2, SMALL_SIZE);
  const room = inside - widthOf(type, SMALL_SIZE) - PADDING;
  return {
    name: truncateText(name === '' ? '(no name)' : name, room, NAME_SIZE),
    fullName: name,
    type,
    lines: link === undefined ? [] : linesOf(detailsOf(link), inside),
  };
}

function detailsOf({ vlan, addresses, dynamic, mtu, macAddress }: NetworkLink): string[] {
  return [
    ...(vlan === undefined ? [] : [`VLAN ${vlan}`]),
    ...addresses,
    ...dynamic.map((family) => `${family} from the site`),
    ...(mtu === undefined ? [] : [`MTU ${mtu}`]),
    ...(macAddress === '' ? [] : [macAddress]),
  ];
}

/** Puts as many details on a line as fit. */
function linesOf(details: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const detail of details) {
    const last = lines.at(-1);
    const joined = `${last} · ${detail}`;
    if (last !== undefined && widthOf(joined, SMALL_SIZE) <= width) lines[lines.length - 1] = joined;
    else lines.push(truncateText(detail, width, SMALL_SIZE));
  }
  if (lines.length <= MOST_LINES) return lines;
  return [
    ...lines.slice(0, MOST_LINES - 1),
    truncateText(`and ${lines.length - MOST_LINES + 1} more lines`, width, SMALL_SIZE),
  ];
}

export function truncateText(text: string, width: number, size: number): string {
  if (widthOf(text, size) <= width) return text;
  let result = '';
  for (const character of text) {
    if (widthOf(`${result}${character}…`, size) > width) break;
    result += character;
  }
  return `${result}…`;
}

/** The width of a text; letters of other scripts may be twice as wide as Latin ones. */
function widthOf(text: string, size: number): number {
  let units = 0;
  for (const character of text) units += (character.codePointAt(0) ?? 0) < 0x300 || character === '…' ? 1 : 2;
  return units * size * WIDEST;
}
