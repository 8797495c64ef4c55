import type { Outcome } from '@coreiso/diagnostics';

/** A file that is read when its turn comes; `name` may be a path, of which the last part names what is made from it. */
export interface NamedInput {
  readonly name: string;
  read(): Uint8Array | string | Promise<Uint8Array | string>;
}

/** What the image is to do, in the words of `coreos-installer iso customize`. Lists keep their order. */
export interface CustomizeOptions {
  /** Ignition configs of the installed system. */
  readonly destIgnition?: readonly NamedInput[] | undefined;
  /** The disk that is overwritten without asking. */
  readonly destDevice?: string | undefined;
  /** Consoles of the installed system, kernel and boot loader: `ttyS0,115200n8`, `tty0`. */
  readonly destConsole?: readonly string[] | undefined;
  readonly destKargAppend?: readonly string[] | undefined;
  readonly destKargDelete?: readonly string[] | undefined;
  /** NetworkManager profiles for the live system, copied to the installed one. */
  readonly networkKeyfile?: readonly NamedInput[] | undefined;
  /** Network states; they need `toKeyfiles` in the context. */
  readonly networkNmstate?: readonly NamedInput[] | undefined;
  /** Certificate authorities that Ignition trusts, live and installed. */
  readonly ignitionCa?: readonly NamedInput[] | undefined;
  readonly preInstall?: readonly NamedInput[] | undefined;
  readonly postInstall?: readonly NamedInput[] | undefined;
  readonly installerConfig?: readonly NamedInput[] | undefined;
  /** Ignition configs of the live system. */
  readonly liveIgnition?: readonly NamedInput[] | undefined;
  readonly liveKargAppend?: readonly string[] | undefined;
  readonly liveKargDelete?: readonly string[] | undefined;
  /** `KEY=OLD=NEW`. */
  readonly liveKargReplace?: readonly string[] | undefined;
}

/** Where a customisation takes place. */
export interface CustomizeContext {
  /** What the image says it understands, from its `features.json`; absent means no. */
  readonly features: {
    readonly installerConfig?: boolean;
    readonly liveInitrdNetwork?: boolean;
    readonly installerConfigDirectives?: { readonly console?: boolean };
  };
  /** How the image is started; decides what `messages` and `description` say. */
  readonly target?: 'iso' | 'pxe' | undefined;
  /** Whether the image has areas for kernel arguments; network boots never have. */
  readonly kargs?: boolean | undefined;
  /** Turns a network state into keyfiles, e.g. `generateKeyfiles` of `@coreiso/nmstate`. */
  readonly toKeyfiles?: (
    text: string,
  ) => Outcome<Customization['changes']['keyfiles']> | Promise<Outcome<Customization['changes']['keyfiles']>>;
  /** A user's config of a spec newer than known: taken as it is, with a warning, or refused as coreos-installer does. */
  readonly newer?: 'pass' | 'refuse' | undefined;
  /** `strict`, the default, refuses what coreos-installer accepts although it cannot work at boot; `compatible` warns of it. */
  readonly mode?: 'strict' | 'compatible' | undefined;
  /** Gets each of `messages` at the moment coreos-installer would print it. */
  readonly onMessage?: ((message: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What `customize` makes of its options. */
export interface Customization {
  /** The edit of a live image, ready for `edit` of `@coreiso/iso`. All earlier customisations but kernel arguments go. */
  readonly changes: {
    readonly ignition: Uint8Array | null;
    /** NetworkManager profiles by their file names. */
    readonly keyfiles: readonly { readonly name: string; readonly content: string | Uint8Array }[];
    readonly files: readonly never[];
    /** Absent unless kernel arguments were requested; they start from the image's defaults. */
    readonly kargs?: {
      readonly reset: true;
      readonly append: readonly string[];
      readonly delete: readonly string[];
      readonly replace: readonly string[];
    };
  };
  /** What the image will do at boot, as a phrase. */
  readonly description: string;
  /** What coreos-installer prints on stderr, without the last line end of each. */
  readonly messages: readonly string[];
  /** Whether the installer starts by itself, and with it everything it overwrites. */
  readonly runsInstaller: boolean;
}
