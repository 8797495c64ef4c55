import { type File, file } from '@coreiso/ignition';
import { OpenshiftError } from '../errors.ts';
import { SCRIPTS, type ScriptName } from './generated/scripts.ts';

/** A file of the live system before it becomes an Ignition file. */
export interface LiveFile {
  readonly path: string;
  readonly mode: number;
  readonly contents: string;
  /** `root` by default; `none` leaves it to Ignition, as the cluster's own machines do. */
  readonly owner?: 'root' | 'none' | undefined;
  /** What happens if the file exists (default: replace it). */
  readonly existing?: 'replace' | 'append' | undefined;
}

/** A file with upstream's defaults: owned by root, replaces any other. */
export function rootFile(path: string, contents: string, mode: number): File {
  return file(path, contents, { mode, overwrite: true, user: 'root', compress: 'never' });
}

/** A text that becomes part of a line of a file on the node. A line end or another control character would begin a new setting. */
export function oneLine(text: string, fact: string): string {
  if (!/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(text)) return text;
  // The text itself may be secret.
  throw new OpenshiftError(
    'OPENSHIFT_UNUSABLE_FACTS',
    `the cluster fact ${fact} has a line end or another control character in it`,
  );
}

/** A script of coreiso in root's search path. */
export function program(name: ScriptName): File {
  return rootFile(`/usr/local/bin/${name}`, SCRIPTS[name], 0o755);
}
