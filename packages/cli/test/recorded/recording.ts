/** The contents of a file: one of the keys from `text` to `concat` makes the bytes, the keys after it change them. */
export interface Input {
  readonly text?: string;
  readonly base64?: string;
  readonly xz?: string;
  readonly fixture?: string;
  readonly sample?: { readonly kind: string };
  readonly stream?: { readonly seed: string; readonly bytes: number; readonly encode?: BufferEncoding };
  readonly repeat?: { readonly text: string; readonly count: number };
  readonly concat?: readonly Input[];
  readonly replace?: readonly { readonly find: string; readonly with: string }[];
  readonly patch?: readonly (Input & { readonly at: number; readonly hex?: string; readonly zero?: number })[];
  readonly truncate?: number;
  readonly extend?: number;
  readonly dir?: boolean;
  readonly link?: string;
}

export type Inputs = Readonly<Record<string, Input>>;

/** The answer of a server for a path. */
export interface Served {
  readonly file?: Input;
  /** Default: 200. */
  readonly status?: number;
  /** The target of a redirect. */
  readonly location?: string;
  /** The number of 503 answers before this one. */
  readonly busy?: number;
  /** The number of bytes before the connection breaks. */
  readonly cut?: number;
}

export interface RecordedMember {
  readonly name: string;
  readonly mode: string;
  readonly sha256?: string;
  /** A config with its data URLs unpacked, keys sorted and nulls dropped. */
  readonly config?: unknown;
  /** The same config with its order of keys and its nulls. */
  readonly opened?: unknown;
}

export interface RecordedArchive {
  readonly cpio: { readonly bytes: number; readonly sha256: string };
  readonly members: readonly RecordedMember[];
}

export interface RecordedRegion {
  readonly kind: 'initrd' | 'kargs' | 'miniso';
  readonly offset: number;
  readonly length: number;
  readonly sha256: string;
  readonly archive?: RecordedArchive;
  readonly miniso?: unknown;
}

export interface RecordedContent {
  readonly bytes: number;
  readonly sha256: string;
  /** Digest of an image with its regions set to zero. */
  readonly outside?: string;
  readonly regions?: readonly RecordedRegion[];
  readonly prefix?: { readonly file: string; readonly bytes: number };
  readonly archive?: RecordedArchive;
}

export type RecordedFile = { readonly mode?: string } & (
  | RecordedContent
  | { readonly dir: true }
  | { readonly other: true }
);

/** The recorded behaviour of a program in one step. */
export interface Expectation {
  readonly exit: number;
  readonly stdout: RecordedContent | { readonly text: string } | { readonly any: true };
  readonly stderr: {
    readonly text?: string;
    /** The part of the message that another program may word differently. */
    readonly loose?: 'cause' | 'head' | 'number';
    readonly panic?: boolean;
    readonly help?: boolean;
    /** The text differs from run to run. */
    readonly race?: boolean;
  };
  readonly files: Readonly<Record<string, RecordedFile>>;
  readonly removed?: readonly string[];
}

export interface Step {
  readonly argv: readonly string[];
  readonly stdin?: Input & { readonly file?: string };
  readonly inputs?: Inputs;
  readonly remove?: readonly string[];
}

export interface Case<S extends Step = Step> {
  readonly id: string;
  readonly about?: string;
  readonly inputs?: Inputs;
  /** The answers of a server by path; `$SERVER` stands for its address in arguments, texts and output. */
  readonly served?: Readonly<Record<string, Served>>;
  readonly steps: readonly S[];
}

export type RecordedStep = Step & { readonly expect: Expectation };
export type RecordedCase = Case<RecordedStep>;

/** One file of a recording. */
export interface Recording {
  readonly tool: string;
  readonly cases: readonly RecordedCase[];
}
