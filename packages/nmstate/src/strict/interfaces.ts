// Finds interface settings that nmstate accepts but that cannot work or have another effect than intended.
import { closest } from '@coreiso/diagnostics';
import { checkArgument } from '@coreiso/peers/arguments';
import { utf8Length } from '@coreiso/peers/go';
import { isLinkLocal, parseAddress } from '@coreiso/peers/ip';
import type { Interface, InterfaceIpv4, InterfaceIpv6, InterfaceType } from '../generated/types.ts';
import { KINDS, typeOf } from '../interfaces/kinds.ts';
import { MAC_COPIERS } from '../plan/mac.ts';
import { isUserspace, type PlannedInterface, type PlannedInterfaces } from '../plan/planned-interfaces.ts';
import type { DeclaredInterface } from '../state/read-state.ts';
import type { Findings } from '../table/state-findings.ts';
import { References } from './references.ts';

/** IFNAMSIZ without the final zero. */
const LONGEST_NAME = 15;
/** Types whose settings nmstate leaves out of the profile. */
const WITHOUT_SECTION: ReadonlySet<InterfaceType> = new Set(['hsr', 'ipvlan', 'ip-tunnel', 'xfrm']);
const MAC_ADDRESS = /^(?:[0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2}$/;
/** Words that NetworkManager accepts as a MAC address. */
const MAC_WORDS: ReadonlySet<string> = new Set(['PRESERVE', 'PERMANENT', 'RANDOM', 'STABLE', 'STABLE-SSID']);

export function checkInterfaces(
  declared: readonly DeclaredInterface[],
  interfaces: PlannedInterfaces,
  findings: Findings,
): void {
  const references = new References(declared, interfaces);
  checkDuplicates(declared, findings);
  for (const entry of declared) {
    const { iface, path } = entry;
    const at = findings.from(path);
    checkType(entry, at);
    if (iface.state === 'absent' || iface.state === 'ignore' || iface.state === 'unknown') continue;
    checkName(iface, at);
    checkAddresses(iface, at);
    checkIp(iface, 'ipv4', at.at('ipv4'));
    checkIp(iface, 'ipv6', at.at('ipv6'));
    references.check(iface, at);
    checkSettings(iface, at);
  }
}

export function checkProfileNames(
  profiles: readonly { planned: PlannedInterface; name: string }[],
  findings: Findings,
): void {
  const seen = new Set<string>();
  for (const { planned, name } of profiles) {
    if (seen.has(name)) {
      findings
        .from(planned.path)
        .strict(
          'error',
          'duplicate-profile',
          `there is a second file ${name}`,
          'Give one of the two another `profile-name`.',
        );
    }
    seen.add(name);
  }
}

function checkDuplicates(declared: readonly DeclaredInterface[], findings: Findings): void {
  const last = new Map(declared.map((entry) => [identity(entry.iface), entry]));
  for (const entry of declared) {
    if (last.get(identity(entry.iface)) === entry) continue;
    findings
      .from([...entry.path, 'name'])
      .strict(
        'error',
        'duplicate-interface',
        `${entry.iface.name} is declared again below, and only the last one is used`,
        'Merge the two.',
      );
  }
}

function identity(iface: Interface): string {
  return isUserspace(typeOf(iface)) ? `${typeOf(iface)} ${iface.name}` : ` ${iface.name}`;
}

function checkType({ iface, unknownType, isAssumed }: DeclaredInterface, findings: Findings): void {
  if (unknownType !== undefined) {
    const near = closest(unknownType, [...Object.keys(KINDS), 'veth']);
    findings
      .at('type')
      .strict(
        'error',
        'unknown-type',
        `\`${unknownType}\` is not a type of interface, and nmstate treats it as ethernet`,
        near === undefined ? `Known types: ${Object.keys(KINDS).join(', ')}.` : `Did you mean \`${near}\`?`,
      );
  } else if (isAssumed && iface.state !== 'absent') {
    findings.strict(
      'info',
      'assumed-type',
      `${iface.name} has no type and is treated as ethernet`,
      'Add `type: ethernet`.',
    );
  }
  if (WITHOUT_SECTION.has(typeOf(iface)) && iface.state === 'up') {
    findings
      .at('type')
      .strict(
        'warning',
        'incomplete-profile',
        `nmstate writes no settings of a ${typeOf(iface)} interface, so NetworkManager cannot create ${iface.name}`,
        'Create it by other means.',
      );
  }
}

/**
 * Whether the kernel accepts a text as the name of an interface; `.` and `..` are directories of sysfs.
 *
 * @example isInterfaceName('enp1s0') // true
 */
export function isInterfaceName(name: string): boolean {
  checkArgument('name', name, 'text');
  const length = utf8Length(name);
  return length > 0 && length <= LONGEST_NAME && name !== '.' && name !== '..' && !/[/:\s]/.test(name);
}

function checkName(iface: Interface, findings: Findings): void {
  const isMatched = iface.type === 'ipsec' || (iface.identifier ?? 'name') !== 'name';
  const { name } = iface;
  if (!isMatched && !isInterfaceName(name)) {
    findings
      .at('name')
      .strict(
        'error',
        'interface-name',
        `the kernel has no interface \`${name}\``,
        'Use 1 to 15 characters without slash, colon or space, and not only dots.',
      );
  }
  const { identifier } = iface;
  if ((identifier === 'mac-address' || identifier === 'pci-address') && !iface[identifier]) {
    findings
      .at('identifier')
      .strict(
        'error',
        'missing-identifier',
        `without \`${identifier}\` the profile matches any interface`,
        `Add \`${identifier}\`.`,
      );
  }
}

function checkAddresses(iface: Interface, findings: Findings): void {
  const mac = iface['mac-address'];
  if (mac && !MAC_ADDRESS.test(mac) && !MAC_WORDS.has(mac.toUpperCase()) && iface.type !== 'infiniband') {
    findings
      .at('mac-address')
      .strict(
        'error',
        'mac-address',
        `\`${mac}\` is not a MAC address`,
        'Write six pairs of hexadecimal digits, separated by colons.',
      );
  }
  if (iface['copy-mac-from'] !== undefined && !MAC_COPIERS.has(typeOf(iface))) {
    findings
      .at('copy-mac-from')
      .strict(
        'warning',
        'unused-key',
        `\`copy-mac-from\` has no effect on ${typeOf(iface)} interfaces`,
        'Write `mac-address`.',
      );
  }
}

function checkIp(iface: Interface, family: 'ipv4' | 'ipv6', findings: Findings): void {
  const ip: (InterfaceIpv4 & InterfaceIpv6) | undefined = iface[family];
  const word = family === 'ipv4' ? 'IPv4' : 'IPv6';
  const isOn = ip?.enabled === true;
  const wait = iface['wait-ip'];
  if (!isOn && (wait === family || wait === 'ipv4+ipv6')) {
    findings.strict(
      'warning',
      'wait-ip',
      `${iface.name} waits for ${word}, which is off`,
      `Enable ${word} or change \`wait-ip\`.`,
    );
  }
  if (ip === undefined) return;
  const isMeant = ip.dhcp === true || ip.autoconf === true || (ip.address ?? []).length > 0;
  if (ip.enabled === undefined && isMeant && iface.type !== 'loopback') {
    findings.strict('warning', 'ip-not-enabled', `${word} stays off without \`enabled: true\``, 'Add `enabled: true`.');
  }
  if (!isOn) return;
  (ip.address ?? []).forEach((entry, index) => {
    const address = parseAddress(entry.ip);
    const lifetime = entry['valid-life-time'] ?? 'forever';
    const reason =
      address !== undefined && isLinkLocal(address)
        ? 'it is link-local'
        : lifetime !== 'forever'
          ? 'it has a lifetime'
          : typeof entry.protocol === 'number'
            ? 'its `protocol` belongs to another program'
            : undefined;
    if (reason === undefined) return;
    findings
      .at('address', index)
      .strict('warning', 'dropped-address', `${entry.ip} is left out because ${reason}`, 'Remove it.');
  });
}

/** Types that need their own section. */
const NEEDED_SECTIONS: Readonly<Partial<Record<InterfaceType, string>>> = {
  vlan: 'vlan',
  vxlan: 'vxlan',
  'mac-vlan': 'mac-vlan',
  'mac-vtap': 'mac-vtap',
  infiniband: 'infiniband',
  macsec: 'macsec',
  ipsec: 'libreswan',
};

function checkSettings(iface: Interface, findings: Findings): void {
  const section = NEEDED_SECTIONS[typeOf(iface)];
  if (section !== undefined && !Object.hasOwn(iface, section)) {
    findings.strict(
      'error',
      'missing-section',
      `without \`${section}\` NetworkManager refuses the profile of ${iface.name}`,
      `Add \`${section}\`.`,
    );
  }
  if (iface.type === 'vlan') checkVlanId(iface.vlan?.id, 1, findings.at('vlan', 'id'));
  if (iface.type === 'vxlan' && (iface.vxlan?.id ?? 0) > 0xff_ffff) {
    findings
      .at('vxlan', 'id')
      .strict('error', 'vxlan-id', `there is no VXLAN ${iface.vxlan?.id}`, 'Use 0 to 16777215.');
  }
  if (iface.type === 'linux-bridge' || iface.type === 'ovs-bridge') {
    (iface.bridge?.port ?? []).forEach(({ vlan }, index) => {
      const at = findings.at('bridge', 'port', index, 'vlan');
      checkVlanId(vlan?.tag, 0, at.at('tag'));
      (vlan?.['trunk-tags'] ?? []).forEach((tag, position) => {
        const last = 'id' in tag ? tag.id : tag['id-range'].max;
        checkVlanId(last, 0, at.at('trunk-tags', position));
      });
    });
  }
  if (typeOf(iface) !== 'ethernet' || !('ethernet' in iface) || iface.ethernet === undefined) return;
  const { speed, duplex, 'auto-negotiation': negotiation, 'sr-iov': sriov } = iface.ethernet;
  if (negotiation !== false && (speed !== undefined || duplex !== undefined)) {
    findings
      .at('ethernet')
      .strict('warning', 'unused-key', 'speed and duplex have no effect', 'Add `auto-negotiation: false`.');
  }
  const total = sriov?.['total-vfs'];
  (sriov?.vfs ?? []).forEach((vf, index) => {
    if (total !== 0 && vf.id >= (total ?? 0)) {
      findings
        .at('ethernet', 'sr-iov', 'vfs', index, 'id')
        .strict(
          'error',
          'missing-vf',
          `there is no virtual function ${vf.id}`,
          `Set \`total-vfs\` to at least ${vf.id + 1}.`,
        );
    }
    checkVlanId(vf['vlan-id'], 0, findings.at('ethernet', 'sr-iov', 'vfs', index, 'vlan-id'));
  });
}

/** IEEE 802.1Q section 9.6: 0 and 4095 are reserved. */
function checkVlanId(id: number | undefined, lowest: number, findings: Findings): void {
  if (id === undefined || (id >= lowest && id <= 4094)) return;
  findings.strict('error', 'vlan-id', `VLAN ID ${id} is out of range (1–4094)`, 'Use 1 to 4094.');
}
