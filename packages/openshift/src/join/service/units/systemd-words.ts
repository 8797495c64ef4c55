// What differs between the units of two images.

export interface UnitValues {
  /** Where the release image is mirrored, perhaps empty; undefined where only the settings of the service say it. */
  readonly releaseImageMirror: string | undefined;
  /** The certificates that containers trust. */
  readonly caBundle: string;
  /** Whether containers get the machine's list of mirrors. */
  readonly hasMirrors: boolean;
  readonly imageType: 'full-iso' | 'minimal-iso';
  /** What a config image may bring; undefined where the image knows its site. */
  readonly configImage?: { readonly expected: readonly string[]; readonly optional: readonly string[] } | undefined;
}

/** A word of a command line of systemd: in quotes, with what would be a specifier, a variable or an escape taken as it is. */
export function systemdWord(text: string): string {
  return /^[\w@:./=-]+$/.test(text)
    ? text
    : `"${text.replace(/["\\]/g, '\\$&').replaceAll('%', '%%').replaceAll('$', '$$$$')}"`;
}
