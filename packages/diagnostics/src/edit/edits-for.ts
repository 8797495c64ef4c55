import { checkArgument, checkWord } from '@coreiso/peers/arguments';
import { ownDiagnostic } from '../codes.ts';
import type { Outcome, Path, TextEdit } from '../diagnostic.ts';
import { formatPath } from '../format.ts';
import { member, type Plain } from '../lookup.ts';
import type { MappingEntry, Node, ScalarNode, TextDocument } from '../node.ts';
import { fail, succeed } from '../outcome.ts';
import { NOWHERE } from '../position.ts';
import { insert } from './insert.ts';
import { layoutOf } from './layout.ts';
import { contentAt, unwrap } from './move.ts';
import { NotEditable } from './places.ts';
import { remove } from './remove.ts';
import { rename, replace } from './replace.ts';
import { type NodePlace, nth, walk } from './walk.ts';
import { blockText, type Content, contentOf, isLeaf } from './write-value.ts';

/** A change to a document's data; paths refer to the data before the change. */
export type Change =
  /** Renames a member. */
  | { readonly do: 'rename'; readonly path: Path; readonly name: string }
  /** Replaces a value or adds a member; missing mappings on the path are created. */
  | { readonly do: 'set'; readonly path: Path; readonly value: Plain; readonly before?: string | undefined }
  /** Adds an item before the one with this index. */
  | { readonly do: 'insert'; readonly path: Path; readonly value: Plain }
  | { readonly do: 'remove'; readonly path: Path }
  /** Moves a value to another collection, or within its own. */
  | { readonly do: 'move'; readonly path: Path; readonly to: Path; readonly before?: string | undefined }
  /** Moves the members of a mapping into the mapping around it. */
  | { readonly do: 'unwrap'; readonly path: Path };

/**
 * The edits to a text that change its data as requested, in the file's own style: comments, anchors, order and quotes
 * stay as they are. Refuses a change that would affect more than was requested, such as a change to a value that comes
 * from an alias.
 *
 * @example const edits = valueOrThrow(editsFor(document, { do: 'set', path: ['hosts', 0, 'hostname'], value: 'worker-0' }))
 */
export function editsFor(
  document: TextDocument,
  change: Change,
  find: typeof member = member,
): Outcome<readonly TextEdit[]> {
  checkArgument('document', document, 'object');
  checkWord('change.do', change?.do, ['rename', 'set', 'insert', 'remove', 'move', 'unwrap']);
  checkArgument('change.path', change.path, 'array');
  try {
    return succeed(new Editor(document, find).edits(change));
  } catch (error) {
    if (!(error instanceof NotEditable)) throw error;
    const where = change.path.length === 0 ? 'the document' : `\`${formatPath(change.path)}\``;
    const message = `cannot change ${where} in the text: ${error.message}`;
    const range = error.place === undefined ? NOWHERE : document.range(error.place);
    return fail(ownDiagnostic({ code: 'diagnostics/not-editable', message, path: change.path }, range));
  }
}

class Editor {
  readonly #document: TextDocument;
  readonly #find: typeof member;

  constructor(document: TextDocument, find: typeof member) {
    this.#document = document;
    this.#find = find;
  }

