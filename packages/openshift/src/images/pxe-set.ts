// What machines boot over the network, as upstream lays it out in `boot-artifacts`.
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
  /** What the names of files begin with that are the same for all hosts. */
  readonly prefix: string;
  readonly architecture: string;
  /** Where a target's files are, without a slash at the end; empty where there is no iPXE script to be made. */
  readonly baseUrlOf: (name: string) => string;
  readonly compression?: Compression | undefined;
  readonly signal?: AbortSignal | undefined;
}

const INITRD = 'initrd.img';
const ROOTFS = 'rootfs.img';
const ADDRESS = 'initrd.addrsize';
/** Kernel and root file system once, and per target an initramfs, an iPXE script and what a mainframe loads by. */
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

/** The image's arguments without the label of the disk it would look for, then ours, each with a blank in front. */
function kernelArguments({ kargs }: LiveImage, changes: LiveChanges): string {
  const current = kargs?.current ?? '';
  const label = current.split(' ').find((word) => word.startsWith('coreos.liveiso='));
  const kept = label === undefined ? current : editKargs(current, { delete: [label] });
  return kept + (changes.kargs?.append ?? []).map((word) => ` ${word}`).join('');
}

/** The kernel's command line, whatever loads it. */
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

/** What a mainframe's firmware reads: where to load which file, and the size of the initramfs. Others have neither. */
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
