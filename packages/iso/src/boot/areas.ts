// Checks that edits write only into areas that the boot chain loads.
import { slice } from '../bytes/compose.ts';
import { overlay } from '../bytes/overlay.ts';
import type { Region } from '../bytes/region.ts';
import type { IsoError } from '../errors.ts';
import type { Choice } from './grub.ts';
import { type Chain, overlaps } from './links.ts';
import type { BootFile, Place } from './places.ts';

/** The areas of a live image, for the boot proof. */
export interface BootAreas {
  readonly initrd: Region | undefined;
  readonly kargs:
    | {
        readonly length: number;
        readonly areas: readonly (Region & { readonly pad?: string; readonly end?: string })[];
      }
    | undefined;
  /** Why the areas cannot be read; also set for an image without areas. */
  readonly problem?: IsoError;
}

/** A part of the boot chain that an edit must not touch. */
export interface ReservedRegion extends Region {
  readonly name: string;
}

/** Checks that the initrd area is loaded and overlaps nothing else. */
export function judgeInitrdArea(
  chain: Chain,
  area: Region | undefined,
  initrds: readonly BootFile[],
  others: readonly ReservedRegion[],
): void {
  if (area === undefined || area.length === 0) return;
  const holders = initrds.filter(({ regions }) => regions.some((region) => overlaps(region, area)));
  const home = homeOf(holders, area);
  if (home === undefined) {
    chain.broken(`the menu does not load the initrd area at ${area.offset}`, area.offset);
    return;
  }
  const isInside = home.regions.some(
    ({ offset, length }) => area.offset >= offset && area.offset + area.length <= offset + length,
  );
  if (!isInside) {
    chain.broken(`the initrd area reaches past the end of ${home.path}`, area.offset);
    return;
  }
  const otherHolders = holders
    .filter((file) => file !== home)
    .flatMap(({ path, regions }) => regions.map((region) => ({ ...region, name: path })));
  judgeOverlap(chain, area, 'the initrd area', [...others, ...otherHolders]);
}

/** The file that holds an area: the one that begins with it, or else the first one. */
function homeOf(files: readonly BootFile[], area: Region): BootFile | undefined {
  return files.find(({ regions }) => regions[0]?.offset === area.offset) ?? files[0];
}

/** Judges an area for arguments by running the menu with a full and with a nearly empty area. */
export async function judgeKargsAreas(
  chain: Chain,
  areas: BootAreas['kargs'],
  choice: Choice,
  chooseWith: (changed: (place: Place) => Place) => Promise<Choice>,
  others: readonly ReservedRegion[],
): Promise<void> {
  if (areas === undefined) return;
  const here = areas.areas.filter((area) =>
    choice.menus.some(({ regions }) => regions.some((region) => overlaps(region, area))),
  );
  const [area] = here;
  if (area === undefined) {
    chain.broken(
      'the arguments in this menu are outside of all areas, so edits do not change them',
      choice.menus.at(-1)?.regions[0]?.offset,
    );
    return;
  }
  for (const each of areas.areas) {
    judgeOverlap(chain, each, 'an area for arguments', [
      ...others,
      ...areas.areas
        .filter((other) => other !== each)
        .map((other) => ({ ...other, name: 'another area for arguments' })),
    ]);
  }
  const { pad = '#', end = '\n' } = area;
  for (const probe of ['p'.repeat(areas.length - 1), 'probe']) {
    const text = `${probe}${end}`.padEnd(areas.length, pad);
    const bytes = new TextEncoder().encode(text);
    const changed = await chooseWith((place) => withBytes(place, area, bytes));
    const [before = '', after, ...more] = changed.arguments.split(probe);
    const isSame =
      changed.kernelPath === choice.kernelPath &&
      changed.initrdPaths.join() === choice.initrdPaths.join() &&
      changed.broken === undefined &&
      after !== undefined &&
      more.length === 0 &&
      choice.arguments.startsWith(before) &&
      choice.arguments.endsWith(after);
    if (!isSame) {
      chain.broken(
        `the area for arguments at ${area.offset} covers more than the arguments: an edit would break the menu`,
        area.offset,
      );
      return;
    }
  }
  chain.ok(`${areas.length} bytes for arguments at ${here.map(({ offset }) => offset).join(', ')}`);
}

function judgeOverlap(chain: Chain, area: Region, what: string, others: readonly ReservedRegion[]): void {
  const other = others.find((each) => each.length > 0 && overlaps(each, area));
  if (other !== undefined) chain.broken(`${what} at ${area.offset} overlaps ${other.name}`, area.offset);
}

/** The file system with some bytes of the image replaced. */
function withBytes(place: Place, { offset }: Region, bytes: Uint8Array): Place {
  return {
    ...place,
    async file(path) {
      const file = await place.file(path);
      if (file === undefined) return undefined;
      let passed = 0;
      let content = file.content;
      for (const region of file.regions) {
        const from = Math.max(offset, region.offset);
        const to = Math.min(
          offset + bytes.length,
          region.offset + region.length,
          region.offset + content.size - passed,
        );
        if (from < to) {
          content = overlay(slice(content, 0, content.size), [
            { offset: from - region.offset + passed, bytes: bytes.subarray(from - offset, to - offset) },
          ]);
        }
        passed += region.length;
      }
      return { ...file, content };
    },
  };
}
