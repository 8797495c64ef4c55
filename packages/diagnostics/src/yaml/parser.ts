// One grammar: tokens to node trees, document by document, after libyaml's productions (YAML 1.1). It recurses as deep as the text
// is nested; the limits keep that small.

import { HIDDEN } from '@coreiso/peers/hidden';
import type { TextIndex } from '@coreiso/peers/text-index';
import { ownDiagnostic } from '../codes.ts';
import type { Diagnostic } from '../diagnostic.ts';
import { firstEndingAfter } from '../excerpt.ts';
import { type FullLimits, tooDeep, tooManyNodes } from '../limits.ts';
import type { Extent, MappingEntry, MappingNode, Node, ScalarNode, SequenceNode } from '../node.ts';
import { secretExtents } from '../secrets.ts';
import { YamlSyntaxError } from './problem.ts';
import type { YamlFlavour } from './scalars.ts';
import { Scanner } from './scanner.ts';
import type { NameToken, TagToken, Token } from './token.ts';

/** Stops the parser: the text exceeds a limit. */
export class LimitReached extends Error {
  readonly diagnostic: Diagnostic;

  constructor(reached: Diagnostic) {
    super(reached.message);
    this.diagnostic = reached;
  }
}

/** One document; `root` is missing if it is empty. Unknown aliases are listed, and are empty scalars in the tree. */
export interface ParsedDocument {
  readonly root: Node | undefined;
  readonly badAliases: readonly Diagnostic[];
}

/** The target of an anchor; its node is missing while the anchored collection is still open. */
interface Anchor {
  node: Node | undefined;
  nodes: number;
  height: number;
}

type Kind = Token['kind'];

const DOCUMENT_OPENERS = kinds('version', 'tag-directive', 'document-start');
const DOCUMENT_BORDERS = kinds('version', 'tag-directive', 'document-start', 'document-end', 'stream-end');

/** Tokens that directly follow an omitted value. */
const BLOCK_ITEM_ENDS = kinds('block-entry', 'block-end');
const INDENTLESS_ITEM_ENDS = kinds('block-entry', 'key', 'value', 'block-end');
const BLOCK_ENTRY_ENDS = kinds('key', 'value', 'block-end');
const FLOW_KEY_ENDS = kinds('value', 'flow-entry', 'flow-mapping-end');
const FLOW_VALUE_ENDS = kinds('flow-entry', 'flow-mapping-end');
const PAIR_KEY_ENDS = kinds('value', 'flow-entry', 'flow-sequence-end');
const PAIR_VALUE_ENDS = kinds('flow-entry', 'flow-sequence-end');

function kinds(...list: readonly Kind[]): ReadonlySet<Kind> {
  return new Set(list);
}

/** The collections that may begin at a place. */
type Context = 'flow' | 'block' | 'block-or-indentless';

export class Parser {
  readonly #scanner: Scanner;
  readonly #index: TextIndex;
  readonly #limits: FullLimits;
  readonly #flavour: YamlFlavour;
  #secrets: readonly Extent[] | undefined;
  #isFirst = true;
  #tagPrefixes = new Map<string, string>();
  #anchors = new Map<string, Anchor>();
  #badAliases: Diagnostic[] = [];
  /** The offset after the last token that is in the text. */
  #lastEnd = 0;
  #depth = 0;
  /** Nodes of the whole text, with aliases expanded. */
  #nodes = 0;
  /** The nesting depth of the node read last, with aliases expanded. */
  #height = 0;
  /** The greatest such depth in the collection being read. */
  #tallest = 0;

  constructor(index: TextIndex, limits: FullLimits, flavour: YamlFlavour) {
    this.#scanner = new Scanner(index.text, flavour);
    this.#index = index;
    this.#limits = limits;
    this.#flavour = flavour;
  }

  /** Unknown aliases of the current document. */
  get badAliases(): readonly Diagnostic[] {
    return this.#badAliases;
  }

