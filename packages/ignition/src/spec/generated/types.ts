// Generated from ../fields.ts by scripts/generate.ts; do not edit.

/** A whole config, in the newest spec this package knows; older specs have fewer members. */
export interface Config {
  /** What Ignition itself needs to know before it reads the rest. */
  readonly ignition: {
    /** Configs that are fetched and merged into this one, or that replace it. */
    readonly config?: {
      /** A config that is merged into this one as its child. */
      readonly merge?: readonly {
        readonly compression?: string | undefined;
        /** Sent with requests for one resource; without a value it removes its namesake in a merge. */
        readonly httpHeaders?: readonly {
          readonly name: string;
          readonly value?: string | undefined;
        }[] | undefined;
        readonly source: string;
        /** What the fetched, decompressed bytes must hash to. */
        readonly verification?: {
          readonly hash?: string | undefined;
        } | undefined;
      }[] | undefined;
      /** A config that takes the place of this one. */
      readonly replace?: {
        readonly compression?: string | undefined;
        /** Sent with requests for one resource; without a value it removes its namesake in a merge. */
        readonly httpHeaders?: readonly {
          readonly name: string;
          readonly value?: string | undefined;
        }[] | undefined;
        readonly source?: string | undefined;
        /** What the fetched, decompressed bytes must hash to. */
        readonly verification?: {
          readonly hash?: string | undefined;
        } | undefined;
      } | undefined;
    } | undefined;
    /** Proxies used while fetching. */
    readonly proxy?: {
      readonly httpProxy?: string | undefined;
      readonly httpsProxy?: string | undefined;
      readonly noProxy?: readonly string[] | undefined;
    } | undefined;
    /** Whom to trust while fetching. */
    readonly security?: {
      /** Trust for HTTPS. */
      readonly tls?: {
        /** A PEM bundle that is trusted beside those of the system. */
        readonly certificateAuthorities?: readonly {
          readonly compression?: string | undefined;
          /** Sent with requests for one resource; without a value it removes its namesake in a merge. */
          readonly httpHeaders?: readonly {
            readonly name: string;
            readonly value?: string | undefined;
          }[] | undefined;
          readonly source: string;
          /** What the fetched, decompressed bytes must hash to. */
          readonly verification?: {
            readonly hash?: string | undefined;
          } | undefined;
        }[] | undefined;
      } | undefined;
    } | undefined;
    /** Seconds to wait while fetching. */
    readonly timeouts?: {
      readonly httpResponseHeaders?: number | bigint | undefined;
      readonly httpTotal?: number | bigint | undefined;
    } | undefined;
    readonly version: string;
  };
  /** Arguments that the installed system must or must not boot with. */
  readonly kernelArguments?: {
    readonly shouldExist?: readonly string[] | undefined;
    readonly shouldNotExist?: readonly string[] | undefined;
  } | undefined;
  /** Accounts of the installed system. */
  readonly passwd?: {
    readonly groups?: readonly Group[] | undefined;
    readonly users?: readonly User[] | undefined;
  } | undefined;
  /** Disks, filesystems and what is put on them. */
  readonly storage?: {
    readonly directories?: readonly Directory[] | undefined;
    readonly disks?: readonly Disk[] | undefined;
    readonly files?: readonly File[] | undefined;
    readonly filesystems?: readonly Filesystem[] | undefined;
    readonly links?: readonly Link[] | undefined;
    readonly luks?: readonly Luks[] | undefined;
    readonly raid?: readonly Raid[] | undefined;
  } | undefined;
  /** Units of the installed system. */
  readonly systemd?: {
    readonly units?: readonly Unit[] | undefined;
  } | undefined;
}

/** A group to create, change or delete. */
export interface Group {
  readonly gid?: number | bigint | undefined;
  readonly name: string;
  readonly passwordHash?: string | undefined;
  readonly shouldExist?: boolean | undefined;
  readonly system?: boolean | undefined;
}

/** A user to create, change or delete. */
export interface User {
  readonly gecos?: string | undefined;
  readonly groups?: readonly string[] | undefined;
  readonly homeDir?: string | undefined;
  readonly name: string;
  readonly noCreateHome?: boolean | undefined;
  readonly noLogInit?: boolean | undefined;
  readonly noUserGroup?: boolean | undefined;
  readonly passwordHash?: string | undefined;
  readonly primaryGroup?: string | undefined;
  readonly sshAuthorizedKeys?: readonly string[] | undefined;
  readonly shell?: string | undefined;
  readonly shouldExist?: boolean | undefined;
  readonly system?: boolean | undefined;
  readonly uid?: number | bigint | undefined;
}

