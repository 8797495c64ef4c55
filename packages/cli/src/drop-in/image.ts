import {
  type ByteSource,
  describeGrowth,
  edit,
  IsoError,
  type Kargs,
  type LiveChanges,
  type LiveImage,
  NETWORK_DIRECTORY,
  openLiveImage,
} from '@coreiso/iso';
import { openIso } from '@coreiso/iso/iso9660';
import type { FileSource } from '@coreiso/iso/node';
import type { Arguments } from '../frame/arguments.ts';
import { inContext } from '../frame/failure.ts';
import type { Terminal } from '../frame/terminal.ts';
import { AS_UPSTREAM, withCompression } from './compression.ts';
import { withFile, withWritableFile } from './input.ts';
import { checkOutput, deliver } from './output.ts';

/** A live image and its embedded files. */
export interface OpenedImage {
  readonly image: LiveImage;
  readonly members: Awaited<ReturnType<LiveImage['initrd']['read']>>;
}

/** Opens the image of a command for reading. */
export function lookAtImage<T>(
  args: Arguments,
  terminal: Terminal,
  work: (opened: OpenedImage) => Promise<T>,
): Promise<T> {
  const look = async (file: ByteSource): Promise<T> => work(await openImage(file, terminal.io.signal));
  return withFile(terminal, args.required('ISO'), look, { use: 'read' });
}

/**
 * Runs a command that changes an image: `change` returns the changes, or refuses. The result replaces the image, or goes to
 * `--output`.
 */
export async function changeImage(
  args: Arguments,
  terminal: Terminal,
  change: (opened: OpenedImage) => LiveChanges | Promise<LiveChanges>,
): Promise<undefined> {
  const { signal } = terminal.io;
  const output = args.optional('output');
  const work = async (source: ByteSource, file?: FileSource): Promise<undefined> => {
    const opened = await openImage(source, signal);
    const changes = await change(opened);
    if (output !== undefined) await checkOutput(terminal, output);
    const grow = args.has('grow');
    const { overlay, summary } = await withCompression(terminal.io, (compression) =>
      edit(opened.image, changes, { compression, modes: 'private', grow, signal, ...AS_UPSTREAM }),
    ).catch(refuseAsUpstream);
    if (summary.growth !== undefined) terminal.sayText(describeGrowth(summary.growth));
    await deliver(terminal, overlay, file, args);
  };
  const path = args.required('ISO');
  if (output === undefined) return withWritableFile(terminal, path, (file) => work(file, file));
  return withFile(terminal, path, work);
}

/** Rethrows an error about missing room in coreos-installer's words. */
function refuseAsUpstream(error: unknown): never {
  throw error instanceof IsoError && error.code === 'ISO_AREA_TOO_SMALL' && error.cause !== undefined
    ? error.cause
    : error;
}

/** Opens an image, with "parsing ISO9660 image" in its errors, as in most commands. */
async function openImage(source: ByteSource, signal: AbortSignal): Promise<OpenedImage> {
  const iso = await inContext('parsing ISO9660 image', () => openIso(source, { view: 'strict', signal }));
  return withMembers(await openLiveImage(iso, { signal }), signal);
}

/** `openImage` for commands whose errors do not mention parsing. */
export async function openImagePlainly(source: ByteSource, signal: AbortSignal): Promise<OpenedImage> {
  return withMembers(await openLiveImage(await openIso(source, { view: 'strict', signal }), { signal }), signal);
}

/** Reads the initrd area every time, as coreos-installer does: a damaged area stops every command. */
async function withMembers(image: LiveImage, signal: AbortSignal): Promise<OpenedImage> {
  return { image, members: await image.initrd.read({ signal, ...AS_UPSTREAM }) };
}

/** Returns the image's kernel arguments; refuses an image without areas for them. */
export function kargsOf({ kargs }: LiveImage): Kargs {
  if (kargs !== undefined) return kargs;
  throw new Error('No karg embed areas found; old or corrupted CoreOS ISO image.');
}

/** Whether an image has keyfiles. */
export function hasNetwork({ members }: OpenedImage): boolean {
  return [...members.keys()].some((path) => path.startsWith(`${NETWORK_DIRECTORY}/`));
}
