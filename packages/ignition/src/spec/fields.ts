// The table of fields of every Ignition 3.x spec. It is one long file because it is one table. Types, JSON Schemas, the walker,
// merge and translation all use it. Members are in the order in which Ignition walks and writes them.

/** Minor numbers of spec 3.x, both included; 7 is 3.7.0-experimental. */
export type Span = readonly [first: number, last: number];

const LAST = 7;
const ALWAYS: Span = [0, LAST];
const NEVER: Span = [LAST + 1, LAST];
const since = (first: number): Span => [first, LAST];
const until = (last: number): Span => [0, last];

export type ScalarType = 'string' | 'integer' | 'boolean';

/** One member of an object. Defaults: since 3.0.0, not a list, optional, no constraint. */
export interface Member {
  readonly type: ScalarType | ShapeName;
  readonly since?: number;
  /** A list of `type`. A merge combines items of `keyed` lists by key, and concatenates `appended` lists. */
  readonly list?: 'keyed' | 'appended';
  /** Lists of one object that share one key space. */
  readonly group?: 'node' | 'kernelArgument';
  /** Versions where absent differs from empty. Default: all for scalars, none for objects. */
  readonly nullable?: Span;
  /** Versions where a writer omits an empty value although absent and empty are the same. */
  readonly omitted?: Span;
  readonly required?: Span;
  readonly nonEmpty?: Span;
  /** The only values allowed, each with the versions that allow it. */
  readonly values?: Readonly<Record<string, Span>>;
  /** Versions where only `values` are allowed; later ones accept any text. */
  readonly valuesIn?: Span;
  /** Regular expressions, each with the versions that know it. The text, or each item, has to match one. */
  readonly patterns?: Readonly<Record<string, Span>>;
  /** A URL whose scheme must be one of these; an empty text passes unless `nonEmpty`. */
  readonly schemes?: Readonly<Record<string, Span>>;
  /** In bytes of UTF-8. */
  readonly maxLength?: number;
  readonly range?: readonly [minimum: number, maximum: number];
  readonly minItems?: number;
  /** Versions where list items may be null. */
  readonly nullItems?: Span;
}

export interface Shape {
  /** The key of an item of a keyed list of this shape. */
  readonly key?: string;
  readonly members: Readonly<Record<string, Member>>;
}

/** The schemes of sources, with their versions. */
export const SOURCE_SCHEMES: Readonly<Record<string, Span>> = {
  http: ALWAYS,
  https: ALWAYS,
  tftp: ALWAYS,
  s3: ALWAYS,
  gs: since(2),
  arn: since(4),
  data: ALWAYS,
};

/** Hash functions of `verification.hash` with the length of their hexadecimal digest. */
export const HASHES: Readonly<Record<string, { readonly digits: number; readonly in: Span }>> = {
  sha512: { digits: 128, in: ALWAYS },
  sha256: { digits: 64, in: since(1) },
};

export const COMPRESSIONS: Readonly<Record<string, Span>> = { '': ALWAYS, gzip: ALWAYS };

/** The longest label in bytes by filesystem format; Infinity if a format has no limit. */
export const FORMATS: Readonly<Record<string, { readonly label: number; readonly in: Span }>> = {
  ext4: { label: 16, in: ALWAYS },
  btrfs: { label: 256, in: ALWAYS },
  xfs: { label: 12, in: ALWAYS },
  swap: { label: 15, in: ALWAYS },
  vfat: { label: 11, in: ALWAYS },
  none: { label: Number.POSITIVE_INFINITY, in: since(3) },
  virtiofs: { label: 0, in: since(7) },
};

/** RAID levels without redundancy, which cannot have spares. */
export const STRIPED_LEVELS: readonly string[] = ['linear', 'raid0', '0', 'stripe'];

const REDUNDANT_LEVELS = 'raid1 1 mirror raid4 4 raid5 5 raid6 6 raid10 10'.split(' ');

export const RAID_LEVELS: readonly string[] = [...STRIPED_LEVELS, ...REDUNDANT_LEVELS];

/** The only Clevis pins in specs before 3.6.0. */
export const CUSTOM_PINS: readonly string[] = ['tpm2', 'tang', 'sss'];

export const UNIT_SUFFIXES: readonly string[] =
  '.service .socket .device .mount .automount .swap .target .path .timer .snapshot .slice .scope'.split(' ');

const CLEAN_PATH = '^/(?:(?!\\.{1,2}(?:/|$))[^/]+(?:/(?!\\.{1,2}(?:/|$))[^/]+)*)?$';
const HEX = '[0-9A-Fa-f]';

