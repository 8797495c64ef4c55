import { IsoError, withContext } from '../errors.ts';
import type { RecordList } from './directory.ts';
import { directoryOffset, type ImageEntry } from './entry.ts';
import { Budget, type IsoLimits } from './limits.ts';
import { pathComponents, quoteText } from './names.ts';

/**
 * The source of names. `natural` uses the best of `rock-ridge`, `joliet` and `plain` that the image has; `strict` reads the
 * primary tree exactly as coreos-installer does.
 */
export type IsoView = 'natural' | 'strict' | 'rock-ridge' | 'joliet' | 'plain';

/** One view of the image; walks and look-ups work alike on all views. */
export interface Tree {
  readonly root: ImageEntry;
  /** The entries of a directory in on-disk order, without the records of itself and its parent. */
  list(directory: ImageEntry, budget: Budget, signal?: AbortSignal): Promise<RecordList<ImageEntry>>;
  /** Normalizes a name: two names are the same if their results are equal. */
  fold(name: string): string;
}

/** Every entry below the root, directories before their contents. A directory that cannot be read is not reported. */
export async function* walkTree(
  tree: Tree,
  limits: IsoLimits,
  signal?: AbortSignal,
): AsyncGenerator<ImageEntry, void, undefined> {
  const budget = new Budget(limits);
  const open = [{ directory: tree.root, list: await tree.list(tree.root, budget, signal), next: 0 }];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    signal?.throwIfAborted();
    const entry = top.list.records[top.next++];
    if (entry === undefined) {
      if (top.list.failure !== undefined) throw top.list.failure;
      open.pop();
      continue;
    }
    budget.spendEntry(entry.recordOffset);
    if (entry.kind === 'directory') {
      refuseLoop(
        open.map(({ directory }) => directory),
        entry,
      );
      budget.checkDepth(open.length, entry.recordOffset);
      open.push({ directory: entry, list: await tree.list(entry, budget, signal), next: 0 });
    }
    yield entry;
  }
}

function refuseLoop(ancestors: readonly ImageEntry[], directory: ImageEntry): void {
  const place = directoryOffset(directory);
  if (directory.size > 0 && ancestors.some((ancestor) => directoryOffset(ancestor) === place)) {
    throw new IsoError('ISO_LOOP', `directory ${directory.path} contains itself`, { offset: directory.recordOffset });
  }
}

/** The entry at `path`; the first one if several have the same name. */
export async function findEntry(
  tree: Tree,
  path: string,
  limits: IsoLimits,
  signal?: AbortSignal,
): Promise<ImageEntry> {
  const components = pathComponents(path);
  const name = components.pop();
  if (name === undefined) return tree.root;
  const budget = new Budget(limits);
  let directory = tree.root;
  for (const component of components) {
    const found = await findChild(tree, directory, component, budget, signal);
    if (found === undefined) {
      throw new IsoError('ISO_NOT_FOUND', `intermediate directory ${component} does not exist`);
    }
    if (found.kind !== 'directory') {
      throw new IsoError('ISO_NOT_FOUND', `component ${quoteText(component)} in path ${path} is not a directory`);
    }
    directory = found;
  }
  const found = await findChild(tree, directory, name, budget, signal);
  if (found !== undefined) return found;
  throw new IsoError('ISO_NOT_FOUND', `no record for ${name} in directory ${components.join('/')}`);
}

async function findChild(
  tree: Tree,
  directory: ImageEntry,
  name: string,
  budget: Budget,
  signal: AbortSignal | undefined,
): Promise<ImageEntry | undefined> {
  const { records, failure } = await listInContext(tree, directory, budget, signal);
  const wanted = tree.fold(name);
  const found = records.find((entry) => tree.fold(entry.name) === wanted);
  if (found === undefined && failure !== undefined) throw failure;
  return found;
}

async function listInContext(
  tree: Tree,
  directory: ImageEntry,
  budget: Budget,
  signal: AbortSignal | undefined,
): Promise<RecordList<ImageEntry>> {
  try {
    return await tree.list(directory, budget, signal);
  } catch (error) {
    throw withContext(error, `listing directory ${directory.name}`);
  }
}
