import type { Region } from '../bytes/region.ts';
import { IsoError } from '../errors.ts';
import type { BootCatalog } from '../iso9660/el-torito.ts';
import { readPartitions } from '../iso9660/partitions/tables.ts';
import type { Iso } from '../iso9660/reader.ts';
import { type BootAreas, judgeInitrdArea, judgeKargsAreas, type ReservedRegion } from './areas.ts';
import type { BootContext, LoaderChoice, ProofOptions } from './boot-context.ts';
import { type BootProof, type Boots, type BootWay, Chain, messageOf, verdictOf } from './links.ts';
import { type BootFile, isoPlace, isStandIn } from './places.ts';
import { judgeAreaContent, unpackTree } from './system/initramfs.ts';
import { judgeKernel } from './system/kernel.ts';
import { argumentWords, judgeIgnition, judgeRoot } from './system/live-system.ts';
import { judgeInit } from './system/program.ts';
import type { Tree } from './system/tree.ts';
import { waysOf } from './ways.ts';

const IGNINFO = '/coreos/igninfo.json';

/** Follows every way in which firmware can start the image. */
export async function proveBoot(iso: Iso, areas: BootAreas, options: ProofOptions): Promise<BootProof> {
  try {
    return await follow(iso, areas, options);
  } catch (error) {
    if (!(error instanceof IsoError)) throw error;
    // Without a readable root directory, no loader finds its files.
    return { verdict: 'broken', ways: [unreadable('bios', error), unreadable('uefi', error)] };
  }
}

function unreadable(firmware: BootWay['firmware'], error: IsoError): BootWay {
  const { offset } = error;
  const link = {
    name: 'volume',
    state: 'broken',
    detail: messageOf(error),
    ...(offset === undefined ? {} : { offset }),
  } as const;
  return { firmware, medium: 'cd', verdict: 'broken', links: [link] };
}

async function follow(iso: Iso, areas: BootAreas, options: ProofOptions): Promise<BootProof> {
  const { source } = iso;
  const { signal } = options;
  const [catalog, catalogProblem] = await catalogOf(iso, signal);
  const grounds: BootContext = {
    iso,
    source,
    place: await isoPlace(iso, signal),
    areas,
    catalog,
    catalogProblem,
    tables: await readPartitions(source, signal),
    options,
    trees: new Map(),
  };
  const ways: BootWay[] = [];
  for (const way of await waysOf(grounds)) {
    const { firmware, medium } = way;
    const chain = new Chain();
    let boots: Boots | undefined;
    await chain.follow(async () => {
      judgeVolume(chain, grounds);
      await way.follow(chain, async (choice) => {
        await judgeChoice(chain, grounds, choice, (found) => {
          boots = found;
        });
      });
    });
    ways.push({ firmware, medium, verdict: chain.verdict, links: chain.links, ...(boots && { boots }) });
  }
  return { verdict: verdictOf(ways.map(({ verdict }) => verdict)), ways };
}

async function catalogOf(
  iso: Iso,
  signal: AbortSignal | undefined,
): Promise<[BootCatalog | undefined, IsoError | undefined]> {
  try {
    return [await iso.bootCatalog({ signal }), undefined];
  } catch (error) {
    if (!(error instanceof IsoError)) throw error;
    return [undefined, error];
  }
}

function judgeVolume(chain: Chain, { iso, source }: BootContext): void {
  chain.look('volume');
  const missing = iso.volume.spaceSize * 2048 - source.size;
  if (missing > 0) chain.fail(`the image is truncated: ${missing} bytes of its volume are missing`);
  chain.ok(iso.volume.volumeId);
}

