// The layout of a drawing: one card below the other, so that it is readable on a phone, and every interface above the interfaces
// it uses. Lines run beside the cards, each in its own track.
import type { NetworkLink } from '../state/links.ts';
import { type CardText, cardOf } from './card-text.ts';

export interface Card extends CardText {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Whether the state only refers to it by name. */
  readonly isUndeclared: boolean;
  readonly isUp: boolean;
}

/** A line from a card down its track to the cards below. */
export interface Wire {
  readonly track: number;
  readonly x: number;
  readonly from: number;
  readonly to: readonly number[];
  /** Whether it connects the ends of a virtual cable. */
  readonly isPeer: boolean;
}

export interface Layout {
  readonly cards: readonly Card[];
  readonly wires: readonly Wire[];
  readonly width: number;
  readonly height: number;
}

/** The width of the narrowest screen in pixels. */
const WIDTH = 320;
const MARGIN = 8;
const TRACK = 10;
const GAP = 10;
/** Room for a name of 15 characters. */
const NARROWEST_CARD = 184;
const HEAD = 26;
const LINE = 16;

/** An entry with a card: an interface, declared or only named. */
interface Item {
  readonly key: string;
  readonly link: NetworkLink | undefined;
  readonly name: string;
  readonly below: readonly string[];
  readonly peers: readonly string[];
}

export function layOut(links: readonly NetworkLink[], top: number): Layout {
  const items = inRows(itemsOf(links));
  const rows = new Map(items.map(({ key }, row) => [key, row]));
  const spans = items.flatMap((item, row) => spansOf(item, row, rows));
  const tracks = assignTracks(spans);
  const count = Math.max(0, ...tracks.map((track) => track + 1));
  const x = MARGIN + count * TRACK + (count === 0 ? 0 : GAP / 2);
  const width = Math.max(WIDTH, x + NARROWEST_CARD + MARGIN);
  const cards: Card[] = [];
  let y = top;
  for (const { link, name } of items) {
    const text = cardOf(link, name, width - x - MARGIN);
    const height = HEAD + text.lines.length * LINE + (text.lines.length === 0 ? 0 : 4);
    const isUp = link === undefined || link.state === 'up';
    cards.push({ ...text, x, y, width: width - x - MARGIN, height, isUndeclared: link === undefined, isUp });
    y += height + GAP;
  }
  const middle = (row: number): number => (cards[row]?.y ?? 0) + HEAD / 2;
  const wires = spans.map(({ from, to, isPeer }, index): Wire => {
    const track = tracks[index] ?? 0;
    const place = MARGIN + (count - track - 1) * TRACK + TRACK / 2;
    return { track, x: place, from: middle(from), to: to.map(middle), isPeer };
  });
  return { cards, wires, width, height: y };
}

/** The entries for cards. The key has the type, because an Open vSwitch bridge may have the same name as one of its ports. */
function itemsOf(links: readonly NetworkLink[]): Item[] {
  const keys = new Map<string, string>();
  const declared = links.map((link, index) => {
    const key = `${index}`;
    if (!keys.has(link.name) || link.type !== 'ovs-bridge') keys.set(link.name, key);
    return { key, link };
  });
  const items = declared.map(({ key, link }): Item => {
    const ends = (all: NetworkLink['below']): string[] => all.map(({ name }) => keys.get(name) ?? `named ${name}`);
    const below = ends(link.below).filter((other) => other !== key);
    return { key, link, name: link.name, below, peers: ends(link.peers).filter((other) => other !== key) };
  });
  const named = new Set(
    links.flatMap(({ below, peers }) => [...below, ...peers].map(({ name }) => name)).filter((name) => !keys.has(name)),
  );
  const others = [...named].map(
    (name): Item => ({ key: `named ${name}`, link: undefined, name, below: [], peers: [] }),
  );
  return [...items, ...others];
}

/** Sorts items so that each is close below all items that use it. Items in a cycle keep the order of the state. */
function inRows(items: readonly Item[]): Item[] {
  const byKey = new Map(items.map((item) => [item.key, item]));
  const above = new Map<string, Set<string>>();
  for (const { key, below } of items) {
    for (const other of below) above.set(other, (above.get(other) ?? new Set()).add(key));
  }
  const rows = new Set<Item>();
  const place = (first: Item): void => {
    const waiting = [first];
    for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
      rows.add(item);
      const ready = item.below.flatMap((key) => {
        const next = byKey.get(key);
        const isReady = [...(above.get(key) ?? [])].every((one) => [...rows].some((row) => row.key === one));
        return next !== undefined && isReady && !rows.has(next) && !waiting.includes(next) ? [next] : [];
      });
      waiting.push(...ready.reverse());
    }
  };
  for (const item of items) if (!above.has(item.key)) place(item);
  for (const item of items) if (!rows.has(item)) place(item);
  return [...rows];
}

/** A line from one row to others. */
interface Span {
  readonly from: number;
  readonly to: readonly number[];
  readonly isPeer: boolean;
}

function spansOf({ below, peers }: Item, row: number, rows: ReadonlyMap<string, number>): Span[] {
  const ends = (keys: readonly string[]): number[] => [...new Set(keys.flatMap((key) => rows.get(key) ?? []))];
  const down = ends(below);
  // Both ends of a cable name each other; the upper one draws it.
  const across = ends(peers).filter((other) => other > row);
  return [
    ...(down.length === 0 ? [] : [{ from: row, to: down, isPeer: false }]),
    ...(across.length === 0 ? [] : [{ from: row, to: across, isPeer: true }]),
  ];
}

/** Gives each line the first track that is free along its whole length. */
function assignTracks(spans: readonly Span[]): number[] {
  const taken: (readonly [number, number])[][] = [];
  return spans.map(({ from, to }) => {
    const [first, last] = [Math.min(from, ...to), Math.max(from, ...to)];
    const isFree = (track: readonly (readonly [number, number])[]): boolean =>
      track.every(([start, end]) => last < start || first > end);
    const found = taken.findIndex(isFree);
    const track = found === -1 ? taken.length : found;
    taken[track] = [...(taken[track] ?? []), [first, last]];
    return track;
  });
}
