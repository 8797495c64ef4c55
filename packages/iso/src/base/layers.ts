// Finds files of a container image in the stream of its layers. Nothing is unpacked to disk or kept in memory.
import type { TarHeader } from 'modern-tar';
import { concatBytes, type OwnBytes } from '../bytes/source.ts';
import { IsoError } from '../errors.ts';
import { ARCHITECTURES, type Architecture } from '../live/architecture.ts';
import { formatReference, type ImageReference, parseReference } from './reference.ts';
import { type Blob, descriptorsIn, type FoundManifest, type Registry } from './registry.ts';
import { unpackLayer } from './unpack-layer.ts';

/** Go's names of architectures, which registries use. */
const GO_NAMES: Readonly<Record<Architecture, string>> = {
  x86_64: 'amd64',
  aarch64: 'arm64',
  ppc64le: 'ppc64le',
  s390x: 's390x',
};

/** The architecture by either of its names. */
export function architectureNamed(name: string): Architecture | undefined {
  return ARCHITECTURES.find((each) => each === name || GO_NAMES[each] === name);
}

/** A container image for one architecture. */
export interface ContainerImage {
  readonly place: ImageReference;
  readonly digest: string;
  /** From the bottom up. */
  readonly layers: readonly Blob[];
}

/** No known tool nests lists. */
const DEEPEST = 2;
/** Overlay file systems mount at most 500 layers; container engines make at most 127. */
const MOST_LAYERS = 500;
/** Maximum number of a list's architectures in an error. */
const MOST_TOLD = 20;

/** Opens the image of a name; from a list, the member for `architecture`. */
export async function openImage(registry: Registry, name: string, architecture: Architecture): Promise<ContainerImage> {
  let found = await registry.manifest(parseReference(name));
  for (let depth = 0; depth < DEEPEST && Array.isArray(found.value['manifests']); depth++) {
    found = await registry.manifest({ ...found.place, digest: memberFor(found, name, architecture) });
  }
  const { place, digest, value } = found;
  const listed: unknown = value['layers'];
  const layers = descriptorsIn(listed).flatMap(({ digest, size }) => (isSize(size) ? [{ digest, size }] : []));
  if (!Array.isArray(listed) || layers.length !== listed.length) {
    throw new IsoError('ISO_UNSUPPORTED', `the manifest of ${formatReference(place)} has an unknown type`);
  }
  if (layers.length > MOST_LAYERS) {
    throw new IsoError('ISO_LIMIT', `${formatReference(place)} has ${layers.length} layers, more than ${MOST_LAYERS}`);
  }
  return { place, digest, layers };
}

function isSize(size: unknown): size is number | undefined {
  return size === undefined || (Number.isSafeInteger(size) && Number(size) >= 0);
}

function memberFor({ value }: FoundManifest, name: string, architecture: Architecture): string {
  const members = descriptorsIn(value['manifests']).map(({ digest, platform }) => ({
    digest,
    ...(platform as { readonly architecture?: unknown; readonly os?: unknown } | undefined),
  }));
  const fitting = members.find(({ architecture: machine, os }) => machine === GO_NAMES[architecture] && os === 'linux');
  if (fitting !== undefined) return fitting.digest;
  const machines = [...new Set(members.map(({ architecture: machine }) => String(machine)))];
  const there = [...machines.slice(0, MOST_TOLD), ...(machines.length > MOST_TOLD ? ['…'] : [])].join(', ');
  throw new IsoError('ISO_NOT_FOUND', `${name} has no image for ${GO_NAMES[architecture]}, but for ${there}`);
}

/**
 * A file of a container image as it streams in. Its last bytes are withheld until the digest of its layer is verified.
 */