async function judgeChoice(
  chain: Chain,
  grounds: BootContext,
  { loader, choice, again, occupied }: LoaderChoice,
  report: (boots: Boots) => void,
): Promise<void> {
  const { areas, options } = grounds;
  chain.look('menu');
  if (choice.unknown !== undefined) chain.leave(choice.unknown);
  if (choice.broken !== undefined) {
    if (choice.kernelPath !== undefined) chain.look(choice.kernel === undefined ? 'kernel' : 'initrds');
    chain.fail(choice.broken, choice.menus.at(-1)?.regions[0]?.offset);
  }
  chain.ok(`${loader} starts '${choice.title}' of ${choice.menus.map(({ path }) => path).join(', ')}`);
  const { kernel, initrds } = choice;
  if (kernel === undefined) return;
  const boots: Boots = { kernel: kernel.path, initrds: initrds.map(({ path }) => path), arguments: choice.arguments };
  report(boots);

  chain.look('kernel');
  const limits = await judgeKernel(chain, kernel, options.signal);
  if (limits === 'stand-in') await judgeStandIn(chain, grounds, kernel);
  if (limits !== 'stand-in' && new TextEncoder().encode(choice.arguments).length > limits.arguments) {
    chain.broken(`its arguments have ${choice.arguments.length} bytes, and it accepts ${limits.arguments}`);
  }
  chain.look('initrds');
  judgeInitrds(chain, initrds, kernel, areas.initrd);
  for (const file of initrds) {
    if (!containsArea(file, areas.initrd) && (await isStandIn(file, options.signal)))
      await judgeStandIn(chain, grounds, file);
  }
  chain.look('areas');
  const { problem } = areas;
  const isUnreadable = problem !== undefined && (await isDamage(grounds, problem));
  // Areas that hold different texts prevent edits, but not booting.
  if (isUnreadable && areas.kargs === undefined) chain.fail(messageOf(problem), problem.offset);
  else if (isUnreadable) chain.unknown(messageOf(problem));
  const needed = limits === 'stand-in' ? kernel.content.size : limits.size;
  const kernelRegions = reservedRegionsOf(kernel).map((region, index) =>
    index === 0 ? { ...region, length: Math.min(region.length, needed) } : region,
  );
  const menus = choice.menus.flatMap(reservedRegionsOf);
  const others = initrds.filter((file) => !containsArea(file, areas.initrd)).flatMap(reservedRegionsOf);
  judgeInitrdArea(chain, areas.initrd, initrds, [...occupied, ...kernelRegions, ...menus, ...others]);
  await judgeKargsAreas(chain, areas.kargs, choice, again, [
    ...occupied,
    ...kernelRegions,
    ...initrds.flatMap(reservedRegionsOf),
  ]);
  if (options.depth === 'structure') return;

  chain.look('initramfs');
  const words = argumentWords(choice.arguments);
  const tree = await treeOf(
    chain,
    grounds,
    initrds,
    limits === 'stand-in' ? undefined : { words, machines: limits.machines },
  );
  if (tree !== undefined && areas.initrd !== undefined) report({ ...boots, embedded: tree.embedded });
  if (tree !== undefined) {
    chain.look('areas');
    await judgeAreaContent(chain, initrds, areas.initrd, tree, { signal: options.signal, inflate: options.inflate });
  }
  chain.look('root');
  await judgeRoot(chain, grounds.place, words, tree, options.signal);
  chain.look('Ignition');
  if (tree !== undefined) judgeIgnition(chain, words, tree);
}

/** Whether the areas should be there; images of other distributions and of future layouts have none. */
async function isDamage({ place }: BootContext, problem: IsoError): Promise<boolean> {
  if (problem.code !== 'ISO_NOT_LIVE' || (await place.file(IGNINFO)) !== undefined) return true;
  let cause: unknown = problem;
  while (cause instanceof Error && cause.cause !== undefined) cause = cause.cause;
  return cause instanceof IsoError && cause.code !== 'ISO_NOT_FOUND';
}

function judgeInitrds(chain: Chain, initrds: readonly BootFile[], kernel: BootFile, area: Region | undefined): void {
  if (initrds.length === 0) {
    chain.unknown('the menu loads no initrd');
    return;
  }
  for (const file of initrds) {
    const at = file.regions[0]?.offset;
    if (at !== undefined && at === kernel.regions[0]?.offset) chain.broken(`${file.path} is the kernel`, at);
    else if (file.content.size === 0 && !containsArea(file, area)) chain.broken(`${file.path} is empty`, at);
  }
  chain.ok(initrds.map(({ path }) => path).join(', '));
}

/** Judges a placeholder: its text must not lie inside another file. */
async function judgeStandIn(chain: Chain, { iso, options }: BootContext, { path, regions }: BootFile): Promise<void> {
  const at = regions[0]?.offset;
  if (at === undefined) return;
  for await (const { kind, path: other, extents, size } of iso.walk({ signal: options.signal })) {
    const [first] = extents;
    if (kind !== 'file' || path.startsWith(`/${other}`) || first === undefined || size === 0) continue;
    const isAlike = first.offset === at && first.length === regions[0]?.length;
    if (!isAlike && at >= first.offset && at < first.offset + first.length)
      return chain.broken(`${path} begins inside /${other}`, at);
  }
}

/** Unpacks initrds once for all ways that load them, and judges their init; `undefined` for trimmed images. */
async function treeOf(
  chain: Chain,
  { areas, options, trees }: BootContext,
  initrds: readonly BootFile[],
  kernel: { readonly words: readonly string[]; readonly machines: readonly number[] } | undefined,
): Promise<Tree | undefined> {
  const key = `${kernel?.words.findLast((word) => word.startsWith('rdinit='))} ${initrds.map(({ regions }) => JSON.stringify(regions)).join()}`;
  const known = trees.get(key);
  if (known !== undefined) {
    chain.links.push(...known.links);
    return known.tree;
  }
  const first = chain.links.length;
  const tree = await unpackTree(chain, initrds, areas.initrd, { signal: options.signal, inflate: options.inflate });
  if (tree !== undefined && kernel !== undefined) judgeInit(chain, tree, kernel.words, kernel.machines);
  else if (tree !== undefined) chain.ok(`${tree.nodes.size} files and folders`);
  trees.set(key, { links: chain.links.slice(first), tree });
  return tree;
}

function containsArea({ regions }: BootFile, area: Region | undefined): boolean {
  return (
    area !== undefined &&
    regions.some(({ offset, length }) => area.offset >= offset && area.offset < offset + Math.max(1, length))
  );
}

function reservedRegionsOf({ path, regions }: BootFile): ReservedRegion[] {
  return regions.map((region) => ({ ...region, name: path }));
}
