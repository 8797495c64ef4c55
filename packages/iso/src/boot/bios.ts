import { slice } from '../bytes/compose.ts';
import { readU32Le, SECTOR } from '../iso9660/fields.ts';
import { type BootContext, ISOLINUX, type LoaderChoice } from './boot-context.ts';
import { judgeIsolinux, judgeModule, type LoaderFile } from './isolinux.ts';
import { chooseWithIsolinux, findIsolinuxMenu } from './isolinux-menu.ts';
import type { Chain } from './links.ts';

/** The number of bytes that firmware loads from the loader of a boot catalogue. */
const FIRST_READ = 2048;
const LARGEST_LOADER = 1024 * 1024;

/** Follows a BIOS: it starts isolinux at `offset`, which reads its menu and starts a kernel. */
export async function followBios(
  chain: Chain,
  grounds: BootContext,
  offset: number,
  judge: (chosen: LoaderChoice) => Promise<void>,
): Promise<void> {
  const { place, options } = grounds;
  const { signal } = options;
  chain.look('loader');
  const file = await loaderAt(chain, grounds, offset);
  const found = await findIsolinuxMenu(place);
  const kind = await judgeIsolinux(chain, file, place, found?.folder ?? '/isolinux', signal);
  if (kind === undefined) chain.leave(`${file.path} is an unknown loader`);
  chain.look('menu');
  if (found === undefined) return chain.fail('isolinux finds no isolinux.cfg');
  const choice = await chooseWithIsolinux(place, found, signal);
  for (const module of choice.modules) {
    if (kind === 'isolinux') await judgeModule(chain, place, module, found.folder, signal);
    else if ((await place.file(module)) === undefined) chain.unknown(`there is no ${module}, as in trimmed images`);
  }
  await judge({
    loader: 'isolinux',
    choice,
    again: async (changed) => {
      const other = changed(place);
      const menu = (await other.file(found.menu.path)) ?? found.menu;
      return chooseWithIsolinux(other, { ...found, menu }, signal);
    },
    occupied: file.regions.map((region) => ({ ...region, name: file.path })),
  });
}

/** The loader as a file of the image, or as its own boot information table describes it. */
async function loaderAt(
  chain: Chain,
  { iso, place, source, options }: BootContext,
  offset: number,
): Promise<LoaderFile> {
  const { signal } = options;
  const usual = await place.file(ISOLINUX);
  const at = usual?.regions[0]?.offset;
  if (usual !== undefined && (at === offset || (at === undefined && usual.content.size === 0)))
    return { ...usual, offset };
  if (usual !== undefined)
    return chain.fail(`firmware is pointed to sector ${offset / SECTOR}, but ${ISOLINUX} is in ${(at ?? 0) / SECTOR}`);
  if (offset + FIRST_READ > source.size) return chain.fail('firmware is pointed past the end of the image');
  for await (const entry of iso.walk({ signal })) {
    if (entry.kind !== 'file' || entry.size === 0 || entry.extents[0]?.offset !== offset) continue;
    return { path: `/${entry.path}`, content: iso.contents(entry), regions: entry.extents, offset };
  }
  const length = readU32Le(await source.read(offset, FIRST_READ, signal), 16);
  const size = Math.min(length >= FIRST_READ && length <= LARGEST_LOADER ? length : FIRST_READ, source.size - offset);
  return {
    path: `the loader in sector ${offset / SECTOR}`,
    content: slice(source, offset, size),
    regions: [{ offset, length: size }],
    offset,
  };
}
