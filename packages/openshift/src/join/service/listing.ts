// A config in a form that people compare: random values by their kind, fixed files by their name, everything else by value.

import { type Config, decodeDataUrl, type File, type Unit } from '@coreiso/ignition';
import { checkArgument } from '@coreiso/peers/arguments';
import { decodeBase64 } from '@coreiso/peers/go';
import { fixedFiles, NETWORK_SCRIPT } from './fixed-files.ts';
import type { Workflow } from './service-settings.ts';

/** The files and units of a service config, in the form of the recordings of the installer. */
export interface ServiceListing {
  readonly ignitionVersion: string;
  readonly topLevelKeys: readonly string[];
  readonly users: readonly object[];
  readonly directories: readonly object[];
  /** Entries by path, each with one of `text`, `env` and `data`. */
  readonly files: readonly {
    readonly path: string;
    readonly mode: string;
    readonly owner: string | null;
    readonly overwrite: boolean;
    readonly how: 'contents' | 'append';
    readonly mediaType: string;
    readonly text?: string;
    /** Values that are JSON appear parsed. */
    readonly env?: Readonly<Record<string, unknown>>;
    readonly lines?: readonly string[];
    /** Placeholders for contents that are the same in every image, or different in each. */
    readonly data?: string;
  }[];
  readonly units: readonly {
    readonly name: string;
    readonly enabled: true | null;
    readonly dropins: readonly string[];
    /** Section → directive → values; without descriptions and command lines. */
    readonly directives: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
    /** Values that differ between the units of two images. */
    readonly templated?: Readonly<Record<string, string | boolean>>;
  }[];
}

type ListedFile = ServiceListing['files'][number];
type ListedUnit = ServiceListing['units'][number];

/**
 * Lists a config of `serviceConfig` in the form in which the installer's own configs were recorded. The list contains the pull
 * secret, but no tokens, keys or hashes.
 *
 * @example listServiceConfig(serviceConfig(site), 'install').units.map(({ name }) => name)
 */
export function listServiceConfig(config: Config, workflow: Workflow): ServiceListing {
  checkArgument('config', config, 'object');
  checkArgument('config.ignition', config.ignition, 'object');
  const { passwd, storage, systemd } = config;
  return {
    ignitionVersion: config.ignition.version,
    topLevelKeys: Object.keys(config),
    users: (passwd?.users ?? []).map(({ name, sshAuthorizedKeys }) => ({
      name,
      passwordHash: '<bcrypt $2a$10$>',
      sshAuthorizedKeys,
    })),
    directories: (storage?.directories ?? []).map(({ path, mode, user, overwrite }) => ({
      path,
      mode: octal(mode),
      owner: user?.name ?? null,
      overwrite: overwrite ?? false,
    })),
    files: (storage?.files ?? []).map((file) => listFile(file, workflow)),
    units: (systemd?.units ?? []).map((unit) => listUnit(unit, workflow)),
  };
}

const octal = (mode: number | bigint | undefined): string => `0${Number(mode ?? 0).toString(8)}`;

function listFile({ path, mode, user, overwrite, contents, append }: File, workflow: Workflow): ListedFile {
  const source = (append?.[0] ?? contents)?.source ?? '';
  const text = new TextDecoder().decode(decodeDataUrl(source) ?? new Uint8Array());
  return {
    path,
    mode: octal(mode),
    owner: user?.name ?? null,
    overwrite: overwrite ?? false,
    how: append === undefined ? 'contents' : 'append',
    mediaType: source.slice(0, source.indexOf(',')),
    ...shownContents(path, text, workflow),
  };
}

const STATIC = '<static, body not recorded>';
const FIXED: ReadonlySet<string> = new Set([
  ...fixedFiles().map(({ path }) => path),
  `/usr/local/bin/${NETWORK_SCRIPT}`,
]);

