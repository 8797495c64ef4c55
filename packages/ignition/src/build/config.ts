import { checkArgument, checkWord } from '@coreiso/peers/arguments';
import { gzip } from '../codec/gzip.ts';
import { IgnitionError } from '../errors.ts';
import { canonical } from '../spec/canonical.ts';
import type {
  Config,
  Directory,
  Disk,
  File,
  Filesystem,
  Group,
  Link,
  Luks,
  Raid,
  Resource,
  Unit,
  User,
} from '../spec/generated/types.ts';
import { modelOf } from '../spec/model.ts';
import { stringifyConfig } from '../spec/stringify.ts';
import { asConfig, asValues } from '../spec/values.ts';
import { minorOf, NEWEST_STABLE, SPEC_VERSIONS, type SpecVersion } from '../spec/version.ts';
import { minimumVersion } from '../translate/translate.ts';
import { validateConfig } from '../validate/validate.ts';

/** The parts of a config. Lists keep their order. */
export interface ConfigParts {
  /** Version of the specification (default: the lowest that supports all parts, so that most images understand it). */
  readonly version?: SpecVersion | undefined;
  /** Configs to merge over this one, either made by `resource` or fetched by Ignition. */
  readonly merge?: readonly (Resource & { readonly source: string })[] | undefined;
  /** Certificates in PEM that Ignition trusts when it fetches. */
  readonly certificateAuthorities?: readonly (Resource & { readonly source: string })[] | undefined;
  /** The proxy that Ignition itself uses. */
  readonly proxy?: Config['ignition']['proxy'];
  /** Kernel arguments that the installed system must or must not have. */
  readonly kernelArguments?: Config['kernelArguments'];
  readonly users?: readonly User[] | undefined;
  readonly groups?: readonly Group[] | undefined;
  readonly directories?: readonly Directory[] | undefined;
  readonly files?: readonly File[] | undefined;
  readonly links?: readonly Link[] | undefined;
  readonly units?: readonly Unit[] | undefined;
  readonly disks?: readonly Disk[] | undefined;
  readonly raid?: readonly Raid[] | undefined;
  readonly luks?: readonly Luks[] | undefined;
  readonly filesystems?: readonly Filesystem[] | undefined;
}

const LISTS = [
  'merge',
  'certificateAuthorities',
  'users',
  'groups',
  'directories',
  'files',
  'links',
  'units',
  'disks',
  'raid',
  'luks',
  'filesystems',
] as const satisfies readonly (keyof ConfigParts)[];

/**
 * Builds a config with members in Ignition's order and no empty ones. Throws an `IgnitionError` if Ignition would refuse it.
 *
 * @example buildConfig({ files: [file('/etc/motd', 'hello\n')], users: [user('core', { sshAuthorizedKeys: key })] })
 */
export function buildConfig(parts: ConfigParts): Config {
  checkArgument('parts', parts, 'object');
  for (const name of LISTS) if (parts[name] !== undefined) checkArgument(name, parts[name], 'array');
  if (parts.version !== undefined) checkWord('version', parts.version, SPEC_VERSIONS);
  const lowest = minimumVersion(assemble(parts, NEWEST_STABLE));
  const version = parts.version ?? lowest;
  if (minorOf(version) < minorOf(lowest)) {
    throw new IgnitionError('IGNITION_NOT_EXPRESSIBLE', `spec ${version} does not support this; ${lowest} does`);
  }
  const whole = assemble(parts, version);
  const report = validateConfig(whole);
  if (!report.ok) {
    const first = report.diagnostics.find(({ severity }) => severity === 'error');
    throw new IgnitionError('IGNITION_INVALID', `Ignition would refuse the config: ${first?.message ?? ''}`, {
      diagnostics: report.diagnostics,
    });
  }
  return asConfig(canonical(asValues(whole), modelOf(version)));
}

function assemble(parts: ConfigParts, version: SpecVersion): Config {
  const { merge, certificateAuthorities, proxy, kernelArguments } = parts;
  const { users, groups, directories, files, links, units } = parts;
  const { disks, raid, luks, filesystems } = parts;
  return {
    ignition: { config: { merge }, proxy, security: { tls: { certificateAuthorities } }, version },
    kernelArguments,
    passwd: { groups, users },
    storage: { directories, disks, files, filesystems, links, luks, raid },
    systemd: { units },
  };
}

/**
 * Measures a config before it is embedded: a live image has 256 KiB for all its customisations unless it is grown.
 *
 * @example configSize(config).gzip > 256 * 1024 // whether the image will have to grow
 */
export function configSize(config: Config): {
  readonly json: number;
  /** The approximate size in an image, which stores it compressed. */
  readonly gzip: number;
} {
  const json = new TextEncoder().encode(stringifyConfig(config));
  return { json: json.length, gzip: gzip(json).length };
}
