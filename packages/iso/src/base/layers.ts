// Files of a container image, found while its layers stream by: nothing is unpacked, nothing is kept.
import { concatBytes, type OwnBytes } from '../bytes/source.ts';
import { IsoError } from '../errors.ts';
import { ARCHITECTURES, type Architecture } from '../live/architecture.ts';
import { formatReference, type ImageReference, parseReference } from './reference.ts';
import { descriptorsIn, type FoundManifest, type Registry } from './registry.ts';

/** What Go, and so every registry, calls machines. */
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
  /** Digests, the lowest first. */
  readonly layers: readonly string[];
}

/** A list in a list is not made by anybody. */
const DEEPEST = 2;

/** The image that a name stands for; of a list the member for `architecture`. */
export async function openImage(registry: Registry, name: string, architecture: Architecture): Promise<ContainerImage> {
  let found = await registry.manifest(parseReference(name));
  for (let depth = 0; depth < DEEPEST && Array.isArray(found.value['manifests']); depth++) {
    found = await registry.manifest({ ...found.place, digest: memberFor(found, name, architecture) });
  }
  const { place, digest, value } = found;
  const layers = descriptorsIn(value['layers']);
  if (!Array.isArray(value['layers']) || layers.length !== value['layers'].length) {
    throw new IsoError(
      'ISO_UNSUPPORTED',
      `the manifest of ${formatReference(place)} is of a kind that is not known here`,
    );
  }
  return { place, digest, layers: layers.map((layer) => layer.digest) };
}

function memberFor({ value }: FoundManifest, name: string, architecture: Architecture): string {
  const members = descriptorsIn(value['manifests']).map(({ digest, platform }) => ({
    digest,
    ...(platform as { readonly architecture?: unknown; readonly os?: unknown } | undefined),
  }));
  const fitting = members.find(({ architecture: machine, os }) => machine === GO_NAMES[architecture] && os === 'linux');
  if (fitting !== undefined) return fitting.digest;
  const there = members.map(({ architecture: machine }) => String(machine)).join(', ');
  throw new IsoError('ISO_NOT_FOUND', `${name} has no image for ${GO_NAMES[architecture]}, but for ${there}`);
}

/** A file of a container image while it comes. Its last bytes are held back until its layer was found to be what its digest says. */
export interface LayerFile {
  readonly path: string;
  readonly size: number;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** The first file of `paths` that the image has, in the layer that counts; `undefined` where it has none. */
export async function findFile(
  registry: Registry,
  image: ContainerImage,
  paths: readonly string[],
): Promise<LayerFile | undefined> {
  // What a layer has hides what those below it have.
  for (const digest of [...image.layers].reverse()) {
    const found = await findInLayer(registry, image.place, digest, paths);
    if (found === 'removed') return undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A small file, whole. */
export async function readSmallFile(file: LayerFile, limit: number): Promise<OwnBytes> {
  if (file.size > limit)
    throw new IsoError('ISO_LIMIT', `${file.path} has ${file.size} bytes, and at most ${limit} are read`);
  const chunks: Uint8Array[] = [];
  for await (const chunk of file.bytes) chunks.push(chunk);
  return concatBytes(chunks);
}

async function findInLayer(
  registry: Registry,
  place: ImageReference,
  digest: string,
  paths: readonly string[],
): Promise<LayerFile | 'removed' | undefined> {
  const { createTarDecoder } = await import('modern-tar');
  const { stream, verified } = registry.blob(place, digest);
  const damaged = (cause: unknown): never => {
    throw cause instanceof IsoError ? cause : new IsoError('ISO_BAD_ARCHIVE', `layer ${digest} is damaged`, { cause });
  };
  const entries = (await unpacked(stream).catch(damaged)).pipeThrough(createTarDecoder({ strict: true })).getReader();
  /** To the end of the layer, whose digest is known only then. */
  const finish = async (): Promise<void> => {
    for (let next = await entries.read(); !next.done; next = await entries.read()) await drain(next.value.body);
    await verified;
  };
  const leave = (): void => void entries.cancel().catch(() => undefined);
  const removals = paths.flatMap(removalsOf);
  try {
    for (let next = await entries.read(); !next.done; next = await entries.read()) {
      const { header, body } = next.value;
      const path = `/${header.name.replace(/^(?:\.?\/)+/, '')}`;
      if (!paths.includes(path)) {
        await drain(body);
        if (!removals.includes(path)) continue;
        await finish();
        return 'removed';
      }
      if (header.type !== 'file')
        throw new IsoError('ISO_UNSUPPORTED', `${path} in layer ${digest} is no regular file`);
      return { path, size: header.size, bytes: heldBack(body, { finish, leave, damaged }) };
    }
    await verified;
    return undefined;
  } catch (error) {
    return damaged(error);
  }
}

/** How a layer says that a file, or a folder above it, of the layers below is gone (OCI image layer, "Whiteouts"). */
function removalsOf(path: string): string[] {
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

interface Ends {
  finish(): Promise<void>;
  /** The rest of the layer is not wanted. */
  leave(): void;
  damaged(cause: unknown): never;
}

async function* heldBack(body: ReadableStream<Uint8Array>, ends: Ends): AsyncGenerator<Uint8Array, void> {
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

const GZIP = [0x1f, 0x8b];
const ZSTD = [0x28, 0xb5, 0x2f, 0xfd];

/** The tar archive of a layer, told by its first bytes: media types are not always right. */
async function unpacked(stream: ReadableStream<Uint8Array>): Promise<ReadableStream<Uint8Array>> {
  const reader = stream.getReader();
  const { value: head = new Uint8Array(0) } = await reader.read();
  let isFirst = true;
  const whole = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (isFirst && head.length > 0) {
          isFirst = false;
          return controller.enqueue(head);
        }
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  const begins = (magic: readonly number[]): boolean => magic.every((byte, index) => head[index] === byte);
  // The types of the platform want what they give to be of one kind.
  if (begins(GZIP))
    return whole.pipeThrough(new DecompressionStream('gzip') as TransformStream<Uint8Array, Uint8Array>);
  return begins(ZSTD) ? whole.pipeThrough(await zstdDecoder()) : whole;
}

/** Its checksums are not looked at: the digest of the layer is. */
async function zstdDecoder(): Promise<TransformStream<Uint8Array, Uint8Array>> {
  const { Decompress } = await import('fzstd');
  let decoder: InstanceType<typeof Decompress>;
  return new TransformStream<Uint8Array, Uint8Array>({
    start(controller) {
      decoder = new Decompress((bytes) => controller.enqueue(bytes));
    },
    transform: (chunk) => decoder.push(chunk),
    flush: () => decoder.push(new Uint8Array(0), true),
  });
}
