// Changes since the last look. A look ends when the view is left, or when the user ends it; nothing of it is stored elsewhere.
import type { Block, TreeNode } from './blocks.ts';

/** The contents at each key. */
export type Entries = ReadonlyMap<string, { readonly name: string; readonly value: string }>;

export interface Marks {
  readonly added: ReadonlySet<string>;
  readonly changed: ReadonlySet<string>;
  /** Names of removed parts. */
  readonly removed: readonly string[];
}

export const NO_MARKS: Marks = { added: new Set(), changed: new Set(), removed: [] };

export function entriesOf(blocks: readonly Block[]): Entries {
  const entries = new Map<string, { name: string; value: string }>();
  const add = (key: string, name: string, value: string): void => void entries.set(key, { name, value });
  const addNode = ({ key, name, value = '', children = [] }: TreeNode): void => {
    add(key, name, value);
    children.forEach(addNode);
  };
  const addBlock = (block: Block): void => {
    if (block.kind === 'table') for (const { key, cells } of block.rows) add(key, cells[0] ?? '', cells.join('\t'));
    if (block.kind === 'facts') for (const { key, name, value } of block.rows) add(key, name, value);
    if (block.kind === 'file') add(block.key, block.name, `${block.detail}\n${block.text}`);
    if (block.kind === 'steps') for (const { key, title, text } of block.steps) add(key, title, text);
    if (block.kind === 'tree') block.nodes.forEach(addNode);
    if (block.kind === 'section') block.blocks.forEach(addBlock);
  };
  blocks.forEach(addBlock);
  return entries;
}

/** At the first look nothing is new. */
export function marksSince(before: Entries | undefined, now: Entries): Marks {
  if (before === undefined) return NO_MARKS;
  const isNew = (key: string): boolean => !before.has(key);
  const differs = (key: string): boolean => !isNew(key) && before.get(key)?.value !== now.get(key)?.value;
  return {
    added: new Set([...now.keys()].filter(isNew)),
    changed: new Set([...now.keys()].filter(differs)),
    removed: [...before].filter(([key]) => !now.has(key)).map(([, { name }]) => name),
  };
}

/** Remembers, for each view and host, the contents at the last look. */
export class ViewHistory {
  readonly #seen = new Map<string, Entries>();
  readonly #shown = new Map<string, Entries>();

  /** The changes since then; the look continues. */
  look(view: string, blocks: readonly Block[]): Marks {
    const now = entriesOf(blocks);
    this.#shown.set(view, now);
    const before = this.#seen.get(view);
    if (before === undefined) this.#seen.set(view, now);
    return marksSince(before, now);
  }

  /** Marks the current contents as seen. */
  end(view: string): void {
    const shown = this.#shown.get(view);
    if (shown !== undefined) this.#seen.set(view, shown);
  }

  forget(): void {
    this.#seen.clear();
    this.#shown.clear();
  }
}
