import type { ByteSource } from '@coreiso/iso';
import {
  type Answer,
  createFileServer,
  type FileServer,
  type FileServerOptions,
  type PlainRequest,
  responseOf,
  type ServedFile,
} from '@coreiso/iso/http';
import type { BuiltImage } from '../images/changes.ts';
import type { ImageSet } from '../images/image-set.ts';
import { checkImages } from './sink.ts';

/** Number of cached images: each has a few kilobytes of patches. */
const KEPT = 4096;

/**
 * One handler for images of a plan, computed while they are read. It has no state: replicas with the same base, plan and secret
 * serve the same bytes under the same entity tags. Further sets are of earlier plans, so that a download begun under one of them
 * (`If-Range`, `If-Match`) continues with its bytes.
 *
 * @example
 * ```ts
 * const server = await imageServer([await openImages(base, plan), await openImages(base, earlierPlan)], { secret });
 * createServer(nodeListener(server)).listen(8080);
 * ```
 */
export async function imageServer(
  sets: ImageSet | readonly ImageSet[],
  options: FileServerOptions = {},
): Promise<FileServer> {
  const all: readonly ImageSet[] = Array.isArray(sets) ? sets : [sets];
  for (const images of all) checkImages(images);
  const sites: FileServer[] = [];
  for (const images of all) sites.push(createFileServer(await servedFiles(images), options));
  const [current, ...earlier] = sites;
  if (current === undefined) throw new TypeError('sets must be what openImages returns, or several of them');
  const answeredBy = new WeakMap<Answer, FileServer>();
  const ask = async (site: FileServer, request: PlainRequest): Promise<Answer> => {
    const answer = await site.answer(request);
    answeredBy.set(answer, site);
    return answer;
  };
  const answer = async (request: PlainRequest): Promise<Answer> => {
    const newest = await ask(current, request);
    const wanted = request.headers.get('if-range') ?? request.headers.get('if-match');
    if (wanted === null || wanted === newest.headers['etag']) return newest;
    for (const site of earlier) {
      const old = await ask(site, request);
      if (old.headers['etag'] === wanted) return old;
    }
    return newest;
  };
  return {
    paths: current.paths,
    index: current.index,
    flush(before) {
      for (const site of sites) site.flush(before);
    },
    onEnd(delivery) {
      (answeredBy.get(delivery.answer) ?? current).onEnd(delivery);
    },
    answer,
    handler: async (request) => responseOf(await answer(request), request.signal),
  };
}

/**
 * The files of a set, under the same names as in a directory, for a file server: shared files first, then those of each image. An
 * image is made when one of its files is requested; only the first is made at once, to learn which files an image has.
 *
 * @example const server = createFileServer(await servedFiles(await openImages(base, plan, { perHost: true })))
 */
export async function servedFiles(images: ImageSet): Promise<ServedFile[]> {
  checkImages(images);
  const [first] = images.names;
  const kept = new KeptImages(images);
  // Not cached: the address of its files may be known only once a server runs.
  const probe = first === undefined ? [] : (await images.build(0)).outputs;
  const suffixes = probe.map(({ name }) => name.slice(first?.length));
  return [
    ...images.shared.map(({ name, source }) => ({ name, open: () => source })),
    ...images.names.flatMap((owner, position) =>
      suffixes.map((suffix) => {
        const name = `${owner}${suffix}`;
        const type = name.endsWith('.ipxe') ? { type: 'text/plain' } : {};
        return { name, owner, ...type, open: () => kept.file(position, name) };
      }),
    ),
  ];
}

/** The most recently requested images; others are made again. */
class KeptImages {
  readonly #images: ImageSet;
  readonly #kept = new Map<number, Promise<BuiltImage>>();

  constructor(images: ImageSet) {
    this.#images = images;
  }

  async file(position: number, name: string): Promise<ByteSource> {
    const making = this.#kept.get(position) ?? this.#images.build(position);
    making.catch(() => this.#kept.delete(position));
    this.#kept.delete(position);
    this.#kept.set(position, making);
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined && this.#kept.size > KEPT) this.#kept.delete(oldest);
    const { outputs } = await making;
    const found = outputs.find((output) => output.name === name);
    if (found === undefined) throw new Error(`there is no ${name} of this image`);
    return found.source;
  }
}
