/** What a machine does, a sentence each. */
export interface BootOutline {
  /** From the image. */
  readonly first: string;
  /** The one after that, by itself. */
  readonly second: string;
  /** Any other, also if the image is still there. */
  readonly later: string;
}
