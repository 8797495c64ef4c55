// Every code of this package's findings, without the prefix `ignition/`; the README has the same list. It is one long file
// because it is one table. Rules of ignition-validate have its texts.

/** Findings that make a config unusable. The code that reports a finding completes texts that end in a colon or name a number. */
export const ERRORS = {
  'duplicate-entry': 'duplicate entry defined',
  'version-unreadable': "invalid config version (couldn't parse)",
  'version-unsupported': 'unsupported config version',
  'path-not-specified': 'path not specified',
  'path-not-absolute': 'path not absolute',
  'path-not-simplified': 'path is not fully simplified',
  'source-required': 'source is required',
  'url-unparsable': 'unable to parse url',
  'url-scheme': 'invalid url scheme',
  's3-version-id': 'invalid S3 object VersionId',
  's3-arn': 'invalid S3 ARN format',
  'data-url': '',
  'proxy-scheme': 'proxies must be http(s)',
  'compression-unknown': 'invalid compression method',
  'hash-without-source': 'source must be specified if verification is specified',
  'hash-malformed': 'malformed hash specifier',
  'hash-unknown': 'unrecognized hash function',
  'hash-length': 'incorrect size for hash sum',
  'header-scheme': 'cannot use HTTP headers with this source scheme',
  'header-name-required': "HTTP header name can't be empty",
  'header-value-empty': 'unable to parse HTTP header',
  'owner-ambiguous': 'cannot set both id and name',
  'mode-illegal': 'illegal file mode',
  'overwrite-without-source': 'overwrite must be false if source is unspecified',
  'path-conflicts-with-unit': 'path conflicts with systemd unit or dropin',
  'directory-below-link': 'directory path includes link in config',
  'file-below-link': 'file path includes link in config',
  'link-below-link': 'link path includes link in config',
  'link-target-required': 'link target is required',
  'hard-link-to-directory': 'hard link target is a directory',
  'device-required': 'disk device is required',
  'partition-numbers-collide': 'partition numbers collide',
  'partitions-overlap': 'partitions overlap',
  'partition-label-repeated': 'cannot use the same partition label twice',
  'partition-absent-with-options': 'shouldExist specified false with other options also specified',
  'partition-unidentified': 'a partition number >= 1 or a label must be specified',
  'partition-label-length': 'partition labels may not exceed 36 characters',
  'partition-label-colon': 'partition label will be truncated to text before the colon',
  'guid-malformed': 'doesn\'t match the form "01234567-89AB-CDEF-EDCB-A98765432101"',
  'raid-level-required': 'raid level is required',
  'raid-level-unknown': 'unrecognized raid level',
  'raid-spares': 'spares unsupported for linear and raid0 arrays',
  'raid-devices-required': 'raid devices required',
  'luks-name-slash': 'device names cannot contain slashes',
  'luks-label-length': 'luks device labels cannot be longer than 47 characters',
  'clevis-conflict': 'cannot use custom clevis config with tpm2, tang, or threshold',
  'key-file-source': 'invalid key-file source',
  'cex-with-clevis': 'cannot use cex with clevis',
  'cex-with-key-file': 'cannot use key file with cex',
  'clevis-pin-required': 'missing required custom clevis pin',
  'clevis-pin-unknown': 'unsupported clevis pin',
  'clevis-config-required': 'missing required custom clevis config',
  'tang-thumbprint-required': 'thumbprint is required',
  'tang-advertisement': 'advertisement is not valid JSON',
  'filesystem-format-unknown': 'invalid filesystem format',
  'filesystem-format-required':
    'format cannot be empty when path, label, uuid, wipeFilesystem, options, or mountOptions is specified',
  'filesystem-label-without-format': 'filesystem must specify format if label is specified',
  'filesystem-label-length': 'filesystem labels cannot be longer than ',
  'virtiofs-label': 'filesystem labels cannot be set when using virtiofs',
  'virtiofs-tag-required': 'device not specified',
  'virtiofs-tag-length': 'virtiofs device tag cannot be longer than 36 bytes',
  'virtiofs-uuid': 'filesystem uuid cannot be set for non-block-device filesystems',
  'virtiofs-wipe': 'wipeFilesystem cannot be set for non-block-device filesystems',
  'virtiofs-options': 'filesystem options (mkfs) cannot be set for non-block-device filesystems',
  'unit-extension': 'invalid systemd unit extension',
  'unit-contents': 'invalid unit content: ',
  'dropin-extension': 'invalid systemd drop-in extension',
  'too-many-findings': 'too many findings; the rest is not reported',
} as const;

