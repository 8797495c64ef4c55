import { checkArgument, checkMembers, checkOptions } from '@coreiso/peers/arguments';
import { IsoError } from '../errors.ts';

/** Changes to kernel arguments. Deletions always come first, then additions, then replacements. */
export interface KargsEdit {
  /** Start from the image's default arguments instead of the current ones. */
  readonly reset?: boolean | undefined;
  /** Arguments to remove, with their values: `console=tty0`, not `console`. Missing ones are ignored. */
  readonly delete?: readonly string[] | undefined;
  readonly append?: readonly string[] | undefined;
  /** `KEY=OLD=NEW` each. */
  readonly replace?: readonly string[] | undefined;
}

/**
 * Edits `kargs` exactly as coreos-installer does. Arguments are words between single spaces, and a match includes the spaces on
 * both sides, so every second one of adjacent duplicates stays.
 *
 * @example
 * ```ts
 * editKargs('ro quiet', { delete: ['quiet'], append: ['console=ttyS0'] }); // 'ro console=ttyS0'
 * ```
 */
export function editKargs(kargs: string, edit: Omit<KargsEdit, 'reset'>): string {
  checkArgument('kargs', kargs, 'text');
  checkKargsEdit('edit', edit);
  let text = ` ${kargs} `;
  for (const karg of edit.delete ?? []) text = text.replaceAll(` ${trim(karg)} `, () => ' ');
  for (const karg of edit.append ?? []) text += `${trim(karg)} `;
  for (const replacement of edit.replace ?? []) {
    const [, key, before, after] = /^([^=]+)=([^=]+)=([^=]+)$/.exec(replacement) ?? [];
    if (after === undefined) throw new IsoError('ISO_BAD_KARG', 'Wrong input, format should be: KEY=OLD=NEW');
    text = text.replaceAll(` ${key}=${before} `, () => ` ${key}=${after} `);
  }
  return trim(text);
}

/** Refuses an edit whose members are not lists of arguments. */
export function checkKargsEdit(parameter: string, edit: KargsEdit): void {
  checkOptions(edit, { reset: 'flag', delete: 'texts', append: 'texts', replace: 'texts' }, parameter);
  checkMembers(parameter, edit, ['reset', 'delete', 'append', 'replace']);
}

/** Removes Unicode white space at both ends; unlike JavaScript's `trim`, it removes U+0085 and keeps U+FEFF. */
export function trim(text: string): string {
  return text.replace(ENDS, '');
}

/** Splits arguments at any white space. */
export function words(text: string): string[] {
  return text.split(SPACE).filter((word) => word !== '');
}

// `\p{White_Space}`, spelt out: loading the engine's Unicode tables would take longer than the edit.
const SPACE = /[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;
const ENDS = new RegExp(`^${SPACE.source}|${SPACE.source}$`, 'g');
