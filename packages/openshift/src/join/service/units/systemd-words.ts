// Values that differ between the units of two images.

export interface UnitValues {
  /** Mirror of the release image, perhaps empty; undefined if only the settings of the service name it. */
  readonly releaseImageMirror: string | undefined;
  /** The certificates that containers trust. */
  readonly caBundle: string;
  /** Whether containers get the machine's list of mirrors. */
  readonly hasMirrors: boolean;
  readonly imageType: 'full-iso' | 'minimal-iso';
  /** Files that a config image may bring; undefined if the image knows its site. */
  readonly configImage?: { readonly expected: readonly string[]; readonly optional: readonly string[] } | undefined;
}

/** A word of a systemd command line: quoted, with specifiers, variables and escapes taken literally. */
export function systemdWord(text: string): string {
  return /^[\w@:./=-]+$/.test(text)
    ? text
    : `"${text.replace(/["\\]/g, '\\$&').replaceAll('%', '%%').replaceAll('$', '$$$$')}"`;
}
