// Files for network boot, laid out as in upstream's `boot-artifacts`.
import {
  type ByteSource,
  bytesOf,
  bytesSource,
  type Compression,
  customizeInitramfs,
  editKargs,
  type LiveChanges,
  type LiveImage,
  pxeFiles,
} from '@coreiso/iso';
import { openIso } from '@coreiso/iso/iso9660';
import type { ImageBuilder, NamedOutput } from './changes.ts';

export interface PxeOptions {
  /** File name prefix of files that all hosts share. */
  readonly prefix: string;
  readonly architecture: string;
  /** Address of a target's files, without a trailing slash; empty if no iPXE script is made. */
  readonly baseUrlOf: (name: string) => string;
  readonly compression?: Compression | undefined;
  readonly signal?: AbortSignal | undefined;
}

const INITRD = 'initrd.img';
const ROOTFS = 'rootfs.img';
const ADDRESS = 'initrd.addrsize';
/** Kernel and root file system once; per target an initramfs, an iPXE script and the boot list of a mainframe. */
export async function pxeBuilder(image: LiveImage, options: PxeOptions): Promise<ImageBuilder> {
  const { architecture, signal } = options;
  const work = { signal };
  const files = await pxeFiles(image.source, work);
  const initrd = files.find(({ name }) => name === INITRD);
  const shared = files.filter(({ name }) => name !== INITRD);
  return {
    shared: shared.map(({ name, source }) => ({ name: sharedName(name, options), source })),
    async make({ prefix, changes }) {
      const outputs: NamedOutput[] = [];
      const stem = `${prefix}.${architecture}`;
      if (initrd !== undefined) {
        const source = await customizeInitramfs(initrd, changes, options);
        outputs.push({ name: `${stem}-${INITRD}`, source });
        outputs.push(...(await mainframeFiles(image, stem, source, shared, options)));
      }
      const baseUrl = options.baseUrlOf(prefix);
      const words = kernelCommandLine(baseUrl || 'URL', kernelArguments(image, changes), options);
      const notes = [`Kernel arguments: ${words}`];
      if (baseUrl === '') {
        notes.push(
          'URL is the address that you serve the files from; set bootArtifactsBaseURL to get an iPXE script, too.',
        );
        return { outputs, notes };
      }
      const script = ipxeScript(stem, baseUrl, shared, words, options);
      outputs.push({ name: `${stem}.ipxe`, source: bytesSource(new TextEncoder().encode(script)) });
      return { outputs, notes };
    },
  };
}

function sharedName(name: string, { prefix, architecture }: PxeOptions): string {
  return `${prefix}.${architecture}-${name}`;
}

/** The image's arguments without the label of its disk, then our own, each after a blank. */
function kernelArguments({ kargs }: LiveImage, changes: LiveChanges): string {
  const current = kargs?.current ?? '';
  const label = current.split(' ').find((word) => word.startsWith('coreos.liveiso='));
  const kept = label === undefined ? current : editKargs(current, { delete: [label] });
  return kept + (changes.kargs?.append ?? []).map((word) => ` ${word}`).join('');
}

/** The kernel's command line, for every boot loader. */
function kernelCommandLine(url: string, kargs: string, options: PxeOptions): string {
  return `initrd=initrd coreos.live.rootfs_url=${url}/${sharedName(ROOTFS, options)} ${kargs}`;
}

function ipxeScript(
  stem: string,
  url: string,
  shared: readonly NamedOutput[],
  words: string,
  options: PxeOptions,
): string {
  const kernel = shared.find(({ name }) => name !== ROOTFS)?.name ?? 'vmlinuz';
  return [
    '#!ipxe',
    `initrd --name initrd ${url}/${stem}-${INITRD}`,
    `kernel ${url}/${sharedName(kernel, options)} ${words}`,
    'boot',
    '',
  ].join('\n');
}

/** The files that a mainframe's firmware reads: the load addresses, and the size of the initramfs. Other architectures have neither. */
async function mainframeFiles(
  { source }: LiveImage,
  stem: string,
  initrd: ByteSource,
  shared: readonly NamedOutput[],
  options: PxeOptions,
): Promise<NamedOutput[]> {
  const { architecture, signal } = options;
  if (architecture !== 's390x') return [];
  const iso = await openIso(source, { signal });
  const names = new Map([
    [INITRD, `${stem}-${INITRD}`],
    [ADDRESS, `${stem}-${ADDRESS}`],
    ...shared.map(({ name }) => [name, sharedName(name, options)] as const),
  ]);
  const list = new TextDecoder().decode(await bytesOf(await iso.file('/generic.ins'), signal));
  const renamed = list.replace(/^(?!\*)\S+/gm, (path) => names.get(path.slice(path.lastIndexOf('/') + 1)) ?? path);
  // Address and size, eight bytes each, the most significant first.
  const place = new Uint8Array(16);
  place.set(await (await iso.file(`/images/${ADDRESS}`)).read(0, 8, signal));
  new DataView(place.buffer).setBigUint64(8, BigInt(initrd.size));
  return [
    { name: `${stem}-${ADDRESS}`, source: bytesSource(place) },
    { name: `${stem}-generic.ins`, source: bytesSource(new TextEncoder().encode(renamed)) },
  ];
}
