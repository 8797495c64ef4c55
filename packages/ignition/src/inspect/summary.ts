import { parseJson } from '@coreiso/diagnostics';
import { checkArgument } from '@coreiso/peers/arguments';
import { showLine } from '@coreiso/peers/controls';
import { decode } from '../parse/decode.ts';
import type { Config, File, Resource, Unit } from '../spec/generated/types.ts';
import { modelOf } from '../spec/model.ts';
import { stringifyConfig } from '../spec/stringify.ts';
import { asConfig } from '../spec/values.ts';
import { NEWEST_STABLE, readVersion, SPEC_VERSIONS } from '../spec/version.ts';
import { unpackSource } from './contents.ts';
import { type Expiry, findExpiries } from './expiry.ts';
import { redactText } from './redact.ts';

/** A summary of a config as plain data, without secrets. */
export interface ConfigSummary {
  readonly version: string;
  /** Merged configs, as URLs or `embedded, N bytes`. */
  readonly merges: readonly string[];
  readonly replacedBy: string | undefined;
  readonly certificateAuthorities: number;
  readonly proxies: readonly string[];
  readonly users: readonly { readonly name: string; readonly sshKeys: number; readonly password: boolean }[];
  readonly groups: readonly string[];
  readonly disks: readonly string[];
  readonly filesystems: readonly string[];
  readonly directories: readonly string[];
  readonly files: readonly {
    readonly path: string;
    readonly mode: string | undefined;
    /** `N bytes`, a URL, or another source of the content. */
    readonly content: string;
  }[];
  readonly links: readonly string[];
  readonly units: readonly {
    readonly name: string;
    readonly state: string;
    readonly dropins: readonly string[];
  }[];
  readonly kernelArguments: { readonly added: readonly string[]; readonly removed: readonly string[] };
  readonly expiries: readonly Expiry[];
}

/**
 * Summarises a config, without its secrets.
 *
 * @example console.log(formatSummary(summarizeConfig(config)))
 */
export function summarizeConfig(config: Config): ConfigSummary {
  checkArgument('config', config, 'object');
  const { ignition, passwd = {}, storage = {}, systemd = {}, kernelArguments = {} } = readableParts(config);
  checkArgument('config.ignition', ignition, 'object');
  return {
    version: ignition.version,
    merges: (ignition.config?.merge ?? []).map(sourceText),
    replacedBy: ignition.config?.replace?.source === undefined ? undefined : sourceText(ignition.config.replace),
    certificateAuthorities: ignition.security?.tls?.certificateAuthorities?.length ?? 0,
    proxies: [ignition.proxy?.httpProxy, ignition.proxy?.httpsProxy].filter((url) => url !== undefined).map(redactText),
    users: (passwd.users ?? []).map(({ name, sshAuthorizedKeys = [], passwordHash }) => ({
      name,
      sshKeys: sshAuthorizedKeys.length,
      password: passwordHash !== undefined && passwordHash !== '',
    })),
    groups: (passwd.groups ?? []).map(({ name }) => name),
    disks: (storage.disks ?? []).map(({ device, wipeTable, partitions = [] }) => {
      const wiped = wipeTable ? 'wiped, ' : '';
      return `${device} (${wiped}${count(partitions.length, 'partition')})`;
    }),
    filesystems: (storage.filesystems ?? []).map(({ device, format, path, wipeFilesystem }) => {
      const parts = [device, format, path ? `at ${path}` : '', wipeFilesystem ? '(wiped)' : ''];
      return parts.filter(Boolean).join(' ');
    }),
    directories: (storage.directories ?? []).map(({ path }) => path),
    files: (storage.files ?? []).map(summarizeFile),
    links: (storage.links ?? []).map(({ path, target }) => `${path} → ${target}`),
    units: (systemd.units ?? []).map(summarizeUnit),
    kernelArguments: {
      added: (kernelArguments.shouldExist ?? []).map(redactText),
      removed: kernelArguments.shouldNotExist ?? [],
    },
    expiries: findExpiries(config),
  };
}

/**
 * The parts of a config that can be shown. In a newer spec every member may have another type, so it keeps only members that are
 * valid in the newest known spec.
 */
