// Why the service on the machines refuses texts that a cluster is registered with. The installer still makes an image
// of them, and the machines then wait forever. Rules and words are those of the service
// (internal/cluster/validations, pkg/validations, internal/dns, internal/manifests).
import type { Path } from '@coreiso/diagnostics';
import { decodeBase64, goQuote, utf8Length } from '@coreiso/peers/go';
import { HIDDEN } from '@coreiso/peers/hidden';
import { parseAddress } from '@coreiso/peers/ip';
import { isObject } from '@coreiso/peers/members';
import type { ConfigFinding } from '../text/codes.ts';
import type { Findings } from '../text/config-findings.ts';
import { looksPublic, sshKeyProblem } from './ssh-key.ts';

/** The reason why the service refuses a value. */
export interface Refusal {
  /** In its own words. */
  readonly text: string;
  readonly help: string;
  /** The correct value, if only one can have been meant. */
  readonly instead?: string | undefined;
}

/** The finding about a refusal. */
export function refusalFinding(path: Path, { text, help }: Refusal): Omit<ConfigFinding, 'severity'> {
  const message = `the service on the machines will refuse this: ${text}`;
  return { code: 'nodes-config/service-refuses', message, path, help };
}

/** Reports a refusal, unless there is already an error at its place. */
export function refuseAt(
  findings: Pick<Findings, 'hasErrorAt' | 'own'>,
  path: Path,
  refusal: Refusal | undefined,
): void {
  if (refusal !== undefined && !findings.hasErrorAt(path)) findings.own(refusalFinding(path, refusal));
}

/** One name of letters, digits and hyphens; the service accepts only lower case. */
const LABEL = '[a-z\\d](?:[a-z\\d-]*[a-z\\d])?';
const LAST_LABEL = '[a-z\\d][a-z\\d-]*[a-z\\d]';
const SINGLE_DOMAIN = new RegExp(`^${LAST_LABEL}$`);
const DOMAIN = new RegExp(`^(?:${LABEL}\\.)+${LAST_LABEL}$`);
const DOTTED_DECIMAL = /(?:\d+\.){3}\d+/;
/** The pattern as the service quotes it. */
const QUOTED_DOMAIN = '^([a-z\\d]([\\-]*[a-z\\d]+)*\\.)+[a-z\\d]+([\\-]*[a-z\\d]+)+$';
const LONGEST_LABEL = 63;
const LONGEST_DOMAIN = 255;
/** Each application adds a label and its dot in front. */
const LONGEST_APPS = LONGEST_DOMAIN - LONGEST_LABEL - 1;

/** The refusal of a base domain, with the name of the cluster. */
export function domainRefusal(name: string, domain: string): Refusal | undefined {
  if (name === '' || domain === '') return undefined;
  const isSingle = SINGLE_DOMAIN.test(domain) && domain.length < LONGEST_LABEL;
  const isDomain = DOMAIN.test(domain) && !DOTTED_DECIMAL.test(domain) && domain.length <= LONGEST_DOMAIN;
  if (!isSingle && !isDomain) {
    const undotted = domain.replace(/\.$/, '');
    return {
      text: `DNS format mismatch: ${domain} domain name is not valid. Must match regex [${QUOTED_DOMAIN}], be no more than 255 characters, and not be in dotted decimal format (##.##.##.##)`,
      help: 'Write a domain such as example.com: no dot at its end, two characters at least after the last one, and no address in it.',
      instead: undotted !== domain && domainRefusal(name, undotted) === undefined ? undotted : undefined,
    };
  }
  const apps = `apps.${name}.${domain}`;
  if (utf8Length(apps) > LONGEST_APPS) {
    return {
      text: 'Combination of cluster name and base DNS domain too long',
      help: `Shorten the name or the domain: apps.NAME.DOMAIN has ${utf8Length(apps)} characters, and ${LONGEST_APPS} are taken.`,
    };
  }
  const label = apps.split('.').find((one) => utf8Length(one) > LONGEST_LABEL);
  return label === undefined
    ? undefined
    : { text: `DNS label '${label}' is longer than 63 bytes`, help: 'Take shorter names between the dots.' };
}

