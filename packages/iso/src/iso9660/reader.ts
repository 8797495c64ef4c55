import { checkArgument, checkOptions, checkWord } from '@coreiso/peers/arguments';
import { type Composition, compose, slice } from '../bytes/compose.ts';
import { type ByteSource, type ImageInput, sourceOf, withKept } from '../bytes/source.ts';
import { IsoError } from '../errors.ts';
import type { BootCatalog } from './el-torito.ts';
import type { ImageEntry } from './entry.ts';
import { FIRST_DESCRIPTOR_SECTOR, SECTOR } from './fields.ts';
import { Image, type Oddity } from './image.ts';
import { Budget, DEFAULT_LIMITS, type IsoLimits } from './limits.ts';
import type { Gpt } from './partitions/gpt.ts';
import type { Mbr } from './partitions/mbr.ts';
import { strictTree } from './strict-tree.ts';
import { findEntry, type IsoView, type Tree, walkTree } from './tree.ts';
import { readVolume, type Volume, type VolumeRules } from './volume.ts';

/** How to open an image. */
export interface OpenIsoOptions {
  /**
   * The default view of all calls (default: `natural`). `strict` also refuses the images that coreos-installer refuses.
   */
  readonly view?: IsoView | undefined;
  /** Limits of one look-up or walk, which refuse hostile images. */
  readonly limits?:
    | {
        /** Maximum number of entries in a walk. */
        readonly entries?: number;
        /** Maximum bytes of directories and continuation areas; each visit counts. */
        readonly bytes?: number;
        /** Maximum depth of directories. */
        readonly depth?: number;
      }
    | undefined;
  readonly signal?: AbortSignal | undefined;
}

type ViewOptions = Pick<OpenIsoOptions, 'view' | 'signal'>;

/** An ISO 9660 image. Directories are read on demand and cached. */
export interface Iso {
  readonly source: ByteSource;
  readonly volume: Volume;
  /** Harmless faults of the parts read so far. */
  readonly oddities: readonly {
    readonly message: string;
    /** Byte position in the image. */
    readonly offset: number;
  }[];
  /** Every entry below the root, directories before their contents, in on-disk order. */
  walk(options?: Pick<OpenIsoOptions, 'view' | 'signal'>): AsyncGenerator<ImageEntry, void, undefined>;
  /** The entry at a path; `ISO_NOT_FOUND` if there is none. */
  entry(path: string, options?: Pick<OpenIsoOptions, 'view' | 'signal'>): Promise<ImageEntry>;
  /** The entries of the directory at a path. */
  list(path: string, options?: Pick<OpenIsoOptions, 'view' | 'signal'>): Promise<readonly ImageEntry[]>;
  /** The contents of the file at a path. */
  file(path: string, options?: Pick<OpenIsoOptions, 'view' | 'signal'>): Promise<Composition>;
  /** The contents of an entry that was found before. */
  contents(entry: ImageEntry): Composition;
  /** The El Torito boot catalogue, if the image has one. */
  bootCatalog(options?: { readonly signal?: AbortSignal | undefined }): Promise<BootCatalog | undefined>;
  /** The partition tables of a hybrid image. */
  partitions(options?: {
    readonly signal?: AbortSignal | undefined;
  }): Promise<{ readonly mbr?: Mbr; readonly gpt?: Gpt }>;
}

/** The volume descriptors and, in real live images, all directories, which end before sector 36. */
const HEAD = { start: FIRST_DESCRIPTOR_SECTOR * SECTOR, end: 36 * SECTOR };

/**
 * Opens an image: reads its volume descriptors, nothing else.
 *
 * @example
 * ```ts
 * await using file = await fileSource('debian.iso');
 * const iso = await openIso(file);
 * for await (const { path, size } of iso.walk()) console.log(path, size);
 * ```
 */
export async function openIso(source: ImageInput, options: OpenIsoOptions = {}): Promise<Iso> {
  checkOptions(options, { view: 'text', limits: 'object', signal: 'signal' });
  checkView(options.view);
  return openByRules(source, options.view === 'strict' ? 'strict' : 'forgiving', options);
}

/** Opens an image with separate rules for the volume descriptors. */
export async function openByRules(source: ImageInput, rules: VolumeRules, options: OpenIsoOptions): Promise<Iso> {
  const whole = sourceOf(source);
  const image = new Image(withKept(whole, HEAD.start, HEAD.end));
  const volume = await readVolume(image, rules, options.signal);
  const iso = new IsoReader(whole, image, volume, options.view ?? 'natural', { ...DEFAULT_LIMITS, ...options.limits });
  heads.set(iso, image.source);
  return iso;
}

const heads = new WeakMap<Iso, ByteSource>();

/** The same image with its metadata at the beginning cached. For inspections, not for copies. */
export function withCachedHead(iso: Iso): ByteSource {
  return heads.get(iso) ?? iso.source;
}

const VIEWS: readonly IsoView[] = ['natural', 'strict', 'rock-ridge', 'joliet', 'plain'];

function checkView(view: IsoView | undefined): void {
  if (view !== undefined) checkWord('view', view, VIEWS);
}

class IsoReader implements Iso {
  readonly source: ByteSource;
  readonly volume: Volume;
  readonly oddities: readonly Oddity[];
  readonly #image: Image;
  readonly #view: IsoView;
  readonly #limits: IsoLimits;
  readonly #trees = new Map<IsoView, Tree>();

  constructor(source: ByteSource, image: Image, volume: Volume, view: IsoView, limits: IsoLimits) {
    this.source = source;
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
    checkArgument('path', path, 'text');
    return findEntry(await this.#tree(view, signal), path, this.#limits, signal);
  }

  async list(path: string, { view, signal }: ViewOptions = {}): Promise<readonly ImageEntry[]> {
    checkArgument('path', path, 'text');
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

  // Loaded on use: only some images have these, and edits of live images do not need them.
  async bootCatalog({ signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<BootCatalog | undefined> {
    return (await import('./el-torito.ts')).readBootCatalog(this.#image, this.volume, signal);
  }

  async partitions({ signal }: { readonly signal?: AbortSignal | undefined } = {}): ReturnType<Iso['partitions']> {
    return (await import('./partitions/tables.ts')).readPartitions(this.source, signal);
  }

  async #tree(view: IsoView = this.#view, signal: AbortSignal | undefined): Promise<Tree> {
    checkView(view);
    const known = this.#trees.get(view);
    if (known !== undefined) return known;
    const tree =
      view === 'strict'
        ? strictTree(this.#image, this.volume.primary.root)
        : await (await import('./natural-tree.ts')).openTree(this.#image, this.volume, view, this.#limits, signal);
    this.#trees.set(view, tree);
    return tree;
  }
}

function wrongKind(entry: ImageEntry, kind: string): IsoError {
  return new IsoError('ISO_WRONG_KIND', `entry ${entry.name} is a ${kind}`, { offset: entry.recordOffset });
}
