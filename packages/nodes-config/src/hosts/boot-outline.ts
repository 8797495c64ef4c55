/** The boots of a machine, one sentence each. */
export interface BootOutline {
  /** The first boot, from the image. */
  readonly first: string;
  /** The second boot, which follows automatically. */
  readonly second: string;
  /** All later boots, even if the image is still attached. */
  readonly later: string;
}