export interface LayerFile {
  readonly path: string;
  readonly size: number;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** The layer has a later entry for the same file. The last entry wins, as when unpacking. */
export class SupersededFileError extends IsoError {
  constructor(path: string, digest: string) {
    super('ISO_BAD_ARCHIVE', `layer ${digest} has ${path} more than once, and a later one counts: read it again`);
  }
}

/** Finds files in the streamed layers of images. */
export class Layers {
  readonly #registry: Registry;
  /** The number of the entry that counts for a path in a layer, if it is known not to be the first. */
  readonly #last = new Map<string, number>();

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /**
   * The file at a path, from the topmost layer that has it; `undefined` if the image has none. Reading it fails with
   * `SupersededFileError` if its layer has a later entry for it, which the next call finds.
   */
  async find(image: ContainerImage, path: string): Promise<LayerFile | undefined> {
    // A layer hides the files of the layers below it.
    for (const layer of [...image.layers].reverse()) {
      const found = await this.#findIn(image.place, layer, path);
      if (found === 'removed') return undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Reads a small file completely. */
  async readSmall(image: ContainerImage, path: string, limit: number): Promise<OwnBytes | undefined> {
    for (;;) {
      const file = await this.find(image, path);
      if (file === undefined) return undefined;
      if (file.size > limit)
        throw new IsoError('ISO_LIMIT', `${path} has ${file.size} bytes, and at most ${limit} are read`);
      const chunks: Uint8Array[] = [];
      try {
        for await (const chunk of file.bytes) chunks.push(chunk);
        return concatBytes(chunks);
      } catch (error) {
        if (!(error instanceof SupersededFileError)) throw error;
      }
    }
  }

  async #findIn(place: ImageReference, layer: Blob, path: string): Promise<LayerFile | 'removed' | undefined> {
    const { digest } = layer;
    const { createTarDecoder } = await import('modern-tar');
    const { stream, verified } = this.#registry.blob(place, layer);
    const damaged = (cause: unknown): never => {
      throw cause instanceof IsoError
        ? cause
        : new IsoError('ISO_BAD_ARCHIVE', `layer ${digest} is damaged`, { cause });
    };
    const tar = await unpackLayer(stream).catch(damaged);
    const entries = tar.pipeThrough(createTarDecoder({ strict: true })).getReader();
    const leave = (): void => void entries.cancel().catch(() => undefined);
    const whiteouts = whiteoutsOf(path);
    const key = `${digest} ${path}`;
    let [count, isHidden]: [count: number, isHidden: boolean] = [0, false];
    let last: EntryEffect | undefined;
    /** Reads to the end of the layer, where its digest is known. */
    const finish = async (): Promise<void> => {
      const own = count++;
      for (let next = await entries.read(); !next.done; next = await entries.read()) {
        await drain(next.value.body);
        if (effectOn(path, next.value.header) !== undefined) count++;
      }
      await verified;
      if (count === own + 1) return;
      this.#last.set(key, count - 1);
      throw new SupersededFileError(path, digest);
    };
    try {
      for (let next = await entries.read(); !next.done; next = await entries.read()) {
        const { header, body } = next.value;
        const bearing = effectOn(path, header);
        if (bearing === 'file' && count === (this.#last.get(key) ?? count)) {
          return { path, size: header.size, bytes: withholdLastChunk(body, { finish, leave, damaged }) };
        }
        await drain(body);
        isHidden ||= whiteouts.includes(normalizePath(header.name));
        if (bearing === undefined) continue;
        last = bearing;
        count++;
      }
      await verified;
    } catch (error) {
      return damaged(error);
    }
    if (last === 'irregular')
      throw new IsoError('ISO_UNSUPPORTED', `${path} in layer ${digest} is not a regular file, or is below a link`);
    return isHidden || last === 'gone' ? 'removed' : undefined;
  }
}

/**
 * The effect of a layer's entry on the file at a path: the entry is that file, has its name but another type, or
 * replaces a directory above it.
 */
type EntryEffect = 'file' | 'irregular' | 'gone';

function effectOn(path: string, header: TarHeader): EntryEffect | undefined {
  const name = normalizePath(header.name);
  if (name === path) return header.type === 'file' && !isSparse(header) ? 'file' : 'irregular';
  if (!path.startsWith(`${name}/`) || name === '' || header.type === 'directory') return undefined;
  return header.type === 'symlink' ? 'irregular' : 'gone';
}

/** GNU tar stores a sparse file as a map and the data between the holes. */
function isSparse({ pax = {} }: TarHeader): boolean {
  return Object.keys(pax).some((key) => key.startsWith('GNU.sparse'));
}

/** The name of an entry as a path from the root, however it is spelled. */
function normalizePath(name: string): string {
  const parts: string[] = [];
  for (const part of name.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.map((part) => `/${part}`).join('');
}

/**
 * Entries by which a layer removes a file of the layers below, or a folder above it. The layer's own files stay (OCI
 * image layer, "Whiteouts").
 */
function whiteoutsOf(path: string): string[] {
  return [...path.matchAll(/\/([^/]+)/g)].flatMap(({ index, 1: part }) => {
    const above = path.slice(0, index);
    return [`${above}/.wh.${part}`, `${above}/.wh..wh..opq`];
  });
}

/** The decoder reads ahead: cancelling a body would lose bytes of the next one. */
async function drain(body: ReadableStream<Uint8Array>): Promise<void> {
  const reader = body.getReader();
  while (!(await reader.read()).done);
}

interface StreamCallbacks {
  finish(): Promise<void>;
  /** Skips the rest of the layer. */
  leave(): void;
  damaged(cause: unknown): never;
}

async function* withholdLastChunk(
  body: ReadableStream<Uint8Array>,
  ends: StreamCallbacks,
): AsyncGenerator<Uint8Array, void> {
  const reader = body.getReader();
  let held: Uint8Array | undefined;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (held !== undefined) yield held;
      held = next.value;
    }
    await ends.finish();
  } catch (error) {
    ends.damaged(error);
  } finally {
    ends.leave();
  }
  if (held !== undefined) yield held;
}