/** A directory to create. */
export interface Directory {
  /** By number or by name, never both. */
  readonly group?: {
    readonly id?: number | bigint | undefined;
    readonly name?: string | undefined;
  } | undefined;
  readonly overwrite?: boolean | undefined;
  readonly path: string;
  /** By number or by name, never both. */
  readonly user?: {
    readonly id?: number | bigint | undefined;
    readonly name?: string | undefined;
  } | undefined;
  readonly mode?: number | bigint | undefined;
}

/** A disk whose partition table is changed. */
export interface Disk {
  readonly device: string;
  /** Found by number, or by label where the number is zero. */
  readonly partitions?: readonly {
    readonly guid?: string | undefined;
    readonly label?: string | undefined;
    readonly number?: number | bigint | undefined;
    readonly resize?: boolean | undefined;
    readonly shouldExist?: boolean | undefined;
    readonly sizeMiB?: number | bigint | undefined;
    readonly startMiB?: number | bigint | undefined;
    readonly typeGuid?: string | undefined;
    readonly wipePartitionEntry?: boolean | undefined;
  }[] | undefined;
  readonly wipeTable?: boolean | undefined;
}

/** A file to create, or to append to. */
export interface File {
  /** By number or by name, never both. */
  readonly group?: {
    readonly id?: number | bigint | undefined;
    readonly name?: string | undefined;
  } | undefined;
  readonly overwrite?: boolean | undefined;
  readonly path: string;
  /** By number or by name, never both. */
  readonly user?: {
    readonly id?: number | bigint | undefined;
    readonly name?: string | undefined;
  } | undefined;
  readonly append?: readonly Resource[] | undefined;
  readonly contents?: Resource | undefined;
  readonly mode?: number | bigint | undefined;
}

/** Bytes from a URL. */
export interface Resource {
  readonly compression?: string | undefined;
  /** Sent with requests for one resource; without a value it removes its namesake in a merge. */
  readonly httpHeaders?: readonly {
    readonly name: string;
    readonly value?: string | undefined;
  }[] | undefined;
  readonly source?: string | undefined;
  /** What the fetched, decompressed bytes must hash to. */
  readonly verification?: {
    readonly hash?: string | undefined;
  } | undefined;
}

/** A filesystem to create or reuse. */
export interface Filesystem {
  readonly device: string;
  readonly format?: string | undefined;
  readonly label?: string | undefined;
  readonly mountOptions?: readonly string[] | undefined;
  readonly options?: readonly string[] | undefined;
  readonly path?: string | undefined;
  readonly uuid?: string | undefined;
  readonly wipeFilesystem?: boolean | undefined;
}

/** A symbolic or hard link to create. */
export interface Link {
  /** By number or by name, never both. */
  readonly group?: {
    readonly id?: number | bigint | undefined;
    readonly name?: string | undefined;
  } | undefined;
  readonly overwrite?: boolean | undefined;
  readonly path: string;
  /** By number or by name, never both. */
  readonly user?: {
    readonly id?: number | bigint | undefined;
    readonly name?: string | undefined;
  } | undefined;
  readonly hard?: boolean | undefined;
  readonly target: string;
}

/** An encrypted volume to create or reuse. */
export interface Luks {
  /** Keys held by an IBM Crypto Express card. */
  readonly cex?: {
    readonly enabled?: boolean | undefined;
  } | undefined;
  /** How an encrypted volume unlocks itself. */
  readonly clevis?: {
    /** A clevis pin configured by hand. */
    readonly custom?: {
      readonly config?: string | undefined;
      readonly needsNetwork?: boolean | undefined;
      readonly pin?: string | undefined;
    } | undefined;
    /** A server that helps to unlock while it can be reached. */
    readonly tang?: readonly {
      readonly advertisement?: string | undefined;
      readonly thumbprint: string;
      readonly url: string;
    }[] | undefined;
    readonly threshold?: number | bigint | undefined;
    readonly tpm2?: boolean | undefined;
  } | undefined;
  readonly device: string;
  readonly discard?: boolean | undefined;
  readonly keyFile?: Resource | undefined;
  readonly label?: string | undefined;
  readonly name: string;
  readonly openOptions?: readonly string[] | undefined;
  readonly options?: readonly string[] | undefined;
  readonly uuid?: string | undefined;
  readonly wipeVolume?: boolean | undefined;
}