const string = { type: 'string' } as const;
const integer = { type: 'integer' } as const;
const boolean = { type: 'boolean' } as const;
/** A text that identifies its object. */
const name = { type: 'string', nullable: NEVER, required: ALWAYS } as const;
const path = { ...name, nonEmpty: ALWAYS, patterns: { [CLEAN_PATH]: ALWAYS } } as const;
const guid = { ...string, patterns: { [`^(?:|${HEX}{8}-(?:${HEX}{4}-){3}${HEX}{12})$`]: ALWAYS } } as const;
const mode = { ...integer, range: [0, 0o7777] } as const;
const strings = { type: 'string', list: 'keyed' } as const;
const source = { ...string, schemes: SOURCE_SCHEMES } as const;
const suffix = (suffixes: readonly string[]): Record<string, Span> => ({
  [`(?:${suffixes.join('|').replaceAll('.', '\\.')})$`]: ALWAYS,
});
const allowed = (values: readonly string[]): Record<string, Span> =>
  Object.fromEntries(values.map((value) => [value, ALWAYS]));

const resource = {
  compression: { ...string, values: COMPRESSIONS },
  httpHeaders: { type: 'HttpHeader', list: 'keyed', since: 1 },
  source,
  verification: { type: 'Verification' },
} as const;
const reference = { ...resource, compression: { ...resource.compression, since: 1 } } as const;

const node = {
  group: { type: 'Owner' },
  overwrite: boolean,
  path,
  user: { type: 'Owner' },
} as const;

export type ShapeName =
  | 'Config'
  | 'Ignition'
  | 'ConfigReferences'
  | 'MergeReference'
  | 'ReplaceReference'
  | 'HttpHeader'
  | 'Verification'
  | 'ProxySettings'
  | 'Security'
  | 'Tls'
  | 'CertificateAuthority'
  | 'Timeouts'
  | 'KernelArguments'
  | 'Passwd'
  | 'Group'
  | 'User'
  | 'Storage'
  | 'Owner'
  | 'Directory'
  | 'Disk'
  | 'Partition'
  | 'File'
  | 'Resource'
  | 'Filesystem'
  | 'Link'
  | 'Luks'
  | 'Cex'
  | 'Clevis'
  | 'CustomPin'
  | 'Tang'
  | 'Raid'
  | 'Systemd'
  | 'Unit'
  | 'Dropin';

