import { checkArgument } from './arguments.ts';
import { utf8Length } from './go/index.ts';

/** NAME_MAX of Linux. */
const LONGEST_NAME = 255;

/** C0, DEL and C1: they are invisible in a listing, and some end a line. */
const CONTROL = /[\0-\x1f\x7f-\x9f]/;
/** A lone surrogate, which no encoding can write. */
const HALF = /[\ud800-\udfff]/u;

/**
 * The reason why a text cannot be one component of a path, as the end of a sentence; undefined if it can. Every text that is not
 * checked elsewhere has to pass this before it becomes part of a path, a unit name or a key of an object.
 *
 * @example fileNameFault('../victim') // 'it has a slash'
 */
export function fileNameFault(name: string): string | undefined {
  checkArgument('name', name, 'text');
  if (name === '') return 'it is empty';
  if (name === '.' || name === '..') return 'it is the name of a directory';
  if (name.includes('/')) return 'it has a slash';
  if (CONTROL.test(name)) return 'it has a control character';
  if (HALF.test(name)) return 'it has an unpaired surrogate';
  const length = utf8Length(name);
  return length > LONGEST_NAME ? `it has ${length} bytes; at most ${LONGEST_NAME} are allowed` : undefined;
}

/** Device names of Windows, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com[1-9\u00b9\u00b2\u00b3]|lpt[1-9\u00b9\u00b2\u00b3])(?:\..*)?$/i;
const WINDOWS = /["*:<>?\\|]/;

/**
 * Like `fileNameFault`, for a file on the disk of this machine: Windows accepts fewer names. `platform` is Node's name of the
 * system.
 *
 * @example localNameFault('nul.iso', 'win32') // 'Windows has a device of that name'
 */
export function localNameFault(name: string, platform: string): string | undefined {
  checkArgument('platform', platform, 'text');
  const fault = fileNameFault(name);
  if (fault !== undefined || platform !== 'win32') return fault;
  const [character] = WINDOWS.exec(name) ?? [];
  if (character !== undefined) return `Windows does not allow ${character} in names`;
  if (DEVICE.test(name)) return 'Windows has a device of that name';
  return /[. ]$/.test(name) ? 'Windows drops the dot or space at its end' : undefined;
}

/** Two names that are the same file on a file system that ignores case; undefined if there are none. */
export function sameFile(names: readonly string[], platform: string): readonly [string, string] | undefined {
  const seen = new Map<string, string>();
  for (const name of platform === 'win32' || platform === 'darwin' ? names : []) {
    const folded = name.normalize('NFC').toLowerCase();
    const first = seen.get(folded);
    if (first !== undefined && first !== name) return [first, name];
    seen.set(folded, name);
  }
  return undefined;
}

/**
 * The reason why a text cannot be part of one line of a file, as the end of a sentence; undefined if it can.
 *
 * @example lineFault('x\n[proxy]') // 'it has a line end'
 */
export function lineFault(text: string): string | undefined {
  checkArgument('text', text, 'text');
  if (text.includes('\0')) return 'it has a NUL character';
  if (/[\n\r]/.test(text)) return 'it has a line end';
  return HALF.test(text) ? 'it has an unpaired surrogate' : undefined;
}
