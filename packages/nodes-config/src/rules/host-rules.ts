// Upstream's checks of the host list, in its words.
import type { Path } from '@coreiso/diagnostics';
import type { Findings } from '../text/config-findings.ts';
import { forbidden, invalid, required, unsupported } from '../text/field-errors.ts';
import { type HintValues, type HostValues, ROLES } from './host-fields.ts';
import { macProblem } from './mac.ts';
import { misspeltNames, readAddresses, readLinks } from './network-view.ts';
import type { VirtualAddresses } from './own/sanity-rules.ts';

export interface HostListContext {
  /** Whether the hosts come from another file. */
  readonly isElsewhere: boolean;
  /** Empty if nodes are added. */
  readonly rendezvousIP: string;
  /** Addresses of the cluster that keepalived moves between nodes, if known. */
  readonly virtualAddresses?: VirtualAddresses | undefined;
  /** How many machines the cluster will have, if known. */
  readonly machines?: number | undefined;
}

/** Checks interfaces, hints and role of every host. */
export function checkHosts(
  hosts: readonly HostValues[],
  { rendezvousIP, isElsewhere }: HostListContext,
  findings: Findings<'hosts'>,
): void {
  const seen = new Set<string>();
  for (const [index, host] of hosts.entries()) {
    const path = ['hosts', index];
    checkInterfaces(host, path, seen, findings);
    checkHints(host.rootDeviceHints, [...path, 'rootDeviceHints'], findings);
    if (host.role !== '' && !ROLES.some((role) => role === host.role)) {
      const at = [...path, 'role'];
      findings.upstream('hosts', {
        code: 'nodes-config/role',
        message: unsupported(at, host.role, ROLES),
        path: at,
        help: `Write ${ROLES.join(', ')}, or leave the role out.`,
      });
    }
    // Hosts in the install config have generated names.
    if (!isElsewhere) warnOfNames(host, path, findings);
  }
  if (rendezvousIP !== '') checkRendezvousHost(hosts, rendezvousIP, findings);
}

function checkInterfaces({ interfaces }: HostValues, host: Path, seen: Set<string>, findings: Findings<'hosts'>): void {
  const path = [...host, 'interfaces'];
  if (interfaces.length === 0) {
    findings.upstream('hosts', {
      code: 'nodes-config/no-interfaces',
      message: required(path, 'at least one interface must be defined for each node'),
      path,
      help: 'Add a network card that identifies the machine:\ninterfaces:\n- name: eno1\n  macAddress: XX:XX:XX:XX:XX:XX',
    });
  }
  for (const [index, { macAddress }] of interfaces.entries()) {
    const at = [...path, index, 'macAddress'];
    if (macAddress === '') {
      findings.upstream('hosts', {
        code: 'nodes-config/mac-missing',
        message: required(at, 'each interface must have a MAC address defined'),
        path: at,
        help: 'Add `macAddress: XX:XX:XX:XX:XX:XX`.',
      });
      continue;
    }
    const problem = macProblem(macAddress);
    if (problem !== undefined) {
      const message = invalid(at, macAddress, problem.message);
      findings.upstream('hosts', { code: 'nodes-config/mac-invalid', message, path: at, help: problem.help });
    }
    if (seen.has(macAddress)) {
      const message = invalid(at, macAddress, 'duplicate MAC address found');
      findings.upstream('hosts', {
        code: 'nodes-config/duplicate-mac',
        message,
        path: at,
        help: 'Give every interface the MAC address of its own machine.',
      });
    }
    seen.add(macAddress);
  }
}

function checkHints(hints: HintValues, path: Path, findings: Findings<'hosts'>): void {
  const { deviceName, wwnWithExtension, wwnVendorExtension } = hints;
  if (deviceName !== '') {
    const at = [...path, 'deviceName'];
    const report = (detail: string): void =>
      findings.upstream('hosts', {
        code: 'nodes-config/device-name',
        message: invalid(at, deviceName, `Device Name of root device hint must be ${detail}`),
        path: at,
        help: 'Write /dev/NAME or /dev/disk/by-path/NAME; for other links use the hints `serialNumber` or `wwn`.',
      });
    if (!deviceName.startsWith('/dev/')) report('a /dev/ path');
    const name = deviceName.replace(/^\/dev\//, '').replace(/^disk\/by-path\//, '');
    if (name.includes('/')) report('path in /dev/ or /dev/disk/by-path/');
  }
  const forbid = (name: string, detail: string): void => {
    const at = [...path, name];
    findings.upstream('hosts', {
      code: 'nodes-config/wwn-extension',
      message: forbidden(at, `${detail} are not supported in root device hints`),
      path: at,
      help: 'Use `wwn`.',
    });
  };
  if (wwnWithExtension !== '') forbid('wwnWithExtension', 'WWN extensions');
  if (wwnVendorExtension !== '') forbid('wwnVendorExtension', 'WWN vendor extensions');
}

/**
 * The installer logs this and continues. It does so even for valid ports of a bond: that is an `info`, which is not
 * shown.
 */
function warnOfNames({ interfaces, networkConfig }: HostValues, host: Path, findings: Findings<'hosts'>): void {
  if (networkConfig === undefined) return;
  const links = readLinks({ node: networkConfig.node, path: [] });
  const names = links.map((link) => link.name).filter((name) => name !== '');
  if (names.length === 0) return;
  const misspelt = new Map([...misspeltNames(links, interfaces)].map(([written, meant]) => [meant, written]));
  for (const [index, { name }] of interfaces.entries()) {
    if (name === '' || names.includes(name)) continue;
    const path = [...host, 'interfaces', index, 'name'];
    const message = `hosts[${host[1]}].interfaces[${index}].name: interface name "${name}" not found in networkConfig interfaces [${names.join(' ')}]; connectivity may fail if interface names do not match at boot time`;
    const written = misspelt.get(name);
    const isLower = written === undefined && links.some(({ below }) => below.some((end) => end.name === name));
    const help = isLower
      ? undefined
      : `Use the same name here and in \`networkConfig.interfaces\`${written === undefined ? '' : `, which has ${written}`}.`;
    const finding = { code: 'nodes-config/name-not-in-network', message, path, help } as const;
    findings.upstreamWarning('hosts', finding, isLower ? 'info' : 'warning');
  }
}

function checkRendezvousHost(hosts: readonly HostValues[], rendezvousIP: string, findings: Findings<'hosts'>): void {
  for (const [index, { role, hostname, networkConfig }] of hosts.entries()) {
    if (role !== 'worker' || networkConfig === undefined) continue;
    const reading = readAddresses(networkConfig.node, networkConfig.path);
    if (!reading.ok) {
      const message = `hosts[${index}]: Invalid value: ${JSON.stringify(networkConfig.text)}: error unmarshalling NMStateConfig: json: cannot unmarshal ${reading.mismatch.text}`;
      findings.upstream('hosts', { code: 'nodes-config/network-shape', message, path: reading.mismatch.path });
      continue;
    }
    if (!reading.addresses.some(({ text }) => text === rendezvousIP)) continue;
    const path = ['hosts', index, 'role'];
    findings.upstream('hosts', {
      code: 'nodes-config/rendezvous-on-worker',
      message: forbidden(
        path,
        `Host ${hostname} has role 'worker' and has the rendezvousIP assigned to it. The rendezvousIP must be assigned to a control plane host.`,
      ),
      path,
      help: 'Give the address to a host of role master, or choose the address of one as `rendezvousIP`.',
    });
  }
}
