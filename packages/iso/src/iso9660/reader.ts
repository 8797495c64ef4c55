import { type Composition, compose, slice } from '../bytes/compose.ts';
import type { ByteSource } from '../bytes/source.ts';
import { IsoError } from '../errors.ts';
import { type BootCatalog, readBootCatalog } from './el-torito.ts';
import type { ImageEntry } from './entry.ts';
import { SECTOR } from './fields.ts';
import { Image, type Oddity } from './image.ts';
import { Budget, DEFAULT_LIMITS, type IsoLimits } from './limits.ts';
import { jolietTree, plainTree, rockRidgeTree } from './natural-tree.ts';
import { type PartitionTables, readPartitions } from './partitions/tables.ts';
import { strictTree } from './strict-tree.ts';
import { findEntry, type Tree, walkTree } from './tree.ts';
import { readVolume, type SupplementaryDescriptor, type Volume } from './volume.ts';

/**
 * Whose names are used. `natural` takes the best of `rock-ridge`, `joliet` and `plain` that the image has; `strict` reads
 * the primary tree exactly as coreos-installer does.
 */
export type IsoView = 'natural' | 'strict' | 'rock-ridge' | 'joliet' | 'plain';

export interface ViewOptions {
  readonly view?: IsoView;
  readonly signal?: AbortSignal;
}

export interface OpenIsoOptions extends ViewOptions {
  /** The view used where a call names none (default `natural`). `strict` also refuses what coreos-installer refuses. */
  readonly view?: IsoView;
  readonly limits?: Partial<IsoLimits>;
}

/** An ISO 9660 image. Directories are read when they are needed, and kept. */
export interface Iso {
  readonly source: ByteSource;
  readonly volume: Volume;
  /** What was wrong with the parts read so far without standing in the way. */
  readonly oddities: readonly Oddity[];
  /** Every entry below the root, directories before their contents, in on-disk order. */
  walk(options?: ViewOptions): AsyncGenerator<ImageEntry, void, undefined>;
  /** The entry at a path; `ISO_NOT_FOUND` if there is none. */
  entry(path: string, options?: ViewOptions): Promise<ImageEntry>;
  /** The entries of the directory at a path. */
  list(path: string, options?: ViewOptions): Promise<readonly ImageEntry[]>;
  /** The contents of the file at a path. */
  file(path: string, options?: ViewOptions): Promise<Composition>;
  /** The contents of an entry that was found before. */
  contents(entry: ImageEntry): Composition;
  /** The El Torito boot catalogue, if the image has one. */
  bootCatalog(options?: { readonly signal?: AbortSignal }): Promise<BootCatalog | undefined>;
  /** The partition tables of a hybrid image. */
  partitions(options?: { readonly signal?: AbortSignal }): Promise<PartitionTables>;
}

/** Opens an image: reads its volume descriptors, nothing else. */
export async function openIso(source: ByteSource, options: OpenIsoOptions = {}): Promise<Iso> {
  const image = new Image(source);
  const view = options.view ?? 'natural';
  const volume = await readVolume(image, view === 'strict' ? 'strict' : 'forgiving', options.signal);
  return new IsoReader(image, volume, view, { ...DEFAULT_LIMITS, ...options.limits });
}

class IsoReader implements Iso {
  readonly source: ByteSource;
  readonly volume: Volume;
  readonly oddities: readonly Oddity[];
  readonly #image: Image;
  readonly #view: IsoView;
  readonly #limits: IsoLimits;
  readonly #trees = new Map<IsoView, Tree>();

  constructor(image: Image, volume: Volume, view: IsoView, limits: IsoLimits) {
    this.source = image.source;
    this.volume = volume;
    this.oddities = image.oddities;
    this.#image = image;
    this.#view = view;
    this.#limits = limits;
  }