  /** The next document, or undefined at the end of the text. */
  nextDocument(): ParsedDocument | undefined {
    this.#anchors = new Map();
    this.#badAliases = [];
    this.#depth = 0;
    this.#tallest = 0;
    this.#tagPrefixes = new Map();
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    if (!isFirst) while (this.#is('document-end')) this.#scanner.take();
    if (this.#is('stream-end')) return undefined;
    let root: Node | undefined;
    if (isFirst && !this.#isOneOf(DOCUMENT_OPENERS)) {
      root = this.#parseNode('block');
    } else {
      this.#parseDirectives();
      if (!this.#is('document-start')) throw this.#problem('did not find expected <document start>');
      this.#lastEnd = this.#scanner.take().end;
      const isEmpty = this.#isOneOf(DOCUMENT_BORDERS);
      root = isEmpty ? undefined : this.#parseNode('block');
    }
    if (this.#is('document-end')) this.#scanner.take();
    return { root, badAliases: this.#badAliases };
  }

  #parseDirectives(): void {
    let hasVersion = false;
    for (;;) {
      const token = this.#scanner.peek();
      if (token.kind === 'version') {
        if (hasVersion) throw this.#problem('found duplicate %YAML directive');
        hasVersion = true;
        const isKnown = token.major === 1 && (token.minor === 1 || (token.minor === 2 && this.#flavour === 'libyaml'));
        if (!isKnown) throw this.#problem('found incompatible YAML document');
      } else if (token.kind === 'tag-directive') {
        if (this.#tagPrefixes.has(token.handle)) throw this.#problem('found duplicate %TAG directive');
        this.#tagPrefixes.set(token.handle, token.prefix);
      } else {
        return;
      }
      this.#scanner.take();
    }
  }

  #parseNode(context: Context): Node {
    const first = this.#scanner.peek();
    if (first.kind === 'alias') return this.#parseAlias();
    const { anchor: name, tag: tagToken } = this.#parseProperties();
    const start = first.start;
    const tag = tagToken === undefined ? undefined : this.#resolveTag(tagToken, start);
    const anchor = name === undefined ? undefined : this.#declareAnchor(name.name);
    const nodesBefore = this.#nodes;
    const node = this.#parseContent(context, start, tag, anchor !== undefined || tag !== undefined);
    if (anchor !== undefined) {
      anchor.node = node;
      anchor.nodes = this.#nodes - nodesBefore;
      anchor.height = this.#height;
    }
    return node;
  }

  #parseProperties(): { anchor?: NameToken; tag?: TagToken } {
    const properties: { anchor?: NameToken; tag?: TagToken } = {};
    for (;;) {
      const token = this.#scanner.peek();
      if (token.kind === 'anchor' && properties.anchor === undefined) properties.anchor = token;
      else if (token.kind === 'tag' && properties.tag === undefined) properties.tag = token;
      else return properties;
      this.#take();
    }
  }

  #parseContent(context: Context, start: number, tag: string | undefined, hasProperties: boolean): Node {
    const token = this.#scanner.peek();
    if (token.kind === 'scalar') {
      this.#take();
      const { text, style, end } = token;
      return this.#scalar({ kind: 'scalar', start, end, text, style, tag });
    }
    switch (token.kind) {
      case 'block-entry':
        if (context === 'block-or-indentless') return this.#parseIndentlessSequence(start, tag);
        break;
      case 'flow-sequence-start':
        return this.#parseFlowSequence(start, tag);
      case 'flow-mapping-start':
        return this.#parseFlowMapping(start, tag);
      case 'block-sequence-start':
        if (context !== 'flow') return this.#parseBlockSequence(start, tag);
        break;
      case 'block-mapping-start':
        if (context !== 'flow') return this.#parseBlockMapping(start, tag);
        break;
    }
    if (hasProperties) {
      return this.#scalar({ kind: 'scalar', start, end: this.#lastEnd, text: '', style: 'plain', tag });
    }
    const place = context === 'flow' ? 'while parsing a flow node' : 'while parsing a block node';
    throw this.#problem('did not find expected node content', place, start);
  }

  #parseBlockSequence(start: number, tag: string | undefined): SequenceNode {
    const opening = this.#scanner.take();
    return this.#collection(start, () => {
      const items: Node[] = [];
      while (this.#is('block-entry')) {
        this.#take();
        items.push(this.#parseUnless(BLOCK_ITEM_ENDS, 'block'));
      }
      if (!this.#is('block-end')) {
        throw this.#problem("did not find expected '-' indicator", 'while parsing a block collection', opening.start);
      }
      this.#scanner.take();
      return { kind: 'sequence', start, end: this.#lastEnd, items, tag };
    });
  }

  /** YAML 1.1 §9.3: list items may be no deeper than the key of the list. */
  #parseIndentlessSequence(start: number, tag: string | undefined): SequenceNode {
    return this.#collection(start, () => {
      const items: Node[] = [];
      while (this.#is('block-entry')) {
        this.#take();
        items.push(this.#parseUnless(INDENTLESS_ITEM_ENDS, 'block'));
      }
      return { kind: 'sequence', start, end: this.#lastEnd, items, tag };
    });
  }

  #parseBlockMapping(start: number, tag: string | undefined): MappingNode {
    const opening = this.#scanner.take();
    return this.#collection(start, () => {
      const entries: MappingEntry[] = [];
      while (this.#is('key')) {
        this.#take();
        const key = this.#parseUnless(BLOCK_ENTRY_ENDS, 'block-or-indentless');
        entries.push({ key, value: this.#parseValue(BLOCK_ENTRY_ENDS, 'block-or-indentless') });
      }
      if (!this.#is('block-end')) {
        throw this.#problem('did not find expected key', 'while parsing a block mapping', opening.start);
      }
      this.#scanner.take();
      return { kind: 'mapping', start, end: this.#lastEnd, entries, tag };
    });
  }

  #parseFlowSequence(start: number, tag: string | undefined): SequenceNode {
    const opening = this.#take();
    return this.#collection(start, () => {
      const items: Node[] = [];
      while (!this.#is('flow-sequence-end')) {
        if (items.length > 0) {
          this.#takeComma("did not find expected ',' or ']'", 'while parsing a flow sequence', opening.start);
          if (this.#is('flow-sequence-end')) break;
        }
        items.push(this.#is('key') ? this.#parsePair() : this.#parseNode('flow'));
      }
      this.#take();
      return { kind: 'sequence', start, end: this.#lastEnd, items, tag };
    });
  }

  /** `[a: b]`: a mapping of one entry without braces. */
  #parsePair(): MappingNode {
    const { start } = this.#take();
    return this.#collection(start, () => {
      let key: Node;
      if (this.#isOneOf(PAIR_KEY_ENDS)) {
        // libyaml and its ports lose the `:` here, and with it any value; we refuse the same texts.
        this.#scanner.take();
        key = this.#nothing();
      } else {
        key = this.#parseNode('flow');
      }
      const value = this.#parseValue(PAIR_VALUE_ENDS, 'flow');
      return { kind: 'mapping', start, end: this.#lastEnd, entries: [{ key, value }], tag: undefined };
    });
  }