/** Every object of a config by its name here; `Config` is the root. */
export const SHAPES: Readonly<Record<ShapeName, Shape>> = {
  Config: {
    members: {
      ignition: { type: 'Ignition', required: ALWAYS },
      kernelArguments: { type: 'KernelArguments', since: 3 },
      passwd: { type: 'Passwd' },
      storage: { type: 'Storage' },
      systemd: { type: 'Systemd' },
    },
  },
  Ignition: {
    members: {
      config: { type: 'ConfigReferences' },
      proxy: { type: 'ProxySettings', since: 1 },
      security: { type: 'Security' },
      timeouts: { type: 'Timeouts' },
      version: { ...name, nonEmpty: ALWAYS, omitted: until(3) },
    },
  },
  ConfigReferences: {
    members: {
      merge: { type: 'MergeReference', list: 'keyed' },
      replace: { type: 'ReplaceReference' },
    },
  },
  MergeReference: {
    key: 'source',
    members: { ...reference, source: { ...source, required: ALWAYS, nonEmpty: since(1) } },
  },
  ReplaceReference: { members: { ...reference, source: { ...source, required: until(0) } } },
  HttpHeader: {
    key: 'name',
    members: { name: { ...name, nonEmpty: ALWAYS }, value: { ...string, nonEmpty: ALWAYS } },
  },
  Verification: {
    members: {
      hash: { ...string, patterns: { '^sha512-[\\s\\S]{128}$': ALWAYS, '^sha256-[\\s\\S]{64}$': since(1) } },
    },
  },
  ProxySettings: {
    members: {
      httpProxy: { ...string, schemes: { http: ALWAYS, https: ALWAYS }, nonEmpty: ALWAYS },
      httpsProxy: { ...string, schemes: { http: ALWAYS, https: ALWAYS }, nonEmpty: ALWAYS },
      noProxy: { ...strings, nullItems: [1, 3] },
    },
  },
  Security: { members: { tls: { type: 'Tls' } } },
  Tls: { members: { certificateAuthorities: { type: 'CertificateAuthority', list: 'keyed' } } },
  CertificateAuthority: {
    key: 'source',
    members: { ...reference, source: { ...source, nullable: since(1), required: ALWAYS, nonEmpty: ALWAYS } },
  },
  Timeouts: { members: { httpResponseHeaders: integer, httpTotal: integer } },
  KernelArguments: {
    members: {
      shouldExist: { ...strings, group: 'kernelArgument' },
      shouldNotExist: { ...strings, group: 'kernelArgument' },
    },
  },
  Passwd: { members: { groups: { type: 'Group', list: 'keyed' }, users: { type: 'User', list: 'keyed' } } },
  Group: {
    key: 'name',
    members: {
      gid: integer,
      name,
      passwordHash: string,
      shouldExist: { ...boolean, since: 2 },
      system: boolean,
    },
  },
  User: {
    key: 'name',
    members: {
      gecos: string,
      groups: strings,
      homeDir: string,
      name,
      noCreateHome: boolean,
      noLogInit: boolean,
      noUserGroup: boolean,
      passwordHash: string,
      primaryGroup: string,
      sshAuthorizedKeys: strings,
      shell: string,
      shouldExist: { ...boolean, since: 2 },
      system: boolean,
      uid: integer,
    },
  },
  Storage: {
    members: {
      directories: { type: 'Directory', list: 'keyed', group: 'node' },
      disks: { type: 'Disk', list: 'keyed' },
      files: { type: 'File', list: 'keyed', group: 'node' },
      filesystems: { type: 'Filesystem', list: 'keyed' },
      links: { type: 'Link', list: 'keyed', group: 'node' },
      luks: { type: 'Luks', list: 'keyed', since: 2 },
      raid: { type: 'Raid', list: 'keyed' },
    },
  },
  Owner: { members: { id: integer, name: string } },
  Directory: { key: 'path', members: { ...node, mode } },
  Disk: {
    key: 'device',
    members: { device: path, partitions: { type: 'Partition', list: 'keyed' }, wipeTable: boolean },
  },
  Partition: {
    key: 'number|label',
    members: {
      guid,
      label: { ...string, maxLength: 36, patterns: { '^[^:]*$': ALWAYS } },
      number: { ...integer, nullable: NEVER, omitted: ALWAYS },
      resize: { ...boolean, since: 2 },
      shouldExist: boolean,
      sizeMiB: integer,
      startMiB: integer,
      typeGuid: guid,
      wipePartitionEntry: boolean,
    },
  },
  File: {
    key: 'path',
    members: {
      ...node,
      append: { type: 'Resource', list: 'appended' },
      contents: { type: 'Resource' },
      mode,
    },
  },
  Resource: { members: resource },
  Filesystem: {
    key: 'device',
    members: {
      // Since 3.7.0-experimental this may be the tag of a virtiofs mount.
      device: { ...path, patterns: { [CLEAN_PATH]: until(6) } },
      format: {
        ...string,
        values: {
          ...Object.fromEntries(Object.entries(FORMATS).map(([format, fact]) => [format, fact.in])),
          '': ALWAYS,
        },
      },
      label: string,
      mountOptions: { ...string, list: 'appended', since: 1 },
      options: { ...string, list: 'appended' },
      path: { ...string, patterns: { '^$': ALWAYS, [CLEAN_PATH]: ALWAYS } },
      uuid: string,
      wipeFilesystem: boolean,
    },
  },
  Link: {
    key: 'path',
    members: {
      ...node,
      hard: boolean,
      target: { ...string, nullable: since(3), required: ALWAYS, nonEmpty: since(3) },
    },
  },
  Luks: {
    key: 'name',
    members: {
      cex: { type: 'Cex', since: 5 },
      clevis: { type: 'Clevis', nullable: until(2) },
      device: { ...path, nullable: ALWAYS },
      discard: { ...boolean, since: 4 },
      keyFile: { type: 'Resource' },
      label: { ...string, maxLength: 47 },
      name: { ...name, patterns: { '^[^/]*$': ALWAYS } },
      openOptions: { ...strings, since: 4 },
      options: { ...string, list: 'appended' },
      uuid: string,
      wipeVolume: boolean,
    },
  },
  Cex: { members: { enabled: boolean } },
  Clevis: {
    members: {
      custom: { type: 'CustomPin', nullable: until(2) },
      tang: { type: 'Tang', list: 'keyed' },
      threshold: integer,
      tpm2: boolean,
    },
  },
  CustomPin: {
    members: {
      config: { ...string, nullable: since(3), required: until(2) },
      needsNetwork: boolean,
      pin: {
        ...string,
        nullable: since(3),
        required: until(2),
        values: allowed(CUSTOM_PINS),
        valuesIn: until(5),
      },
    },
  },
  Tang: {
    key: 'url',
    members: {
      advertisement: { ...string, since: 4 },
      thumbprint: { ...string, required: ALWAYS, nonEmpty: ALWAYS },
      url: { ...name, nonEmpty: ALWAYS, omitted: ALWAYS, schemes: { http: ALWAYS, https: ALWAYS } },
    },
  },
  Raid: {
    key: 'name',
    members: {
      devices: { ...strings, required: ALWAYS, minItems: 1, patterns: path.patterns },
      level: { ...string, nullable: since(3), required: ALWAYS, values: allowed(RAID_LEVELS) },
      name,
      options: { ...string, list: 'appended' },
      spares: integer,
    },
  },
  Systemd: { members: { units: { type: 'Unit', list: 'keyed' } } },
  Unit: {
    key: 'name',
    members: {
      contents: string,
      dropins: { type: 'Dropin', list: 'keyed' },
      enabled: boolean,
      mask: boolean,
      name: { ...name, patterns: suffix(UNIT_SUFFIXES) },
    },
  },
  Dropin: { key: 'name', members: { contents: string, name: { ...name, patterns: suffix(['.conf']) } } },
};

/** Whether a minor number is in a span. */
export function within(span: Span | undefined, minor: number): boolean {
  return span !== undefined && span[0] <= minor && minor <= span[1];
}