function readableParts(config: Config): Config {
  const version = (config.ignition as Config['ignition'] | undefined)?.version;
  if (version !== undefined && readVersion(String(version)).kind === 'known') return config;
  const text = parseJson(stringifyConfig(config));
  if (!text.ok || text.value.root === undefined) return config;
  const newest = SPEC_VERSIONS.at(-1) ?? NEWEST_STABLE;
  const known = asConfig(decode(text.value.root, modelOf(newest)).values);
  return version === undefined ? known : { ...known, ignition: { ...known.ignition, version: String(version) } };
}

/**
 * Formats a summary as text, one line per entry, with control characters made visible. Expiry is judged at `now`.
 *
 * @example console.log(formatSummary(summarizeConfig(config)))
 */
export function formatSummary(summary: ConfigSummary, options: { readonly now?: Date } = {}): string {
  checkArgument('options', options, 'object');
  const { now = new Date() } = options;
  checkArgument('summary', summary, 'object');
  checkArgument('summary.kernelArguments', summary.kernelArguments, 'object');
  const { added, removed } = summary.kernelArguments;
  const lines = [
    `Ignition config, spec ${summary.version}`,
    ...section('merges', summary.merges),
    ...section('replaced by', summary.replacedBy === undefined ? [] : [summary.replacedBy]),
    ...section(
      'trusts',
      summary.certificateAuthorities === 0 ? [] : [count(summary.certificateAuthorities, 'extra authority file')],
    ),
    ...section('fetches through', summary.proxies),
    ...section('users', summary.users.map(userText)),
    ...section('groups', summary.groups),
    ...section('disks', summary.disks),
    ...section('filesystems', summary.filesystems),
    ...section('directories', summary.directories),
    ...section(
      'files',
      summary.files.map(({ path, mode, content }) => [path, mode, content].filter(Boolean).join('  ')),
    ),
    ...section('links', summary.links),
    ...section('units', summary.units.map(unitText)),
    ...section('kernel arguments', [...added.map((karg) => `+ ${karg}`), ...removed.map((karg) => `- ${karg}`)]),
    ...section(
      'expires',
      summary.expiries.map((expiry) => expiryText(expiry, now)),
    ),
  ];
  return `${lines.map(showLine).join('\n')}\n`;
}

function section(title: string, entries: readonly string[]): string[] {
  return entries.length === 0 ? [] : [`${title}:`, ...entries.map((entry) => `  ${entry}`)];
}

function userText({ name, sshKeys, password }: ConfigSummary['users'][number]): string {
  const access = [...(sshKeys > 0 ? [count(sshKeys, 'SSH key')] : []), ...(password ? ['a password'] : [])];
  return access.length === 0 ? name : `${name}: ${access.join(' and ')}`;
}

function unitText({ name, state, dropins }: ConfigSummary['units'][number]): string {
  return [name, state, dropins.length > 0 ? `with ${dropins.join(', ')}` : ''].filter(Boolean).join('  ');
}

function expiryText({ kind, name, notAfter, within }: Expiry, now: Date): string {
  const days = Math.floor((notAfter.getTime() - now.getTime()) / 86_400_000);
  const when = days < 0 ? 'expired' : days === 0 ? 'within a day' : `in ${count(days, 'day')}`;
  const what = name === '' ? kind : `${kind} ${name}`;
  return `${notAfter.toISOString().replace('.000Z', 'Z')} (${when})  ${what}${within.length > 0 ? ` in ${within.join(' in ')}` : ''}`;
}

function summarizeFile({ path, mode, contents, append = [] }: File): ConfigSummary['files'][number] {
  const content = [
    ...(contents?.source === undefined ? [] : [sourceText(contents)]),
    ...append.map((piece) => `+ ${sourceText(piece)}`),
  ];
  return {
    path,
    mode: mode === undefined ? undefined : Number(mode).toString(8).padStart(4, '0'),
    content: content.join(' '),
  };
}

function summarizeUnit({ name, enabled, mask, contents, dropins = [] }: Unit): ConfigSummary['units'][number] {
  const states = [mask ? 'masked' : '', enabled === undefined ? '' : enabled ? 'enabled' : 'disabled'];
  const state = [...states.filter(Boolean), ...(contents === undefined ? [] : [count(contents.length, 'character')])];
  return { name, state: state.join(', '), dropins: dropins.map((each) => each.name) };
}

function sourceText({ source = '', compression }: Resource): string {
  if (!source.startsWith('data:')) return redactText(source);
  const bytes = unpackSource(source, compression);
  return bytes === undefined ? 'broken data' : count(bytes.length, 'byte');
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