/** The refusal of a cluster's name; it may have subdomains only without a platform. */
export function clusterNameRefusal(name: string, platform: string): Refusal | undefined {
  const pattern = platform === 'none' ? `^${LABEL}(?:\\.${LABEL})*$` : `^${LABEL}$`;
  if (name === '' || new RegExp(pattern).test(name)) return undefined;
  return {
    text: `Cluster name format is not valid: '${name}'. Name must start and end with either a letter or number and consist of lower-case letters, numbers, and hyphens. Subdomains in cluster names are only valid with none platform.`,
    help: 'Take lower-case letters, digits and hyphens, without dots.',
  };
}

/** The start of each type of key, including the type's name inside the base64. */
const KEY_STARTS = [
  'ssh-rsa AAAAB3NzaC1yc2',
  'ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNT',
  'ecdsa-sha2-nistp384 AAAAE2VjZHNhLXNoYTItbmlzdHAzODQAAAAIbmlzdHAzOD',
  'ecdsa-sha2-nistp521 AAAAE2VjZHNhLXNoYTItbmlzdHA1MjEAAAAIbmlzdHA1Mj',
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5',
  'ssh-dss AAAAB3NzaC1kc3',
];
const REST_OF_KEY = /^[0-9A-Za-z+/]+={0,3}(?: .*)?$/;

/** The refusal of SSH keys, one on each line; empty lines and comments count as keys. */
export function sshKeyRefusal(keys: string): Refusal | undefined {
  const lines = keys
    .trim()
    .split('\n')
    .map((line) => line.trim());
  if (lines.join('') === '') return undefined;
  const odd = lines.find((line) => !isSupported(line));
  if (odd !== undefined) {
    return {
      text: `SSH key: ${shownKey(odd)} does not match any supported type: ssh-rsa, ssh-ed25519, ecdsa-[VARIANT]`,
      help: 'Write keys of type ssh-rsa, ssh-ed25519 or ecdsa, each in a line of its own: TYPE KEY COMMENT, without options, empty lines or keys of a security token.',
      instead: withoutKeyOptions(lines),
    };
  }
  const malformed = lines.find((line) => sshKeyProblem(line) !== undefined);
  return malformed === undefined
    ? undefined
    : {
        text: `Malformed SSH key: ${shownKey(malformed)}: ${sshKeyProblem(malformed)}`,
        help: 'Paste the content of the public key file again.',
      };
}

function isSupported(line: string): boolean {
  const start = KEY_STARTS.find((one) => line.startsWith(one));
  return start !== undefined && REST_OF_KEY.test(line.slice(start.length));
}

/** Options and public keys are not secret, but a wrong file that is pasted here may be a private key. */
function shownKey(line: string): string {
  const isPublic = looksPublic(line) || /\s(?:ssh-|ecdsa-|sk-)\S+\s+AAAA/.test(line);
  return isPublic || line === '' || line.startsWith('#') ? line : HIDDEN;
}

/** The same keys without options, and without lines that have no key. */
function withoutKeyOptions(lines: readonly string[]): string | undefined {
  const kept = lines.flatMap((line) => {
    const key = /(?:^|\s)((?:ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-nistp\d+) +AAAA\S+(?: .*)?)$/.exec(line)?.[1];
    return key !== undefined && isSupported(key) && sshKeyProblem(key) === undefined ? [key] : [];
  });
  return kept.length === 0 ? undefined : kept.join('\n');
}

/**
 * The refusal of a pull secret that the installer accepts. Registries may be secret, too: an entry is named by its
 * position.
 */
export function pullSecretRefusal(text: string): Refusal | undefined {
  for (const [index, [, entry]] of authsOf(text).entries()) {
    const auth = isObject(entry) && Object.hasOwn(entry, 'auth') ? entry['auth'] : '';
    const which = `entry ${index + 1} of \`auths\``;
    if (typeof auth !== 'string') {
      return {
        text: `invalid pull secret: 'auth' field of ${goQuote(HIDDEN)} is ${HIDDEN} but should be a string`,
        help: `Write the \`auth\` of ${which} as a text: USER:PASSWORD in base64.`,
      };
    }
    if (auth === '') continue;
    const decoded = decodeBase64(auth);
    if (!decoded.ok) {
      return {
        text: `invalid pull secret: 'auth' field of ${goQuote(HIDDEN)} is not base64-encoded`,
        help: `Write USER:PASSWORD in base64 as the \`auth\` of ${which}, or remove it.`,
      };
    }
    if (!decoded.bytes.includes(0x3a)) {
      return {
        text: `invalid pull secret: 'auth' for ${HIDDEN} is not in 'user:password' format`,
        help: `Put a colon between user and password of ${which} before you encode it, or remove the entry.`,
      };
    }
  }
  return undefined;
}

