// From js-yaml's flat events to trees. The events give no ends of collections, no place for empty scalars and no meaning to
// aliases; all three are added here, in one pass over the events.
import {
  type AliasEvent,
  CHOMPING_MODE,
  COLLECTION_STYLE,
  type DocumentEvent,
  EVENT_ID,
  type Event,
  getScalarValue,
  type MappingEvent,
  SCALAR_STYLE,
  type ScalarEvent,
  type SequenceEvent,
} from 'js-yaml';
import type { Diagnostic, Outcome } from '../diagnostic.ts';
import { createDocument } from '../document.ts';
import { type FullLimits, tooDeep, tooManyNodes } from '../limits.ts';
import type { MappingEntry, Node, ScalarNode, ScalarStyle, TextDocument } from '../node.ts';
import { diagnostic, fail, succeed } from '../outcome.ts';
import type { TextIndex } from '../text-index.ts';
import { resolveTag } from './tag.ts';

/** One outcome per document; a bad alias spoils its own document only. */
export function buildDocuments(
  index: TextIndex,
  events: readonly Event[],
  limits: FullLimits,
): Outcome<TextDocument>[] {
  const outcomes: Outcome<TextDocument>[] = [];
  const builder = new DocumentBuilder(index, limits);
  let position = 0;
  while (position < events.length) {
    const end = endOfDocument(events, position);
    outcomes.push(builder.build(events, position, end));
    position = end;
  }
  return outcomes;
}

function endOfDocument(events: readonly Event[], start: number): number {
  let open = 0;
  for (let position = start; position < events.length; position++) {
    const type = events[position]?.type;
    if (type === EVENT_ID.POP) {
      open--;
      if (open === 0) return position + 1;
    } else if (type !== EVENT_ID.SCALAR && type !== EVENT_ID.ALIAS) {
      open++;
    }
  }
  return events.length;
}

/** What an anchor names; the node is missing while the anchored collection is still open. */
interface Anchor {
  node: Node | undefined;
  nodes: number;
  height: number;
}

interface Frame {
  readonly node: OpenCollection;
  /** The character that closes a flow collection, or empty where nothing does. */
  readonly terminator: string;
  readonly anchor: Anchor | undefined;
  /** The key that waits for its value. */
  key: Node | undefined;
  /** Nodes in here, itself included, aliases expanded. */
  nodes: number;
  /** Collections below, itself included, aliases expanded. */
  height: number;
}

interface OpenMapping {
  kind: 'mapping';
  entries: MappingEntry[];
  tag: string | undefined;
  start: number;
  end: number;
}

interface OpenSequence {
  kind: 'sequence';
  items: Node[];
  tag: string | undefined;
  start: number;
  end: number;
}

type OpenCollection = OpenMapping | OpenSequence;

/** Stops the building of one document. */
class Refusal {
  readonly diagnostic: Diagnostic;

  constructor(diagnostic: Diagnostic) {
    this.diagnostic = diagnostic;
  }
}

const STYLES: Readonly<Record<number, ScalarStyle>> = {
  [SCALAR_STYLE.PLAIN]: 'plain',
  [SCALAR_STYLE.SINGLE_QUOTED]: 'single',
  [SCALAR_STYLE.DOUBLE_QUOTED]: 'double',
  [SCALAR_STYLE.LITERAL_BLOCK]: 'literal',
  [SCALAR_STYLE.FOLDED_BLOCK]: 'folded',
};

class DocumentBuilder {
  readonly #index: TextIndex;
  readonly #text: string;
  readonly #limits: FullLimits;
  #anchors = new Map<string, Anchor>();
  #directives: DocumentEvent['directives'] = [];
  #stack: Frame[] = [];
  #root: Node | undefined;
  /** Just past the last thing read. */
  #cursor = 0;
  /** Of all documents so far: many documents must not be a way around the limit. */
  #nodes = 0;

  constructor(index: TextIndex, limits: FullLimits) {
    this.#index = index;
    this.#text = index.text;
    this.#limits = limits;
  }