  #parseFlowMapping(start: number, tag: string | undefined): MappingNode {
    const opening = this.#take();
    return this.#collection(start, () => {
      const entries: MappingEntry[] = [];
      while (!this.#is('flow-mapping-end')) {
        if (entries.length > 0) {
          this.#takeComma("did not find expected ',' or '}'", 'while parsing a flow mapping', opening.start);
          if (this.#is('flow-mapping-end')) break;
        }
        const hasKeyToken = this.#is('key');
        if (hasKeyToken) this.#take();
        const key = hasKeyToken ? this.#parseUnless(FLOW_KEY_ENDS, 'flow') : this.#parseNode('flow');
        entries.push({ key, value: hasKeyToken ? this.#parseValue(FLOW_VALUE_ENDS, 'flow') : this.#nothing() });
      }
      this.#take();
      return { kind: 'mapping', start, end: this.#lastEnd, entries, tag };
    });
  }

  #takeComma(problem: string, context: string, contextOffset: number): void {
    if (!this.#is('flow-entry')) throw this.#problem(problem, context, contextOffset);
    this.#take();
  }

  /** Counts and reads the collection, and computes its depth. */
  #collection<T extends Node>(start: number, read: () => T): T {
    this.#count(1, start);
    this.#depth++;
    if (this.#depth > this.#limits.depth) throw new LimitReached(tooDeep(this.#index, start, this.#limits));
    const tallestBefore = this.#tallest;
    this.#tallest = 0;
    const node = read();
    this.#height = this.#tallest + 1;
    this.#tallest = Math.max(tallestBefore, this.#height);
    this.#depth--;
    return node;
  }

  #parseValue(ends: ReadonlySet<Kind>, context: Context): Node {
    if (!this.#is('value')) return this.#nothing();
    this.#take();
    return this.#parseUnless(ends, context);
  }

  #parseUnless(ends: ReadonlySet<Kind>, context: Context): Node {
    return this.#isOneOf(ends) ? this.#nothing() : this.#parseNode(context);
  }