/** The entries of a pull secret, none if it is refused for another reason. */
function authsOf(text: string): [string, unknown][] {
  let secret: unknown;
  try {
    secret = JSON.parse(text.trim());
  } catch {
    return [];
  }
  const auths = isObject(secret) && Object.entries(secret).findLast(([name]) => name.toLowerCase() === 'auths')?.[1];
  return isObject(auths) ? Object.entries(auths) : [];
}

/** The registry that is used without credentials, by its names. */
const DOCKER = 'docker.io';
const DOCKER_LOGIN = 'https://index.docker.io/v1/';
const ADDED_BY_SERVICE = 'registry.stage.redhat.io';

/** The refusal of a registry that has no credentials in the pull secret, unless it needs none. */
export function credentialsRefusal(registry: string, pullSecret: string, open: readonly string[]): Refusal | undefined {
  const known = new Set(authsOf(pullSecret).map(([name]) => name));
  const isOpen = open.includes(registry) || (registry === DOCKER && open.includes(DOCKER_LOGIN));
  if (isOpen || registry === ADDED_BY_SERVICE || known.has(registry)) return undefined;
  if (registry === DOCKER && known.has(DOCKER_LOGIN)) return undefined;
  return {
    text: `pull secret must contain auth for ${goQuote(registry)}`,
    help: `Add an entry for ${registry} to \`auths\` of the pull secret, even where the registry asks for none: \`"auth": ""\` will do.`,
  };
}

const HOST_NAME = /^[a-z0-9][a-z0-9.-]{0,61}[a-z0-9]$/;

/** The refusal of a time server. */
export function ntpRefusal(source: string): Refusal | undefined {
  const isTaken = (one: string) => parseAddress(one) !== undefined || HOST_NAME.test(one);
  if (source.split(',').every(isTaken)) return undefined;
  const undotted = source.replace(/\.$/, '');
  return {
    text: `Invalid NTP source: ${source}`,
    help: 'Write an address, or a name of 2 to 63 characters without a dot at its end.',
    instead: undotted !== source && undotted.split(',').every(isTaken) ? undotted : undefined,
  };
}

/** The service's names of platforms. */
const WITHOUT_MORE: Readonly<Record<string, string>> = {
  vsphere: 'vSphere Platform Integration',
  nutanix: 'Nutanix Platform Integration',
};
const MORE_MASTERS = 'Non-standard HA OCP Control Plane';

/** The refusal of the control plane's size and kind of machines. */
export function controlPlaneRefusal(
  replicas: number,
  {
    platform,
    architecture,
    version,
  }: { readonly platform: string; readonly architecture: string; readonly version: string },
): Refusal | undefined {
  if (replicas <= 3) return undefined;
  const other = WITHOUT_MORE[platform];
  if (other !== undefined) {
    return {
      text: `cannot use ${MORE_MASTERS} because it's not compatible with ${other}`,
      help: 'Write 3: four or five are taken on platforms baremetal, none and external alone.',
    };
  }
  if (architecture === 'amd64') return undefined;
  return {
    text: `cannot use ${MORE_MASTERS} because it's not compatible with the ${architecture} architecture on version ${version} of OpenShift`,
    help: 'Write 3: four or five are taken on x86_64 alone.',
  };
}

const LARGEST_MANIFEST = 1024 * 1024;

/** The refusal of a manifest for the new cluster. */
export function manifestRefusal(name: string, content: string): Refusal | undefined {
  if (name.startsWith('.')) {
    return {
      text: `Cluster manifest ${name} has an invalid filename.`,
      help: 'Rename the file: its name must not begin with a dot.',
    };
  }
  if (name.includes(' ')) {
    return {
      text: `Cluster manifest ${name} should not include a space in its name.`,
      help: 'Rename the file: take a hyphen in place of each blank.',
    };
  }
  const size = utf8Length(content);
  return size <= LARGEST_MANIFEST
    ? undefined
    : {
        text: `Manifest content of file openshift/${name} exceeds the maximum file size of 1MiB`,
        help: `Divide it: ${size} bytes are more than the ${LARGEST_MANIFEST} that are taken.`,
      };
}