  build(events: readonly Event[], start: number, end: number): Outcome<TextDocument> {
    this.#anchors = new Map();
    this.#stack = [];
    this.#root = undefined;
    try {
      for (let position = start; position < end; position++) {
        const event = events[position];
        if (event !== undefined) this.#take(event, events[position + 1]);
      }
    } catch (refusal) {
      if (refusal instanceof Refusal) return fail(refusal.diagnostic);
      throw refusal;
    }
    return succeed(createDocument(this.#index, this.#root));
  }

  #take(event: Event, next: Event | undefined): void {
    switch (event.type) {
      case EVENT_ID.DOCUMENT:
        this.#directives = event.directives;
        break;
      case EVENT_ID.SCALAR:
        this.#takeScalar(event);
        break;
      case EVENT_ID.ALIAS:
        this.#takeAlias(event);
        break;
      case EVENT_ID.POP:
        this.#close();
        break;
      default:
        this.#open(event, next);
    }
  }

  #takeScalar(event: ScalarEvent): void {
    const isEmpty = event.valueStart === -1;
    const isBare = event.tagStart === -1 && event.anchorStart === -1;
    const isRoot = this.#stack.length === 0;
    if (isEmpty && isBare && isRoot) return;

    const end = isEmpty && isBare ? this.#placeOfNothing() : this.#scalarEnd(event);
    const node: ScalarNode = {
      kind: 'scalar',
      start: isEmpty && isBare ? end : this.#scalarStart(event),
      end,
      text: this.#scalarText(event),
      style: STYLES[event.style] ?? 'plain',
      tag: this.#tag(event),
    };
    this.#cursor = end;
    this.#count(1);
    const anchor = this.#declareAnchor(event);
    if (anchor !== undefined) {
      anchor.node = node;
      anchor.nodes = 1;
    }
    this.#attach(node, 1, 0);
  }

