// Files with the access to management controllers, which the service needs so that machines of a pair can switch each
// other off.
import { writeGoYaml } from '@coreiso/diagnostics';
import type { InstallFiles } from '../install-files/install-files.ts';
import type { Host } from '../rules/host.ts';

/** Files of the live system that follow from the input. */
export type ImageFiles = {
  readonly path: string;
  readonly mode: number;
  readonly text: string;
}[];

const FOLDER = '/etc/assisted/hostconfig';
const READABLE = 0o644;

type Credential = NonNullable<
  NonNullable<InstallFiles['installConfig']['values']['controlPlane']>['fencing']
>['credentials'][number];

/**
 * Machines that are identified by name share one file. Machines that are identified only by a MAC address have a file
 * in the folder of their host, or in a new folder that names the address.
 */
export function fencingFiles({ installConfig, agentConfig }: InstallFiles): ImageFiles {
  const credentials = installConfig.values.controlPlane?.fencing?.credentials ?? [];
  const named = credentials.filter(({ hostName }) => hostName !== '');
  const files = named.length === 0 ? [] : [credentialsFile(FOLDER, named)];
  let next = agentConfig.hosts.length;
  for (const credential of credentials.filter(({ hostName }) => hostName === '')) {
    const mac = credential.macAddress.toLowerCase();
    const index = agentConfig.hosts.findIndex((host) => hasMac(host, mac));
    const host = agentConfig.hosts[index];
    const folder = `${FOLDER}/${host === undefined ? `host-${next++}` : host.hostname || `host-${index}`}`;
    files.push(credentialsFile(folder, [credential]));
    if (host === undefined) files.push({ path: `${folder}/mac_addresses`, mode: READABLE, text: `${mac}\n` });
  }
  return files;
}

function hasMac({ interfaces }: Host, mac: string): boolean {
  return interfaces.some(({ macAddress }) => macAddress.toLowerCase() === mac);
}

function credentialsFile(folder: string, credentials: readonly Credential[]): ImageFiles[number] {
  const text = credentials.map(credentialText).join('');
  return { path: `${folder}/fencing-credentials.yaml`, mode: READABLE, text: `credentials:\n${text}` };
}

/** Writes keys in the order of upstream's struct, not sorted by bytes. */
function credentialText(credential: Credential): string {
  const { hostName, macAddress, username, password, address, certificateVerification } = credential;
  const members: [string, string][] = [
    ['hostname', hostName],
    ['macaddress', macAddress.toLowerCase()],
    ['username', username],
    ['password', password],
    ['address', address],
    ['certificateVerification', certificateVerification],
  ];
  const lines = members.filter(([, value]) => value !== '').map(([key, value]) => writeGoYaml({ [key]: value }));
  return `- ${lines.join('').trimEnd().replaceAll('\n', '\n  ')}\n`;
}