  async *walk({ view, signal }: ViewOptions = {}): AsyncGenerator<ImageEntry, void, undefined> {
    yield* walkTree(await this.#tree(view, signal), this.#limits, signal);
  }

  async entry(path: string, { view, signal }: ViewOptions = {}): Promise<ImageEntry> {
    return findEntry(await this.#tree(view, signal), path, this.#limits, signal);
  }

  async list(path: string, { view, signal }: ViewOptions = {}): Promise<readonly ImageEntry[]> {
    const tree = await this.#tree(view, signal);
    const directory = await findEntry(tree, path, this.#limits, signal);
    if (directory.kind !== 'directory') throw wrongKind(directory, 'file');
    const { records, failure } = await tree.list(directory, new Budget(this.#limits), signal);
    if (failure !== undefined) throw failure;
    return records;
  }

  async file(path: string, options: ViewOptions = {}): Promise<Composition> {
    return this.contents(await this.entry(path, options));
  }

  contents(entry: ImageEntry): Composition {
    if (entry.kind === 'directory') throw wrongKind(entry, 'directory');
    if (entry.kind !== 'file') throw wrongKind(entry, entry.kind === 'symlink' ? 'symbolic link' : 'special file');
    const place = { offset: entry.recordOffset };
    if (entry.stored) throw new IsoError('ISO_UNSUPPORTED', `file ${entry.name} is ${entry.stored}`, place);
    return compose(
      entry.extents.map(({ offset, length }) => {
        if (length > 0 && offset + length > this.source.size) {
          throw new IsoError('ISO_BAD_EXTENT', `file ${entry.name} lies outside the image`, place);
        }
        return length > 0 ? slice(this.source, offset, length) : new Uint8Array(0);
      }),
    );
  }

  bootCatalog({ signal }: { readonly signal?: AbortSignal } = {}): Promise<BootCatalog | undefined> {
    return readBootCatalog(this.#image, this.volume, signal);
  }

  partitions({ signal }: { readonly signal?: AbortSignal } = {}): Promise<PartitionTables> {
    return readPartitions(this.source, signal);
  }

  async #tree(view: IsoView = this.#view, signal: AbortSignal | undefined): Promise<Tree> {
    const known = this.#trees.get(view);
    if (known !== undefined) return known;
    const tree = await this.#openTree(view, signal);
    this.#trees.set(view, tree);
    return tree;
  }

  async #openTree(view: IsoView, signal: AbortSignal | undefined): Promise<Tree> {
    const { root, blockSize, offset } = this.volume.primary;
    if (view === 'strict') return strictTree(this.#image, root);
    if (blockSize !== SECTOR) {
      throw new IsoError('ISO_UNSUPPORTED', `logical blocks of ${blockSize} bytes are not supported`, { offset });
    }
    const tree = view === 'plain' ? undefined : view === 'joliet' ? this.#joliet() : await this.#rockRidge(signal);
    if (tree !== undefined) return tree;
    if (view === 'rock-ridge') throw new IsoError('ISO_NOT_FOUND', 'the image has no Rock Ridge names');
    if (view === 'joliet') throw new IsoError('ISO_NOT_FOUND', 'the image has no Joliet names');
    return (view === 'natural' ? this.#joliet() : undefined) ?? plainTree(this.#image, root);
  }

  #rockRidge(signal: AbortSignal | undefined): Promise<Tree | undefined> {
    return rockRidgeTree(this.#image, this.volume.primary.root, new Budget(this.#limits), signal);
  }

  #joliet(): Tree | undefined {
    const descriptor = this.volume.descriptors.find(
      (candidate): candidate is SupplementaryDescriptor => candidate.type === 'supplementary' && 'joliet' in candidate,
    );
    return descriptor?.joliet && jolietTree(this.#image, descriptor.joliet.root);
  }
}

function wrongKind(entry: ImageEntry, kind: string): IsoError {
  return new IsoError('ISO_WRONG_KIND', `entry ${entry.name} is a ${kind}`, { offset: entry.recordOffset });
}
