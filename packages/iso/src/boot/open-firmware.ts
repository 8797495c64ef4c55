// ppc64le: Open Firmware reads a file in the ISO that names the loader. Left out: booting from disks.
import { readLatin1 } from '../iso9660/fields.ts';
import type { BootContext, LoaderChoice } from './boot-context.ts';
import { chooseWithGrub, type GrubStart } from './grub.ts';
import type { Chain } from './links.ts';
import { isStandIn, type Place, readStart, readText } from './places.ts';

const BOOT_INFO = '/ppc/bootinfo.txt';
const LOADERS = ['/boot/grub/core.elf', '/boot/grub/powerpc.elf'];

export async function followOpenFirmware(
  chain: Chain,
  { place, options }: BootContext,
  judge: (chosen: LoaderChoice) => Promise<void>,
): Promise<void> {
  const { signal } = options;
  chain.look('loader');
  const info = await place.file(BOOT_INFO);
  const named =
    info === undefined ? undefined : /boot\s+&device;[^,]*,([^\s<]+)/.exec(await readText(info, signal))?.[1];
  const path = named === undefined ? await usualLoader(place) : `/${named.replaceAll('\\', '/').replace(/^\/+/, '')}`;
  if (path === undefined) return chain.leave('the loader that Open Firmware starts is unknown');
  const file = await place.file(path);
  if (file === undefined) return chain.fail(`Open Firmware finds no ${path}`);
  const head = await readStart(file, 20, signal);
  if (await isStandIn(file, signal)) chain.unknown(`${path} is a placeholder for GRUB, as in trimmed images`);
  else if (readLatin1(head, 0, 6) !== '\x7fELF\x01\x02')
    return chain.fail(`${path} is not a program for Open Firmware`, file.regions[0]?.offset);
  else chain.ok(path);
  const start = (changed: (place: Place) => Place): GrubStart => ({
    devices: [{ name: 'ieee1275/cdrom', place: changed(place) }],
    prefix: path.replace(/\/[^/]*$/, ''),
    config: '',
    cpu: 'powerpc',
    platform: 'ieee1275',
    signal,
  });
  await judge({
    loader: 'GRUB',
    choice: await chooseWithGrub(start((same) => same)),
    again: (changed) => chooseWithGrub(start(changed)),
    occupied: file.regions.map((region) => ({ ...region, name: path })),
  });
}

async function usualLoader(place: Place): Promise<string | undefined> {
  for (const path of LOADERS) if ((await place.file(path)) !== undefined) return path;
  return undefined;
}
