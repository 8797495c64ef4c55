// Generated from ../fields.ts by scripts/generate.ts; do not edit.

/** A whole number; a bigint only where a number would lose digits. */
export type Integer = number | bigint;

/** A whole config, in the newest spec this package knows; older specs have fewer members. */
export interface Config {
  readonly ignition: Ignition;
  readonly kernelArguments?: KernelArguments | undefined;
  readonly passwd?: Passwd | undefined;
  readonly storage?: Storage | undefined;
  readonly systemd?: Systemd | undefined;
}

/** What Ignition itself needs to know before it reads the rest. */
export interface Ignition {
  readonly config?: ConfigReferences | undefined;
  readonly proxy?: ProxySettings | undefined;
  readonly security?: Security | undefined;
  readonly timeouts?: Timeouts | undefined;
  readonly version: string;
}

/** Configs that are fetched and merged into this one, or that replace it. */
export interface ConfigReferences {
  readonly merge?: readonly MergeReference[] | undefined;
  readonly replace?: ReplaceReference | undefined;
}

/** A config that is merged into this one as its child. */
export interface MergeReference {
  readonly compression?: string | undefined;
  readonly httpHeaders?: readonly HttpHeader[] | undefined;
  readonly source: string;
  readonly verification?: Verification | undefined;
}

/** A config that takes the place of this one. */
export interface ReplaceReference {
  readonly compression?: string | undefined;
  readonly httpHeaders?: readonly HttpHeader[] | undefined;
  readonly source?: string | undefined;
  readonly verification?: Verification | undefined;
}

/** Sent with requests for one resource; without a value it removes its namesake in a merge. */
export interface HttpHeader {
  readonly name: string;
  readonly value?: string | undefined;
}

/** What the fetched, decompressed bytes must hash to. */
export interface Verification {
  readonly hash?: string | undefined;
}

/** Proxies used while fetching. */
export interface ProxySettings {
  readonly httpProxy?: string | undefined;
  readonly httpsProxy?: string | undefined;
  readonly noProxy?: readonly string[] | undefined;
}

/** Whom to trust while fetching. */
export interface Security {
  readonly tls?: Tls | undefined;
}

/** Trust for HTTPS. */
export interface Tls {
  readonly certificateAuthorities?: readonly CertificateAuthority[] | undefined;
}

/** A PEM bundle that is trusted beside those of the system. */
export interface CertificateAuthority {
  readonly compression?: string | undefined;
  readonly httpHeaders?: readonly HttpHeader[] | undefined;
  readonly source: string;
  readonly verification?: Verification | undefined;
}

/** Seconds to wait while fetching. */
export interface Timeouts {
  readonly httpResponseHeaders?: Integer | undefined;
  readonly httpTotal?: Integer | undefined;
}

/** Arguments that the installed system must or must not boot with. */
export interface KernelArguments {
  readonly shouldExist?: readonly string[] | undefined;
  readonly shouldNotExist?: readonly string[] | undefined;
}

/** Accounts of the installed system. */
export interface Passwd {
  readonly groups?: readonly Group[] | undefined;
  readonly users?: readonly User[] | undefined;
}

/** A group to create, change or delete. */
export interface Group {
  readonly gid?: Integer | undefined;
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
  readonly uid?: Integer | undefined;
}

/** Disks, filesystems and what is put on them. */
export interface Storage {
  readonly directories?: readonly Directory[] | undefined;
  readonly disks?: readonly Disk[] | undefined;
  readonly files?: readonly File[] | undefined;
  readonly filesystems?: readonly Filesystem[] | undefined;
  readonly links?: readonly Link[] | undefined;
  readonly luks?: readonly Luks[] | undefined;
  readonly raid?: readonly Raid[] | undefined;
}

/** By number or by name, never both. */
export interface Owner {
  readonly id?: Integer | undefined;
  readonly name?: string | undefined;
}

/** A directory to create. */
export interface Directory {
  readonly group?: Owner | undefined;
  readonly overwrite?: boolean | undefined;
  readonly path: string;
  readonly user?: Owner | undefined;
  readonly mode?: Integer | undefined;
}

/** A disk whose partition table is changed. */
export interface Disk {
  readonly device: string;
  readonly partitions?: readonly Partition[] | undefined;
  readonly wipeTable?: boolean | undefined;
}

/** Found by number, or by label where the number is zero. */
export interface Partition {
  readonly guid?: string | undefined;
  readonly label?: string | undefined;
  readonly number?: Integer | undefined;
  readonly resize?: boolean | undefined;
  readonly shouldExist?: boolean | undefined;
  readonly sizeMiB?: Integer | undefined;
  readonly startMiB?: Integer | undefined;
  readonly typeGuid?: string | undefined;
  readonly wipePartitionEntry?: boolean | undefined;
}

/** A file to create, or to append to. */
export interface File {
  readonly group?: Owner | undefined;
  readonly overwrite?: boolean | undefined;
  readonly path: string;
  readonly user?: Owner | undefined;
  readonly append?: readonly Resource[] | undefined;
  readonly contents?: Resource | undefined;
  readonly mode?: Integer | undefined;
}

/** Bytes from a URL. */
export interface Resource {
  readonly compression?: string | undefined;
  readonly httpHeaders?: readonly HttpHeader[] | undefined;
  readonly source?: string | undefined;
  readonly verification?: Verification | undefined;
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
  readonly group?: Owner | undefined;
  readonly overwrite?: boolean | undefined;
  readonly path: string;
  readonly user?: Owner | undefined;
  readonly hard?: boolean | undefined;
  readonly target: string;
}

/** An encrypted volume to create or reuse. */
export interface Luks {
  readonly cex?: Cex | undefined;
  readonly clevis?: Clevis | undefined;
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

/** Keys held by an IBM Crypto Express card. */
export interface Cex {
  readonly enabled?: boolean | undefined;
}

/** How an encrypted volume unlocks itself. */
export interface Clevis {
  readonly custom?: CustomPin | undefined;
  readonly tang?: readonly Tang[] | undefined;
  readonly threshold?: Integer | undefined;
  readonly tpm2?: boolean | undefined;
}

/** A clevis pin configured by hand. */
export interface CustomPin {
  readonly config?: string | undefined;
  readonly needsNetwork?: boolean | undefined;
  readonly pin?: string | undefined;
}

/** A server that helps to unlock while it can be reached. */
export interface Tang {
  readonly advertisement?: string | undefined;
  readonly thumbprint: string;
  readonly url: string;
}

/** A software RAID array to create. */
export interface Raid {
  readonly devices: readonly string[];
  readonly level: string;
  readonly name: string;
  readonly options?: readonly string[] | undefined;
  readonly spares?: Integer | undefined;
}

/** Units of the installed system. */
export interface Systemd {
  readonly units?: readonly Unit[] | undefined;
}

/** A systemd unit to write, enable, disable or mask. */
export interface Unit {
  readonly contents?: string | undefined;
  readonly dropins?: readonly Dropin[] | undefined;
  readonly enabled?: boolean | undefined;
  readonly mask?: boolean | undefined;
  readonly name: string;
}

/** A file that changes a few settings of a unit. */
export interface Dropin {
  readonly contents?: string | undefined;
  readonly name: string;
}

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
