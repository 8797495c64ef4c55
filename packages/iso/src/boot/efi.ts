import type { Region } from '../bytes/region.ts';
import { SECTOR } from '../iso9660/fields.ts';
import { type BootContext, EFI_IMAGE, type LoaderChoice } from './boot-context.ts';
import { openFat } from './fat.ts';
import { chooseWithGrub, type Device, type GrubStart } from './grub.ts';
import type { BootWay, Chain } from './links.ts';
import { EFI_MACHINES, type GrubBuild, parseEfiProgram, readGrubBuild } from './pe.ts';
import { isStandIn, type Place } from './places.ts';

const FOLDER = '/EFI/BOOT';

/** Follows UEFI: it finds a FAT file system in `region`, and in it a loader: GRUB, perhaps started by shim. */
export async function followEfi(
  chain: Chain,
  grounds: BootContext,
  medium: BootWay['medium'],
  region: Region,
  judge: (chosen: LoaderChoice) => Promise<void>,
): Promise<void> {
  const { place, source, options } = grounds;
  const { signal } = options;
  chain.look('EFI image');
  const fat = await openFat(source, region, signal);
  if (fat === undefined) return followStandIn(chain, grounds, region, judge);
  chain.ok(`FAT file system ${fat.label} in sector ${region.offset / SECTOR}`.replace('  ', ' '));
  chain.look('loader');
  const { build, cpu } = await judgeLoader(chain, fat, signal);
  chain.look('menu');
  if (build.hasMemdisk && build.prefix.startsWith('(memdisk)')) chain.leave('the menu of GRUB is inside its program');
  const iso: Device = { name: medium === 'cd' ? 'cd0' : 'hd0', place };
  const partition: Device = { name: 'hd0,msdos2', place: fat };
  // GRUB's root is the CD if El Torito loaded it, or else the partition that it was loaded from.
  const start = (changed: (place: Place) => Place): GrubStart => ({
    devices: medium === 'cd' ? [{ ...iso, place: changed(place) }] : [partition, { ...iso, place: changed(place) }],
    prefix: build.prefix,
    config: build.config,
    cpu,
    platform: 'efi',
    signal,
  });
  await judge({
    loader: 'GRUB',
    choice: await chooseWithGrub(start((same) => same)),
    again: (changed) => chooseWithGrub(start(changed)),
    occupied: [{ offset: region.offset, length: fat.length, name: 'the EFI image' }],
  });
}

async function judgeLoader(
  chain: Chain,
  fat: Place,
  signal: AbortSignal | undefined,
): Promise<{ build: GrubBuild; cpu: string }> {
  const names = (await fat.names(FOLDER)).map((name) => name.toUpperCase());
  for (const [machine, { loader, cpu }] of Object.entries(EFI_MACHINES).sort(([a], [b]) => Number(b) - Number(a))) {
    if (!names.includes(loader)) continue;
    const path = `${FOLDER}/${loader}`;
    const second = `${FOLDER}/grub${loader.slice(4).toLowerCase()}`;
    for (const each of [path, second]) {
      const file = await fat.file(each);
      if (file === undefined) return chain.leave(`${path} is an unknown loader`);
      const program = await parseEfiProgram(file.content, signal);
      if (typeof program === 'string') return chain.fail(`${each} ${program}`, file.regions[0]?.offset);
      if (program.machine !== Number(machine))
        return chain.fail(`${each} is a program for another machine`, file.regions[0]?.offset);
      const build = await readGrubBuild(file.content, program, signal);
      if (typeof build === 'string') return chain.fail(`${each} ${build}`, file.regions[0]?.offset);
      if (build === undefined) continue;
      chain.ok(each === path ? `GRUB at ${path}` : `${path}, then GRUB at ${each}`);
      return { build, cpu };
    }
    return chain.leave(`${path} is an unknown loader`);
  }
  return chain.fail(`the EFI image has no ${FOLDER}/${EFI_MACHINES[0x8664]?.loader} or the like`);
}

/** Follows a trimmed image, which has text instead of the file system; its menu can still be judged. */
async function followStandIn(
  chain: Chain,
  { place, options }: BootContext,
  region: Region,
  judge: (chosen: LoaderChoice) => Promise<void>,
): Promise<void> {
  const { signal } = options;
  const file = await place.file(EFI_IMAGE);
  const isHere = file?.regions[0]?.offset === region.offset || file?.content.size === 0;
  if (file === undefined || !isHere || !(await isStandIn(file, signal)))
    return chain.fail(`there is no FAT file system in sector ${region.offset / SECTOR}`, region.offset);
  chain.unknown(`${EFI_IMAGE} is a placeholder for a FAT file system, as in trimmed images`);
  chain.look('menu');
  const folders = (await place.names('/EFI')).filter((name) => name.toUpperCase() !== 'BOOT');
  const [folder] = folders;
  if (folder === undefined || folders.length > 1)
    return chain.leave('the place where GRUB looks for its menu is unknown');
  const start = (changed: (place: Place) => Place): GrubStart => ({
    devices: [{ name: 'cd0', place: changed(place) }],
    prefix: `/EFI/${folder}`,
    config: '',
    cpu: 'x86_64',
    platform: 'efi',
    signal,
  });
  await judge({
    loader: 'GRUB',
    choice: await chooseWithGrub(start((same) => same)),
    again: (changed) => chooseWithGrub(start(changed)),
    occupied: [{ offset: region.offset, length: file.content.size, name: EFI_IMAGE }],
  });
}
