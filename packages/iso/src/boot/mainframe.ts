// s390x: firmware loads one file, in which kernel, arguments and initramfs have fixed places (Linux, arch/s390/boot/head.S).
import { slice } from '../bytes/compose.ts';
import { readU32Be, SECTOR } from '../iso9660/fields.ts';
import type { BootContext, LoaderChoice } from './boot-context.ts';
import type { Choice } from './grub.ts';
import type { Chain } from './links.ts';
import type { BootFile } from './places.ts';

const IMAGE = '/images/cdboot.img';
/** Big-endian numbers of 64 bits; the arguments end with NUL. */
const AT = { initrdStart: 0x10408, initrdSize: 0x10410, argumentLimit: 0x10430, arguments: 0x10480 } as const;
const OLD_LIMIT = 896;

export async function followMainframe(
  chain: Chain,
  { catalog, catalogProblem, place, options }: BootContext,
  judge: (chosen: LoaderChoice) => Promise<void>,
): Promise<void> {
  const { signal } = options;
  chain.look('boot catalogue');
  if (catalogProblem !== undefined) chain.fail(catalogProblem.message, catalogProblem.offset);
  const file = await place.file(IMAGE);
  const [entry] = catalog?.entries ?? [];
  const at = file?.regions[0]?.offset;
  if (file === undefined || entry === undefined || !entry.bootable)
    return chain.fail('the boot catalogue has no bootable entry');
  if (entry.offset !== at)
    chain.fail(
      `the boot catalogue points to sector ${entry.offset / SECTOR}, but ${IMAGE} is in ${(at ?? 0) / SECTOR}`,
      entry.entryOffset,
    );
  chain.ok(`sector ${entry.offset / SECTOR}`);
  chain.look('loader');
  if (file.content.size < AT.arguments + OLD_LIMIT) return chain.fail(`${IMAGE} is too short for a kernel`, at);
  chain.ok(IMAGE);
  const choice = await choose(file, signal);
  await judge({
    loader: 'firmware',
    choice,
    again: async (changed) => choose((await changed(place).file(IMAGE)) ?? file, signal),
    occupied: [],
  });
}

async function choose(file: BootFile, signal: AbortSignal | undefined): Promise<Choice> {
  const head = await file.content.read(0, AT.arguments + OLD_LIMIT, signal);
  const long = (at: number) => readU32Be(head, at) * 2 ** 32 + readU32Be(head, at + 4);
  const [start, size] = [long(AT.initrdStart), long(AT.initrdSize)];
  const text = new TextDecoder().decode(head.subarray(AT.arguments)).replace(/\0[\s\S]*$/, '');
  const isInside = start > 0 && size > 0 && start + size <= file.content.size;
  const initrd: BootFile | undefined = isInside
    ? {
        path: `${IMAGE} from ${start}`,
        content: slice(file.content, start, size),
        regions: regionsOf(file, start, size),
      }
    : undefined;
  // The kernel is the beginning of the file; its header is not where a kernel file has it.
  const kernel: BootFile = {
    path: `${IMAGE}, its beginning`,
    content: slice(file.content, 0, Math.min(start, file.content.size)),
    regions: regionsOf(file, 0, AT.arguments),
  };
  return {
    title: 'linux',
    kernelPath: IMAGE,
    kernel,
    initrdPaths: [`${start}+${size}`],
    initrds: initrd === undefined ? [] : [initrd],
    arguments: text.trimEnd(),
    menus: [
      {
        path: IMAGE,
        content: file.content,
        regions: regionsOf(file, AT.arguments, long(AT.argumentLimit) || OLD_LIMIT),
      },
    ],
    broken: isInside
      ? undefined
      : `${IMAGE} declares an initramfs of ${size} bytes at ${start}, but has only ${file.content.size} bytes`,
    unknown: undefined,
  };
}

/** The region of a part: boot images are contiguous. */
function regionsOf({ regions }: BootFile, start: number, length: number): BootFile['regions'] {
  return [{ offset: (regions[0]?.offset ?? 0) + start, length }];
}