function shownContents(
  path: string,
  text: string,
  workflow: Workflow,
): Pick<ListedFile, 'text' | 'env' | 'lines' | 'data'> {
  if (FIXED.has(path) || (path === '/etc/issue' && workflow === 'addnodes')) return { data: STATIC };
  if (path.startsWith('/opt/agent/tls/')) return { data: '<random per image>' };
  if (path === '/etc/issue') return { text: `<banner naming ${/^\S+/.exec(text)?.[0] ?? ''}>` };
  if (path.endsWith('.env')) return { env: environment(text) };
  if (path.endsWith('/registries.conf') && !text.includes('[[registry]]'))
    return { data: '<upstream default file: comments and an empty search list>' };
  if (path.endsWith('/10-default-env.conf') && workflow === 'addnodes') {
    const lines = text.trimEnd().split('\n');
    const pairs = lines.flatMap((line) => {
      const [, name, value] = /^DefaultEnvironment=([^=]*)=(.*)$/.exec(line) ?? [];
      return name === undefined ? [] : [[name, value]];
    });
    return { env: Object.fromEntries(pairs), lines };
  }
  return { text };
}

function environment(text: string): Record<string, unknown> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => {
      const [, name = '', value = ''] = /^([^=]*)=(.*)$/.exec(line) ?? [];
      return [name, shownValue(name, value)];
    }),
  );
}

const RANDOM: Readonly<Record<string, string>> = {
  INFRA_ENV_ID: '<random UUID v4>',
  EC_PUBLIC_KEY_PEM: '<base64 of the PEM public key>',
  AUTH_TOKEN_EXPIRY: '<build time + 48 h, RFC 3339, UTC>',
};

function shownValue(name: string, value: string): unknown {
  if (Object.hasOwn(RANDOM, name)) return RANDOM[name];
  if (/^eyJ[\w-]*\.[\w-]*\.[\w-]*$/.test(value)) return shownToken(value);
  return value.startsWith('[{') ? JSON.parse(value) : value;
}

/** Header and claims without the signature. */
function shownToken(token: string): string {
  const [header = '', claims = ''] = token.split('.').map((part) => {
    const reading = decodeBase64(part, { alphabet: 'url', padding: 'optional' });
    return new TextDecoder().decode(reading.ok ? reading.bytes : new Uint8Array());
  });
  return `<JWT ${header} ${claims.replace(/"exp":\d+/, '"exp":"<build time + 48 h>"')}>`;
}

/** Directives that the recordings leave out: descriptions and command lines. */
const UNLISTED = /^(?:Description|Environment|Exec\w+)$/;

function listUnit({ name, enabled, contents = '' }: Unit, workflow: Workflow): ListedUnit {
  const directives: Record<string, Record<string, string[]>> = {};
  let section: Record<string, string[]> = {};
  for (const line of contents.split('\n')) {
    const [, title] = /^\[(\w+)\]$/.exec(line) ?? [];
    const [, key = '', value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
    if (title !== undefined) section = {};
    else if (key !== '' && !UNLISTED.test(key)) section[key] = [...(section[key] ?? []), value];
    if (title !== undefined) directives[title] = section;
  }
  const given = Object.entries(directives).filter(([, values]) => Object.keys(values).length > 0);
  const templated = workflow === 'install' ? templatedValues(name, contents) : undefined;
  return {
    name,
    enabled: enabled === true ? true : null,
    dropins: [],
    directives: Object.fromEntries(given),
    ...(templated === undefined ? {} : { templated }),
  };
}

/** The values, read back from the command lines. */
function templatedValues(name: string, contents: string): ListedUnit['templated'] {
  const find = (pattern: RegExp): string => pattern.exec(contents)?.[1] ?? '';
  if (name === 'load-config-iso@.service') return { CONFIG_IMAGE_FILES: find(/CONFIG_IMAGE_FILES=([^"]*)/) };
  if (name === 'agent-register-infraenv.service') return { IMAGE_TYPE_ISO: find(/IMAGE_TYPE_ISO=(\S*)/) };
  const bundle = find(/--volume="?([^:\s"]*):[^:\s]*tls-ca-bundle\.pem/);
  if (bundle === '') return undefined;
  return {
    ...(name === 'assisted-service.service'
      ? {}
      : { OPENSHIFT_INSTALL_RELEASE_IMAGE_MIRROR: find(/OPENSHIFT_INSTALL_RELEASE_IMAGE_MIRROR=([^\s"]*)/) }),
    caBundleMountedFrom: bundle,
    containersMounted: contents.includes('--volume=/etc/containers:'),
  };
}