  #takeAlias(event: AliasEvent): void {
    const start = event.anchorStart - 1;
    const name = this.#text.slice(event.anchorStart, event.anchorEnd);
    const anchor = this.#anchors.get(name);
    this.#cursor = event.anchorEnd;
    if (anchor === undefined) {
      throw this.#refusal(
        start,
        event.anchorEnd,
        'diagnostics/undefined-alias',
        `no anchor &${name} stands before this alias`,
      );
    }
    if (anchor.node === undefined) {
      throw this.#refusal(
        start,
        event.anchorEnd,
        'diagnostics/recursive-alias',
        `anchor '${name}' value contains itself`,
      );
    }
    if (this.#stack.length + anchor.height > this.#limits.depth) {
      throw new Refusal(tooDeep(this.#index, start, this.#limits));
    }
    this.#count(anchor.nodes);
    this.#attach(anchor.node, anchor.nodes, anchor.height);
  }

  #open(event: MappingEvent | SequenceEvent, next: Event | undefined): void {
    if (this.#stack.length >= this.#limits.depth) throw new Refusal(tooDeep(this.#index, event.start, this.#limits));
    const start = startOfProperties(event, event.start);
    const tag = this.#tag(event);
    this.#count(1);
    const terminator = this.#terminator(event, next);
    this.#cursor = terminator === '' ? event.start : event.start + 1;
    this.#stack.push({
      node:
        event.type === EVENT_ID.MAPPING
          ? { kind: 'mapping', entries: [], tag, start, end: start }
          : { kind: 'sequence', items: [], tag, start, end: start },
      terminator,
      anchor: this.#declareAnchor(event),
      key: undefined,
      nodes: 1,
      height: 1,
    });
  }

  #close(): void {
    const frame = this.#stack.pop();
    if (frame === undefined) return;
    if (frame.terminator !== '') this.#cursor = this.#pastTerminator(frame);
    frame.node.end = this.#cursor;
    if (frame.anchor !== undefined) {
      frame.anchor.node = frame.node;
      frame.anchor.nodes = frame.nodes;
      frame.anchor.height = frame.height;
    }
    this.#attach(frame.node, frame.nodes, frame.height);
  }

  #attach(node: Node, nodes: number, height: number): void {
    const parent = this.#stack.at(-1);
    if (parent === undefined) {
      this.#root = node;
      return;
    }
    parent.nodes += nodes;
    parent.height = Math.max(parent.height, height + 1);
    if (parent.node.kind === 'sequence') {
      parent.node.items.push(node);
    } else if (parent.key === undefined) {
      parent.key = node;
    } else {
      parent.node.entries.push({ key: parent.key, value: node });
      parent.key = undefined;
    }
  }

  #count(nodes: number): void {
    this.#nodes += nodes;
    if (this.#nodes > this.#limits.nodes) throw new Refusal(tooManyNodes(this.#index, this.#cursor, this.#limits));
  }

  #declareAnchor(event: ScalarEvent | MappingEvent | SequenceEvent): Anchor | undefined {
    if (event.anchorStart === -1) return undefined;
    const anchor: Anchor = { node: undefined, nodes: 0, height: 0 };
    this.#anchors.set(this.#text.slice(event.anchorStart, event.anchorEnd), anchor);
    return anchor;
  }

  #tag(event: ScalarEvent | MappingEvent | SequenceEvent): string | undefined {
    if (event.tagStart === -1) return undefined;
    return resolveTag(this.#text.slice(event.tagStart, event.tagEnd), this.#directives);
  }

  #scalarText(event: ScalarEvent): string {
    const content = getScalarValue(this.#text, event);
    const isBlock = event.style === SCALAR_STYLE.LITERAL_BLOCK || event.style === SCALAR_STYLE.FOLDED_BLOCK;
    if (!isBlock || event.chomping === CHOMPING_MODE.STRIP || event.valueEnd < this.#text.length) return content;
    // A block scalar that the text ends within has no last line break to keep; js-yaml adds one, libyaml and its ports do not.
    return content.endsWith('\n') && !isLineBreak(this.#text.charCodeAt(event.valueEnd - 1))
      ? content.slice(0, -1)
      : content;
  }

  #scalarStart(event: ScalarEvent): number {
    if (event.valueStart === -1) return startOfProperties(event, Number.POSITIVE_INFINITY);
    switch (event.style) {
      case SCALAR_STYLE.SINGLE_QUOTED:
      case SCALAR_STYLE.DOUBLE_QUOTED:
        return startOfProperties(event, event.valueStart - 1);
      case SCALAR_STYLE.LITERAL_BLOCK:
      case SCALAR_STYLE.FOLDED_BLOCK:
        return startOfProperties(event, this.#blockHeader(event));
      default:
        return startOfProperties(event, event.valueStart);
    }
  }

  #scalarEnd(event: ScalarEvent): number {
    if (event.valueStart === -1) return Math.max(event.anchorEnd, event.tagEnd);
    const isQuoted = event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED;
    return isQuoted ? event.valueEnd + 1 : event.valueEnd;
  }

  /** Where the `|` or `>` of a block scalar stands: only indicators and comments lie between it and what came before. */
  #blockHeader(event: ScalarEvent): number {
    const text = this.#text;
    let offset = Math.max(this.#cursor, event.anchorEnd, event.tagEnd);
    while (offset < event.valueStart) {
      const character = text[offset];
      if (character === '|' || character === '>') return offset;
      offset = character === '#' ? endOfLine(text, offset) : offset + 1;
    }
    return event.valueStart;
  }

  /** An empty scalar stands right behind the indicator that asks for it (`-`, `?`, `:`), or where reading stopped. */
  #placeOfNothing(): number {
    const parent = this.#stack.at(-1);
    if (parent === undefined) return this.#cursor;
    const indicator = parent.node.kind === 'sequence' ? '-' : parent.key === undefined ? '?' : ':';
    const offset = skipBlank(this.#text, this.#cursor);
    return this.#text[offset] === indicator ? offset + 1 : this.#cursor;
  }

  #terminator(event: MappingEvent | SequenceEvent, next: Event | undefined): string {
    if (event.style !== COLLECTION_STYLE.FLOW) return '';
    if (event.type === EVENT_ID.SEQUENCE) return ']';
    if (this.#text[event.start] !== '{') return '';
    // `[{a: b}: c]`: the pair, which has no braces of its own, starts where its key does.
    const isPair = next?.type === EVENT_ID.MAPPING && next.start === event.start;
    return isPair ? '' : '}';
  }

  #pastTerminator(frame: Frame): number {
    const text = this.#text;
    let offset = skipBlank(text, this.#cursor);
    while (offset < text.length && text[offset] !== frame.terminator) offset = skipBlank(text, offset + 1);
    return offset + 1;
  }

  #refusal(start: number, end: number, code: string, message: string): Refusal {
    const range = { start: this.#index.position(start), end: this.#index.position(end) };
    return new Refusal(diagnostic({ code, message }, range));
  }
}

function startOfProperties(event: ScalarEvent | MappingEvent | SequenceEvent, content: number): number {
  let start = content;
  if (event.anchorStart !== -1) start = Math.min(start, event.anchorStart - 1);
  if (event.tagStart !== -1) start = Math.min(start, event.tagStart);
  return start;
}

function skipBlank(text: string, from: number): number {
  let offset = from;
  while (offset < text.length) {
    const unit = text.charCodeAt(offset);
    if (unit === 0x23) offset = endOfLine(text, offset);
    else if (unit === 0x20 || unit === 0x09 || isLineBreak(unit)) offset++;
    else break;
  }
  return offset;
}

function endOfLine(text: string, from: number): number {
  let offset = from;
  while (offset < text.length && !isLineBreak(text.charCodeAt(offset))) offset++;
  return offset;
}

function isLineBreak(unit: number): boolean {
  return unit === 0x0a || unit === 0x0d;
}
