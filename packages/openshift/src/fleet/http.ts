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
import type { HostImages } from '../images/host-images.ts';
import type { Fleet } from './fleet.ts';
import { checkFleet } from './sink.ts';

/** Images that are kept: a few kilobytes of patches each. */
const KEPT = 4096;

/**
 * One handler for the images of a fleet, computed while they are read. It keeps nothing that another replica would need: whoever has
 * the same base, plan and secret gives the same bytes under the same entity tags. Further fleets are earlier plans: a download that
 * was begun under one of them, and says so (`If-Range`, `If-Match`), goes on with its bytes.
 *
 * @example
 * ```ts
 * const site = await fleetSite([fleet(base, plan), fleet(base, earlierPlan)], { secret });
 * createServer(nodeListener(site)).listen(8080);
 * ```
 */
export async function fleetSite(
  fleets: Fleet | readonly Fleet[],
  options: FileServerOptions = {},
): Promise<FileServer> {
  const all: readonly Fleet[] = Array.isArray(fleets) ? fleets : [fleets];
  for (const images of all) checkFleet(images);
  const sites: FileServer[] = [];
  for (const images of all) sites.push(createFileServer(await siteFiles(images), options));
  const [current, ...earlier] = sites;
  if (current === undefined) throw new TypeError('fleets must be what fleet returns, or several of them');
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

/** The files of a fleet under the names that `nodes image --per-host` gives them. */
async function siteFiles(fleet: Fleet): Promise<ServedFile[]> {
  const images = await fleet.open();
  const [first] = images.prefixes;
  // What one host has, all have.
  const suffixes =
    first === undefined ? [] : (await images.make(0)).outputs.map(({ name }) => name.slice(first.length));
  const kept = new KeptImages(images);
  return [
    ...images.shared.map(({ name, source }) => ({ name, open: () => source })),
    ...images.prefixes.flatMap((owner, position) =>
      suffixes.map((suffix) => {
        const name = `${owner}${suffix}`;
        const type = name.endsWith('.ipxe') ? { type: 'text/plain' } : {};
        return { name, owner, ...type, open: () => kept.file(position, name) };
      }),
    ),
  ];
}

/** Images that were asked for lately; the others are made again. */
class KeptImages {
  readonly #images: HostImages;
  readonly #kept = new Map<number, ReturnType<HostImages['make']>>();

  constructor(images: HostImages) {
    this.#images = images;
  }

  async file(position: number, name: string): Promise<ByteSource> {
    const making = this.#kept.get(position) ?? this.#images.make(position);
    making.catch(() => this.#kept.delete(position));
    this.#kept.delete(position);
    this.#kept.set(position, making);
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined && this.#kept.size > KEPT) this.#kept.delete(oldest);
    const { outputs } = await making;
    const found = outputs.find((output) => output.name === name);
    if (found === undefined) throw new Error(`there is no ${name} of this host`);
    return found.source;
  }
}
