// Files of a container image, found while its layers stream by: nothing is unpacked, nothing is kept.
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

/** The machine by the name that image files have, from either name. */
export function architectureNamed(name: string): Architecture | undefined {
  return ARCHITECTURES.find((each) => each === name || GO_NAMES[each] === name);
}

/** A container image for one machine. */
export interface ContainerImage {
  readonly place: ImageReference;
  readonly digest: string;
  /** The lowest first. */
  readonly layers: readonly Blob[];
}

/** A list in a list is not made by anybody. */
const DEEPEST = 2;
/** Overlay file systems mount 500 layers at most, and container engines make 127. */
const MOST_LAYERS = 500;
/** How many of the machines that a list has are told. */
const MOST_TOLD = 20;

/** The image that a name stands for; of a list the member for `architecture`. */
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

/** A file of a container image while it comes. Its last bytes are held back until its layer was found to be what its digest says. */
export interface LayerFile {
  readonly path: string;
  readonly size: number;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** The layer has the file again, further on, and the last one counts, as where a layer is unpacked. */
export class SupersededFileError extends IsoError {
  constructor(path: string, digest: string) {
    super('ISO_BAD_ARCHIVE', `layer ${digest} has ${path} more than once, and a later one counts: read it again`);
  }
}

/** Files in the layers of images, found while the layers stream by. */
export class Layers {
  readonly #registry: Registry;
  /** Which entry about a path in a layer counts, where it was seen that it is not the first. */
  readonly #last = new Map<string, number>();

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /**
   * The file at a path, from the layer that counts; `undefined` where the image has none. Reading it fails with
   * `SupersededFileError` where a later one in its layer counts; that one is found the next time.
   */
  async find(image: ContainerImage, path: string): Promise<LayerFile | undefined> {
    // What a layer has hides what those below it have.
    for (const layer of [...image.layers].reverse()) {
      const found = await this.#findIn(image.place, layer, path);
      if (found === 'removed') return undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** A small file, whole. */
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
    /** To the end of the layer, whose digest is known only then. */
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
 * The effect of a layer's entry on the file at a path: it is that file, something else with its name, or it replaces a directory
 * above it.
 */
type EntryEffect = 'file' | 'irregular' | 'gone';

function effectOn(path: string, header: TarHeader): EntryEffect | undefined {
  const name = normalizePath(header.name);
  if (name === path) return header.type === 'file' && !isSparse(header) ? 'file' : 'irregular';
  if (!path.startsWith(`${name}/`) || name === '' || header.type === 'directory') return undefined;
  return header.type === 'symlink' ? 'irregular' : 'gone';
}

/** GNU tar stores files with holes as a map and what lies between them. */
function isSparse({ pax = {} }: TarHeader): boolean {
  return Object.keys(pax).some((key) => key.startsWith('GNU.sparse'));
}

/** The name of an entry as a path from the root, whatever its spelling. */
function normalizePath(name: string): string {
  const parts: string[] = [];
  for (const part of name.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.map((part) => `/${part}`).join('');
}

/**
 * How a layer says that a file, or a folder above it, of the layers below is gone. What the layer itself has stays (OCI
 * image layer, "Whiteouts").
 */
function whiteoutsOf(path: string): string[] {
  return [...path.matchAll(/\/([^/]+)/g)].flatMap(({ index, 1: part }) => {
    const above = path.slice(0, index);
    return [`${above}/.wh.${part}`, `${above}/.wh..wh..opq`];
  });
}

/** The decoder is ahead of its reader: cancelling one body would take the next one its bytes. */
async function drain(body: ReadableStream<Uint8Array>): Promise<void> {
  const reader = body.getReader();
  while (!(await reader.read()).done);
}

interface StreamCallbacks {
  finish(): Promise<void>;
  /** The rest of the layer is not wanted. */
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
