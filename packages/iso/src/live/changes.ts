import { checkArgument, checkMembers, isBytes } from '@coreiso/peers/arguments';
import type { ByteSource, Bytes } from '../bytes/source.ts';
import { IsoError } from '../errors.ts';
import type { UnpackedFile } from '../initrd/archive-files.ts';
import { type ArchiveFile, checkArchiveFile } from '../initrd/archive-writer.ts';
import { checkKargsEdit, type KargsEdit } from './kargs-editor.ts';

/** Changes to a live image. Absent members keep their contents. */
export interface LiveChanges {
  /**
   * The Ignition config of the live system: text or bytes, verbatim, or the config as an object; `null` removes the
   * config.
   */
  readonly ignition?: string | Bytes | object | null | undefined;
  /** All NetworkManager profiles; an empty list removes existing ones. */
  readonly keyfiles?:
    | readonly {
        /** A file name without directories, usually ending in `.nmconnection`. */
        readonly name: string;
        readonly content: string | Uint8Array;
      }[]
    | undefined;
  /** All other files; an empty list removes existing ones. */
  readonly files?: readonly ArchiveFile[] | undefined;
  readonly kargs?: KargsEdit | undefined;
}

/** The changes that go into the initramfs. */
export type InitrdChanges = Omit<LiveChanges, 'kargs'>;

/**
 * The archive member that Ignition of the live system reads.
 *
 * @example
 * ```ts
 * const config = (await image.initrd.read()).get(IGNITION_PATH)?.content;
 * ```
 */
export const IGNITION_PATH = 'config.ign';
/**
 * Directory of the live system's keyfiles, which `keyfiles` of a change replaces, including subdirectories.
 *
 * @example
 * ```ts
 * const keyfiles = await readFiles(initrd, { patterns: [`${NETWORK_DIRECTORY}/*`] });
 * ```
 */
export const NETWORK_DIRECTORY = 'etc/coreos-firstboot-network';

/** Whether `keyfiles` replaces a member. */
export function isNetworkPath(path: string): boolean {
  return path.startsWith(`${NETWORK_DIRECTORY}/`);
}

/** Refuses malformed changes before reading anything. */
export function checkChanges(changes: LiveChanges): void {
  checkArgument('changes', changes, 'object');
  checkMembers('changes', changes, ['ignition', 'keyfiles', 'files', 'kargs']);
  const { ignition, keyfiles = [], files = [], kargs } = changes;
  if (ignition !== undefined && ignition !== null) ignitionContent(ignition);
  checkArgument('changes.keyfiles', keyfiles, 'array');
  keyfiles.forEach((keyfile, index) => {
    const parameter = `changes.keyfiles[${index}]`;
    checkArgument(parameter, keyfile, 'object');
    checkArgument(`${parameter}.name`, keyfile.name, 'text');
    if (typeof keyfile.content !== 'string') checkArgument(`${parameter}.content`, keyfile.content, 'bytes');
  });
  checkArgument('changes.files', files, 'array');
  files.forEach((file, index) => {
    checkArchiveFile(`changes.files[${index}]`, file);
  });
  if (kargs !== undefined) checkKargsEdit('changes.kargs', kargs);
}

/** The config as the content of an archive member. */
function ignitionContent(ignition: NonNullable<LiveChanges['ignition']>): string | Bytes {
  if (typeof ignition === 'string' || isBytes(ignition)) return ignition;
  checkArgument('changes.ignition', ignition, 'object');
  if ('read' in ignition && 'size' in ignition) return ignition as ByteSource;
  // A promise that was not awaited, or the result object that holds a config, must not be embedded.
  if ('ignition' in ignition) return JSON.stringify(ignition);
  throw new TypeError('changes.ignition must be a string, a Uint8Array, a ByteSource or an Ignition config');
}

/** Whether anything in the initramfs changes. */
export function touchesInitrd({ ignition, keyfiles, files }: InitrdChanges): boolean {
  return ignition !== undefined || keyfiles !== undefined || files !== undefined;
}

/** Whether the result keeps existing members. */
export function keepsSomething({ ignition, keyfiles, files }: InitrdChanges): boolean {
  return ignition === undefined || keyfiles === undefined || files === undefined;
}

/** Applies the changes to the existing members. */
export function applyChanges(before: Iterable<UnpackedFile>, changes: InitrdChanges): ArchiveFile[] {
  const { ignition, keyfiles, files } = changes;
  const kept = [...before].filter(({ path }) => {
    if (path === IGNITION_PATH) return ignition === undefined;
    return isNetworkPath(path) ? keyfiles === undefined : files === undefined;
  });
  const added: ArchiveFile[] = [
    ...(ignition == null ? [] : [{ path: IGNITION_PATH, content: ignitionContent(ignition) }]),
    ...(keyfiles ?? []).map(keyfileMember),
    ...(files ?? []).map(checkedFile),
  ];
  refuseDuplicatePaths(added);
  return [...kept, ...added];
}

function keyfileMember({ name, content }: NonNullable<LiveChanges['keyfiles']>[number]): ArchiveFile {
  if (name === '' || name === '.' || name === '..' || /[/\0]/.test(name)) {
    throw new IsoError('ISO_BAD_MEMBER', `a keyfile cannot be named ${JSON.stringify(name)}`);
  }
  return { path: `${NETWORK_DIRECTORY}/${name}`, content };
}

/** Refuses other spellings of a path, which could overwrite another file or the config. */
function checkedFile(file: ArchiveFile): ArchiveFile {
  const { path } = file;
  if (path.split('/').some((name) => name === '' || name === '.' || name === '..')) {
    throw new IsoError('ISO_BAD_MEMBER', `${JSON.stringify(path)} is not a plain path from the root`);
  }
  if (path === IGNITION_PATH || isNetworkPath(path)) {
    const where = path === IGNITION_PATH ? 'ignition' : 'keyfiles';
    throw new IsoError('ISO_BAD_MEMBER', `${path} belongs to \`${where}\`, not to \`files\``);
  }
  return file;
}

function refuseDuplicatePaths(files: readonly ArchiveFile[]): void {
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