/** Findings that do not prevent a boot. */
export const WARNINGS = {
  'unused-key': 'unused key ',
  'not-an-object': 'context tree does not match content tree at ',
  'proxy-insecure': 'insecure plaintext HTTP proxy specified for HTTPS resources',
  'mode-special-bits': 'setuid/setgid/sticky bits are not supported or functional in spec versions older than 3.6.0',
  'hard-link-owner': 'user/group ignored for hard link',
  'filesystem-over-partitions': 'filesystem overwrites partitioned device',
  'filesystem-wiped': 'device matches disk with wipeTable enabled; filesystem will be wiped',
  'unit-without-install': 'unit ',
  'template-without-install': 'template unit ',
} as const;

export type Rule = keyof typeof ERRORS | keyof typeof WARNINGS;

/** Findings without a rule in ignition-validate, with their meaning. */
export const OTHERS = {
  // Reading.
  syntax: 'The text is not JSON.',
  type: 'A value has the wrong type.',
  empty: 'There is no config.',
  'too-long': 'The text is too long.',
  'version-newer': 'The version is newer than the known ones; nothing was checked.',
  // Translating.
  'not-expressible': 'The version does not support it.',
  'advertisement-dropped': 'The advertisement of a tang server is lost.',
  'mode-bits-cleared': 'Bits of a mode are lost.',
  // Customizing: refused by coreos-installer.
  'unsupported-by-image': 'The live image is too old for it.',
  'invalid-json': 'A config cannot be read as coreos-installer reads it.',
  'invalid-network-state': 'A network state is refused.',
  'invalid-installer-config': 'A file of installer settings cannot be read.',
  'invalid-console': 'A console argument is malformed.',
  'missing-file-name': 'A path names no file.',
  'duplicate-keyfile': 'Two keyfiles have one name.',
  'duplicate-path': 'Two files have one path.',
  'duplicate-unit': 'Two units have one name.',
  // Customizing: accepted by coreos-installer, but fails later.
  'unsafe-file-name': 'The name is invalid for a file of an image.',
  'config-refused-at-boot': 'Ignition refuses the config when the machine boots.',
  'config-disabled-by-kargs': 'Kernel arguments keep Ignition from running.',
  'no-destination-device': 'The installer does not know where to install.',
  'two-destination-devices': 'The installer gets two disks.',
  'destination-not-a-path': 'The disk is not a path.',
  'conflicting-installer-settings': 'Two settings of the installer exclude each other.',
  'value-with-leading-dash': 'The installer would read a value as an option.',
  'scripts-never-run': 'There are scripts but no installation.',
  'script-name-breaks-unit': 'The name of a script breaks the line of its unit.',
  'script-not-executable': 'A script has no first line that names its program.',
} as const;

/** A code of this package. */
export type FindingCode = `ignition/${Code}`;
export type Code = Rule | keyof typeof OTHERS;

/** The severity and the message of a rule; `detail` completes messages that name something. */
export function findingOf(rule: Rule, detail = ''): { severity: 'error' | 'warning'; message: string } {
  if (rule in WARNINGS) return { severity: 'warning', message: WARNINGS[rule as keyof typeof WARNINGS] + detail };
  return { severity: 'error', message: ERRORS[rule as keyof typeof ERRORS] + detail };
}