  edits(change: Change): TextEdit[] {
    if (ODD_BREAKS.test(this.#document.text)) throw new NotEditable('it has unusual line ends');
    const layout = layoutOf(this.#document);
    switch (change.do) {
      case 'rename':
        return rename(layout, this.#there(change.path), change.name);
      case 'set':
        return this.#set(change);
      case 'insert':
        return this.#add(change.path, { content: contentOf(change.value, layout) });
      case 'remove':
        return remove(this.#document, this.#there(change.path));
      case 'move':
        return this.#move(change);
      case 'unwrap':
        return unwrap(this.#document, this.#there(change.path));
    }
  }

  #there(path: Path): NodePlace {
    const { spot, rest } = walk(this.#document, path, this.#find);
    if (rest.length > 0) throw new NotEditable('there is no such value', spot.node);
    return spot;
  }

  #set({ path, value, before }: Change & { do: 'set' }): TextEdit[] {
    const document = this.#document;
    const layout = layoutOf(document);
    if (document.root === undefined) return begin(document, path, value);
    const { spot, rest } = walk(document, path, this.#find);
    const [step, ...inner] = rest;
    if (step === undefined) return replace(document, layout, spot, value);
    const added = wrapped(inner, value);
    if (spot.node.kind === 'scalar') {
      if (!isNullScalar(spot.node)) throw new NotEditable('another value is there', spot.node);
      return replace(document, layout, spot, wrapped(rest, value));
    }
    return this.#add([...path.slice(0, path.length - rest.length), step], {
      content: contentOf(added, layout),
      before,
    });
  }

  /** Puts a member or item into the collection that its path names. */
  #add(path: Path, { content, before }: { content: Content; before?: string | undefined }): TextEdit[] {
    const parent = this.#there(path.slice(0, -1));
    const { node } = parent;
    const step = path.at(-1);
    const layout = layoutOf(this.#document);
    if (node.kind === 'sequence' && typeof step === 'number') {
      if (step > node.items.length) throw new NotEditable('there is no such place in the list', node);
      return insert(
        this.#document,
        layout,
        parent,
        { name: undefined, content },
        nth(this.#document.text, parent, step),
      );
    }
    if (node.kind !== 'mapping' || typeof step !== 'string')
      throw new NotEditable('the collection has another type', node);
    if (this.#find(node, step) !== undefined) throw new NotEditable('it exists already', node);
    const behind = before === undefined ? undefined : this.#there([...path.slice(0, -1), before]);
    return insert(this.#document, layout, parent, { name: step, content }, behind);
  }

  #move({ path, to, before }: Change & { do: 'move' }): TextEdit[] {
    const spot = this.#there(path);
    const { place } = spot;
    if (place === undefined) throw new NotEditable('the whole document cannot be moved', spot.node);
    const content = contentAt(this.#document, spot);
    const target = this.#there(to.slice(0, -1));
    if (spot.extent.start <= target.node.start && target.node.end <= spot.extent.end) {
      throw new NotEditable('it cannot move into itself', spot.node);
    }
    const isSame = target.node === place.parent.node;
    const step = to.at(-1);
    // The only item leaves no neighbour to insert next to.
    if (isSame && countOf(target.node) === 1) {
      if (typeof step === 'string') return rename(layoutOf(this.#document), spot, step);
      throw new NotEditable('it is the only one', spot.node);
    }
    // An item that moves down frees its own index, so the items below it move up by one.
    const index = isSame && typeof step === 'number' && step > place.index ? step + 1 : step;
    const own = place.entry?.key;
    const find: typeof member =
      isSame && own !== undefined ? (node, name) => without(this.#find(node, name), own) : this.#find;
    const edits = new Editor(this.#document, find).#add([...to.slice(0, -1), ...(index === undefined ? [] : [index])], {
      content,
      before,
    });
    const removed = remove(this.#document, spot);
    // A block replaces the line that is removed: one edit at a time is clearer.
    if (edits.some((one) => removed.some(({ start, end }) => one.start < end && one.end > start)))
      throw new NotEditable('it is next to the place it would go to', spot.node);
    return [...edits, ...removed];
  }
}

function countOf(node: Node): number {
  if (node.kind === 'scalar') return 0;
  return node.kind === 'mapping' ? node.entries.length : node.items.length;
}

/** YAML 1.1 also breaks lines at these characters. */
const ODD_BREAKS = /[\x85\u2028\u2029]/;

function without(entry: MappingEntry | undefined, key: Node): MappingEntry | undefined {
  return entry?.key === key ? undefined : entry;
}

function isNullScalar({ text, style }: ScalarNode): boolean {
  return style === 'plain' && /^(?:|~|null|Null|NULL)$/.test(text);
}

/** A value inside the mappings that a path names. */
function wrapped(path: Path, value: Plain): Plain {
  return path.reduceRight<Plain>((inner, step) => (typeof step === 'number' ? [inner] : { [step]: inner }), value);
}

/** The first value of a document that has only comments. */
function begin(document: TextDocument, path: Path, value: Plain): TextEdit[] {
  const { text } = document;
  const layout = layoutOf(document);
  const end = text.length;
  if (/^(?:---|\.\.\.|%)/m.test(text)) throw new NotEditable('the document is empty, and one of several');
  const content = wrapped(path, value);
  const body = isLeaf(content) ? contentOf(content, layout).block(0, true).slice(1) : blockText(content, 0, layout);
  const gap = end === 0 || /[\r\n]$/.test(text) ? '' : layout.lineEnd;
  return [{ start: end, end, text: gap + body + layout.lineEnd }];
}
