/** The parts of a config, each made by one small function that returns plain data, which can also be written by hand. */

import { checkArgument, checkWhole } from '@coreiso/peers/arguments';
import { fileNameFault } from '@coreiso/peers/file-name';
import { resource } from '../codec/data-url.ts';
import type { Directory, File, Link, Owner, Unit, User } from '../spec/generated/types.ts';

/** Options of a file. */
export interface FileOptions {
  /** A name, or a numeric id. */
  readonly user?: string | number | undefined;
  readonly group?: string | number | undefined;
  /** Whether it replaces an existing file. */
  readonly overwrite?: boolean | undefined;
  /** The mode, such as `0o644` (default: Ignition's). */
  readonly mode?: number | undefined;
  /** Appends the content to a file that exists or that another part of the config makes. */
  readonly append?: boolean | undefined;
  /** `auto`, the default, compresses if that makes the content smaller. */
  readonly compress?: 'auto' | 'never' | undefined;
}

/**
 * A file with its content inside the config.
 *
 * @example file('/usr/local/bin/hello', '#!/bin/sh\necho hello\n', { mode: 0o755 })
 */
export function file(path: string, content: string | Uint8Array, options: FileOptions = {}): File {
  checkArgument('options', options, 'object');
  checkMode(options.mode, 'file');
  const { append = false, mode } = options;
  const contents = resource(content, options);
  return clean({ ...nodeOf(path, options), ...(append ? { append: [contents] } : { contents }), mode });
}

/**
 * A directory; Ignition makes missing parent directories.
 *
 * @example directory('/var/lib/data', { mode: 0o700, user: 'core' })
 */
export function directory(path: string, options: Omit<FileOptions, 'append' | 'compress'> = {}): Directory {
  checkArgument('options', options, 'object');
  checkMode(options.mode, 'directory');
  return clean({ ...nodeOf(path, options), mode: options.mode });
}

/**
 * A symbolic link, or a hard link with `hard`.
 *
 * @example link('/etc/localtime', '../usr/share/zoneinfo/UTC', { overwrite: true })
 */
export function link(
  path: string,
  target: string,
  options: Omit<FileOptions, 'append' | 'compress' | 'mode'> & { readonly hard?: boolean | undefined } = {},
): Link {
  checkArgument('target', target, 'text');
  checkArgument('options', options, 'object');
  return clean({ ...nodeOf(path, options), hard: options.hard, target });
}

/**
 * A systemd unit, or changes to an existing one.
 *
 * @example unit('hello.service', { enabled: true, contents: '[Service]\nExecStart=/bin/true\n[Install]\nWantedBy=multi-user.target\n' })
 */
export function unit(
  name: string,
  options: {
    readonly contents?: string | undefined;
    readonly enabled?: boolean | undefined;
    readonly mask?: boolean | undefined;
    /** Fragments that change the unit; their names end in `.conf`. */
    readonly dropins?: Unit['dropins'];
  } = {},
): Unit {
  checkName('a unit', name);
  checkArgument('options', options, 'object');
  const { contents, dropins, enabled, mask } = options;
  for (const dropin of dropins ?? []) checkName('a drop-in', dropin.name);
  return clean({ contents, dropins, enabled, mask, name });
}

/**
 * A user account to create or change.
 *
 * @example user('core', { sshAuthorizedKeys: await readFile('id_ed25519.pub', 'utf8') })
 */
export function user(
  name: string,
  options: Omit<User, 'name' | 'sshAuthorizedKeys'> & {
    /** A list of keys, or the text of an `authorized_keys` file, in which every line that is not empty is a key. */
    readonly sshAuthorizedKeys?: string | readonly string[] | undefined;
  } = {},
): User {
  checkArgument('name', name, 'text');
  checkArgument('options', options, 'object');
  const { sshAuthorizedKeys: keys, ...rest } = options;
  const sshAuthorizedKeys = typeof keys === 'string' ? keys.split(/\r?\n/).filter((line) => line !== '') : keys;
  return clean({ ...rest, name, sshAuthorizedKeys });
}

function nodeOf(path: string, options: Pick<FileOptions, 'user' | 'group' | 'overwrite'>) {
  checkArgument('path', path, 'text');
  return { group: ownerOf(options.group), overwrite: options.overwrite, path, user: ownerOf(options.user) };
}

function ownerOf(owner: string | number | undefined): Owner | undefined {
  if (owner === undefined) return undefined;
  return typeof owner === 'number' ? { id: owner } : { name: owner };
}

/** Removes undefined members, because some comparisons and serialisers treat them differently from absent ones. */
function clean<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T;
}

/** Checks a name, because Ignition uses it in a path without a check. */
function checkName(what: string, name: string): void {
  checkArgument('name', name, 'text');
  const fault = fileNameFault(name);
  if (fault !== undefined)
    throw new RangeError(`name of ${what} must be a file name, not ${JSON.stringify(name)}: ${fault}`);
}

type NodeKind = 'file' | 'directory';

const SETUID = 0o4000;
const SETGID = 0o2000;
const STICKY = 0o1000;
const [READ, WRITE, EXECUTE] = [4, 2, 1] as const;

/** Refuses invalid modes, and modes that are almost certainly octal without the `0o`: `mode: 755`. */
function checkMode(mode: number | undefined, kind: NodeKind): void {
  if (mode === undefined) return;
  checkWhole('mode', mode, 0, 0o7777);
  const digits = String(mode);
  if (!/^[0-7]+$/.test(digits) || isTypical(mode, kind)) return;
  if (isTypical(Number.parseInt(digits, 8), kind)) throw new RangeError(`mode must be octal, 0o${mode}, not ${mode}`);
}

/** Whether the mode is a plausible one for a file or directory; the rule is Butane's. */
function isTypical(mode: number, kind: NodeKind): boolean {
  if (mode === 0) return true;
  const classes = [mode & 7, (mode >> 3) & 7, (mode >> 6) & 7];
  let granted = 0;
  for (const bits of classes) {
    if ((granted & ~bits) !== 0) return false;
    if ((bits & (WRITE | EXECUTE)) !== 0 && (bits & READ) === 0) return false;
    if ((bits & EXECUTE) !== 0 && (granted & READ) !== 0 && (granted & EXECUTE) === 0) return false;
    granted = bits;
  }
  if ((granted & READ) === 0) return false;
  const special = mode & (SETUID | SETGID | STICKY);
  if (kind === 'directory') {
    if ((granted & EXECUTE) === 0 || (special & SETUID) !== 0) return false;
    return special === 0 || (granted & WRITE) !== 0;
  }
  if ((special & STICKY) !== 0) return false;
  return special === 0 || ((granted & EXECUTE) !== 0 && (mode & WRITE) === 0);
}
