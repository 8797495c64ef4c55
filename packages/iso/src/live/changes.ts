import type { Bytes } from '../bytes/source.ts';
import { IsoError } from '../errors.ts';
import type { UnpackedFile } from '../initrd/archive-files.ts';
import type { ArchiveFile } from '../initrd/archive-writer.ts';
import type { KargsEdit } from './kargs-editor.ts';

/** A NetworkManager profile for the live system. */
export interface Keyfile {
  /** A file name without directories, usually ending in `.nmconnection`. */
  readonly name: string;
  readonly content: string | Uint8Array;
}

/** What to change in a live image. What is absent stays as it is. */
export interface LiveChanges {
  /** The Ignition config of the live system, verbatim; `null` removes it. */
  readonly ignition?: Bytes | null;
  /** All keyfiles; an empty list removes those that are there. */
  readonly keyfiles?: readonly Keyfile[];
  /** All other files; an empty list removes those that are there. */
  readonly files?: readonly ArchiveFile[];
  readonly kargs?: KargsEdit;
}

/** What of the changes goes into the initramfs. */
export type InitrdChanges = Omit<LiveChanges, 'kargs'>;

/** The member that the live system's Ignition reads. */
export const IGNITION_PATH = 'config.ign';
/** Where the live system looks for keyfiles; deeper paths count too. */
export const NETWORK_DIRECTORY = 'etc/coreos-firstboot-network';

/** Whether a member is one of those that `keyfiles` replaces. */
export function isNetworkPath(path: string): boolean {
  return path.startsWith(`${NETWORK_DIRECTORY}/`);
}

/** Whether anything in the initramfs changes at all. */
export function touchesInitrd({ ignition, keyfiles, files }: InitrdChanges): boolean {
  return ignition !== undefined || keyfiles !== undefined || files !== undefined;
}

/** Whether the outcome depends on what is there already. */
export function keepsSomething({ ignition, keyfiles, files }: InitrdChanges): boolean {
  return ignition === undefined || keyfiles === undefined || files === undefined;
}

/** The members after the changes, given those before. */
export function applyChanges(before: Iterable<UnpackedFile>, changes: InitrdChanges): ArchiveFile[] {
  const { ignition, keyfiles, files } = changes;
  const kept = [...before].filter(({ path }) => {
    if (path === IGNITION_PATH) return ignition === undefined;
    return isNetworkPath(path) ? keyfiles === undefined : files === undefined;
  });
  const added: ArchiveFile[] = [
    ...(ignition ? [{ path: IGNITION_PATH, content: ignition }] : []),
    ...(keyfiles ?? []).map(keyfileMember),
    ...(files ?? []).map(checkedFile),
  ];
  refuseTwins(added);
  return [...kept, ...added];
}

function keyfileMember({ name, content }: Keyfile): ArchiveFile {
  if (name === '' || name === '.' || name === '..' || /[/\0]/.test(name)) {
    throw new IsoError('ISO_BAD_MEMBER', `a keyfile cannot be named ${JSON.stringify(name)}`);
  }
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return { path: `${NETWORK_DIRECTORY}/${name}`, content: bytes };
}

/** Other spellings of a path would unpack over one another, or over the config. */
function checkedFile(file: ArchiveFile): ArchiveFile {
  const { path } = file;
  if (path.split('/').some((name) => name === '' || name === '.' || name === '..')) {
    throw new IsoError('ISO_BAD_MEMBER', `${JSON.stringify(path)} is no plain path from the root`);
  }
  if (path === IGNITION_PATH || isNetworkPath(path)) {
    const where = path === IGNITION_PATH ? 'ignition' : 'keyfiles';
    throw new IsoError('ISO_BAD_MEMBER', `${path} belongs to \`${where}\`, not to \`files\``);
  }
  return file;
}

function refuseTwins(files: readonly ArchiveFile[]): void {
  const paths = new Set<string>();
  for (const { path } of files) {
    if (paths.has(path)) throw new IsoError('ISO_BAD_MEMBER', `two members are named ${path}`);
    paths.add(path);
  }
  for (const path of paths) {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const directory = path.slice(0, end);
      if (paths.has(directory)) throw new IsoError('ISO_BAD_MEMBER', `${directory} is a file and a directory`);
    }
  }
}
