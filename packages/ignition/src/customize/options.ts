import type { Outcome } from '@coreiso/diagnostics';

/** A file that is read when it is needed. `name` may be a path; its last part names the result. */
export interface NamedInput {
  readonly name: string;
  read(): Uint8Array | string | Promise<Uint8Array | string>;
}

/** The options of `coreos-installer iso customize`. Lists keep their order. */
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

/** The image to customise, and how to treat the inputs. */
export interface CustomizeContext {
  /** The features in the image's `features.json`; an absent feature is unsupported. */
  readonly features: {
    readonly installerConfig?: boolean;
    readonly liveInitrdNetwork?: boolean;
    readonly installerConfigDirectives?: { readonly console?: boolean };
  };
  /** How the image boots; affects `messages` and `description`. */
  readonly target?: 'iso' | 'pxe' | undefined;
  /** Whether the image has areas for kernel arguments; network boots never have them. */
  readonly kargs?: boolean | undefined;
  /** Turns a network state into keyfiles, e.g. `generateKeyfiles` of `@coreiso/nmstate`. */
  readonly toKeyfiles?: (
    text: string,
  ) => Outcome<Customization['changes']['keyfiles']> | Promise<Outcome<Customization['changes']['keyfiles']>>;
  /** How to treat a user's config of an unknown newer spec: embed it unchanged with a warning, or refuse it as coreos-installer does. */
  readonly newer?: 'pass' | 'refuse' | undefined;
  /** `strict`, the default, refuses settings that coreos-installer accepts but that fail at boot; `compatible` warns about them. */
  readonly mode?: 'strict' | 'compatible' | undefined;
  /** Called with each of `messages` when coreos-installer would print it. */
  readonly onMessage?: ((message: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The result of `customize`. */
export interface Customization {
  /** The edit of a live image, ready for `edit` of `@coreiso/iso`. It replaces all earlier customisations except kernel arguments. */
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
  /** A phrase that says what the image does at boot. */
  readonly description: string;
  /** The messages of coreos-installer on stderr, without their last line ends. */
  readonly messages: readonly string[];
  /** Whether the installer starts automatically and overwrites the disk. */
  readonly runsInstaller: boolean;
}