/** A software RAID array to create. */
export interface Raid {
  readonly devices: readonly string[];
  readonly level: string;
  readonly name: string;
  readonly options?: readonly string[] | undefined;
  readonly spares?: number | bigint | undefined;
}

/** A systemd unit to write, enable, disable or mask. */
export interface Unit {
  readonly contents?: string | undefined;
  /** A file that changes a few settings of a unit. */
  readonly dropins?: readonly {
    readonly contents?: string | undefined;
    readonly name: string;
  }[] | undefined;
  readonly enabled?: boolean | undefined;
  readonly mask?: boolean | undefined;
  readonly name: string;
}

// Names for what is written in place above.

/** A whole number; a bigint only where a number would lose digits. */
export type Integer = number | bigint;

/** What Ignition itself needs to know before it reads the rest. */
export type Ignition = NonNullable<Config['ignition']>;

/** Configs that are fetched and merged into this one, or that replace it. */
export type ConfigReferences = NonNullable<Ignition['config']>;

/** A config that is merged into this one as its child. */
export type MergeReference = NonNullable<ConfigReferences['merge']>[number];

/** A config that takes the place of this one. */
export type ReplaceReference = NonNullable<ConfigReferences['replace']>;

/** Sent with requests for one resource; without a value it removes its namesake in a merge. */
export type HttpHeader = NonNullable<MergeReference['httpHeaders']>[number];

/** What the fetched, decompressed bytes must hash to. */
export type Verification = NonNullable<MergeReference['verification']>;

/** Proxies used while fetching. */
export type ProxySettings = NonNullable<Ignition['proxy']>;

/** Whom to trust while fetching. */
export type Security = NonNullable<Ignition['security']>;

/** Trust for HTTPS. */
export type Tls = NonNullable<Security['tls']>;

/** A PEM bundle that is trusted beside those of the system. */
export type CertificateAuthority = NonNullable<Tls['certificateAuthorities']>[number];

/** Seconds to wait while fetching. */
export type Timeouts = NonNullable<Ignition['timeouts']>;

/** Arguments that the installed system must or must not boot with. */
export type KernelArguments = NonNullable<Config['kernelArguments']>;

/** Accounts of the installed system. */
export type Passwd = NonNullable<Config['passwd']>;

/** Disks, filesystems and what is put on them. */
export type Storage = NonNullable<Config['storage']>;

/** By number or by name, never both. */
export type Owner = NonNullable<Directory['group']>;

/** Found by number, or by label where the number is zero. */
export type Partition = NonNullable<Disk['partitions']>[number];

/** Keys held by an IBM Crypto Express card. */
export type Cex = NonNullable<Luks['cex']>;

/** How an encrypted volume unlocks itself. */
export type Clevis = NonNullable<Luks['clevis']>;

/** A clevis pin configured by hand. */
export type CustomPin = NonNullable<Clevis['custom']>;

/** A server that helps to unlock while it can be reached. */
export type Tang = NonNullable<Clevis['tang']>[number];

/** Units of the installed system. */
export type Systemd = NonNullable<Config['systemd']>;

/** A file that changes a few settings of a unit. */
export type Dropin = NonNullable<Unit['dropins']>[number];

/** The types above by the name of their row in the table. */
export interface ShapeTypes {
  Config: Config;
  Ignition: Ignition;
  ConfigReferences: ConfigReferences;
  MergeReference: MergeReference;
  ReplaceReference: ReplaceReference;
  HttpHeader: HttpHeader;
  Verification: Verification;
  ProxySettings: ProxySettings;
  Security: Security;
  Tls: Tls;
  CertificateAuthority: CertificateAuthority;
  Timeouts: Timeouts;
  KernelArguments: KernelArguments;
  Passwd: Passwd;
  Group: Group;
  User: User;
  Storage: Storage;
  Owner: Owner;
  Directory: Directory;
  Disk: Disk;
  Partition: Partition;
  File: File;
  Resource: Resource;
  Filesystem: Filesystem;
  Link: Link;
  Luks: Luks;
  Cex: Cex;
  Clevis: Clevis;
  CustomPin: CustomPin;
  Tang: Tang;
  Raid: Raid;
  Systemd: Systemd;
  Unit: Unit;
  Dropin: Dropin;
}
