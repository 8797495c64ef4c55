import { type File, file } from '@coreiso/ignition';
import { SCRIPTS, type ScriptName } from './generated/scripts.ts';

/** A file as upstream makes them all: it belongs to root and takes the place of any other. */
export function rootFile(path: string, contents: string, mode: number): File {
  return file(path, contents, { mode, overwrite: true, user: 'root', compress: 'never' });
}

/** A script of ours where root looks for programs. */
export function program(name: ScriptName): File {
  return rootFile(`/usr/local/bin/${name}`, SCRIPTS[name], 0o755);
}