  /** An empty scalar is right after the token that needs it. */
  #nothing(): ScalarNode {
    const place = this.#lastEnd;
    return this.#scalar({ kind: 'scalar', start: place, end: place, text: '', style: 'plain', tag: undefined });
  }

  #scalar(node: ScalarNode): ScalarNode {
    this.#count(1, node.start);
    this.#height = 0;
    return node;
  }

  /** A password that begins with `*` is not an alias, and is still a secret. */
  #shownAlias({ start }: Extent, name: string): string {
    this.#secrets ??= secretExtents(this.#index.text);
    const around = this.#secrets[firstEndingAfter(this.#secrets, start)];
    return around !== undefined && around.start <= start ? HIDDEN : name;
  }

  #parseAlias(): Node {
    const token = this.#take();
    const name = token.kind === 'alias' ? token.name : '';
    const anchor = this.#anchors.get(name);
    if (anchor?.node === undefined) {
      this.#badAliases.push(describeBadAlias(this.#index, token, this.#shownAlias(token, name), anchor));
      return this.#nothing();
    }
    if (this.#depth + anchor.height > this.#limits.depth) {
      throw new LimitReached(tooDeep(this.#index, token.start, this.#limits));
    }
    this.#count(anchor.nodes, token.start);
    this.#height = anchor.height;
    this.#tallest = Math.max(this.#tallest, anchor.height);
    return anchor.node;
  }

  #declareAnchor(name: string): Anchor {
    const anchor: Anchor = { node: undefined, nodes: 0, height: 0 };
    this.#anchors.set(name, anchor);
    return anchor;
  }

  #resolveTag({ handle, suffix, start }: TagToken, nodeStart: number): string {
    if (handle === '') return suffix;
    const prefix = this.#tagPrefixes.get(handle) ?? DEFAULT_PREFIXES.get(handle);
    if (prefix !== undefined) return prefix + suffix;
    throw new YamlSyntaxError({
      problem: 'found undefined tag handle',
      offset: start,
      context: 'while parsing a node',
      contextOffset: nodeStart,
      stage: 'parser',
      isAtEnd: false,
    });
  }

  #count(nodes: number, offset: number): void {
    this.#nodes += nodes;
    if (this.#nodes > this.#limits.nodes) throw new LimitReached(tooManyNodes(this.#index, offset, this.#limits));
  }

  #is(kind: Kind): boolean {
    return this.#scanner.peek().kind === kind;
  }

  #isOneOf(kinds: ReadonlySet<Kind>): boolean {
    return kinds.has(this.#scanner.peek().kind);
  }

  #take(): Token {
    const token = this.#scanner.take();
    this.#lastEnd = token.end;
    return token;
  }

  #problem(problem: string, context?: string, contextOffset?: number): YamlSyntaxError {
    const token = this.#scanner.peek();
    const isAtEnd = token.start >= this.#index.text.length;
    return new YamlSyntaxError({ problem, offset: token.start, context, contextOffset, stage: 'parser', isAtEnd });
  }
}

const DEFAULT_PREFIXES: ReadonlyMap<string, string> = new Map([
  ['!', '!'],
  ['!!', 'tag:yaml.org,2002:'],
]);

function describeBadAlias(index: TextIndex, place: Extent, name: string, anchor: Anchor | undefined): Diagnostic {
  const range = { start: index.position(place.start), end: index.position(place.end) };
  if (anchor === undefined) {
    const message = `unknown anchor '${name}' referenced`;
    return ownDiagnostic({ code: 'diagnostics/undefined-alias', message }, range);
  }
  return ownDiagnostic(
    { code: 'diagnostics/recursive-alias', message: `anchor '${name}' value contains itself` },
    range,
  );
}
