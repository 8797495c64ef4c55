import type { Interface } from '../generated/types.ts';
import { kindOf, typeOf } from '../interfaces/kinds.ts';
import { OpenProfile } from '../keyfile/open-profile.ts';
import { canHoldIp } from '../plan/controllers.ts';
import type { PlannedInterface, PlannedInterfaces } from '../plan/planned-interfaces.ts';
import type { Findings } from '../table/state-findings.ts';
import { matchesByName, writeConnection } from './connection.ts';
import { writeBondPort, writeBridgePort } from './controllers.ts';
import { vethPeers } from './ethernet.ts';
import { writeEthtool } from './ethtool.ts';
import { writeIp } from './ip.ts';
import { ovsPortProfiles, writeOvsDb } from './ovs.ts';
import { write8021x, writeSettings } from './sections.ts';

/** All profiles of an interface: its own first, then its further ones. */
export function interfaceProfiles(
  planned: PlannedInterface,
  interfaces: PlannedInterfaces,
  findings: Findings,
): OpenProfile[] {
  const { apply } = planned;
  if (apply === undefined) return [];
  const iface = withCurrentIp(apply, planned);
  const kind = kindOf(iface);
  const profile = new OpenProfile(iface['profile-name'] ?? iface.name + (kind.idSuffix ?? ''));
  const at = findings.from(planned.path);

  writeConnection(profile, iface, planned, interfaces);
  if (canHoldIp(iface, planned.controllerType) || planned.controllerType === 'hsr')
    writeIp(profile, iface, planned, at);
  writeWired(profile, iface);
  if (typeOf(iface) === 'ovs-bridge' || planned.controllerType === 'ovs-bridge') writeOvsDb(profile, iface['ovs-db']);
  write8021x(profile, iface['802.1x']);
  if (iface.description !== undefined) profile.section('user').set('nmstate.interface.description', iface.description);
  writeEthtool(profile, iface.ethtool, at);
  if (iface.identifier === 'pci-address' && iface['pci-address'] !== undefined) {
    profile.section('match').set('path', `pci-${iface['pci-address']}`);
  }
  writeSettings(profile, iface);
  writePort(profile, iface, planned, interfaces);
  return [profile, ...companions(iface, interfaces)];
}

/** Adds the current IP settings where the state has none; only `lo` has current settings. */
function withCurrentIp(iface: Interface, { current }: PlannedInterface): Interface {
  return current === undefined
    ? iface
    : { ...iface, ipv4: iface.ipv4 ?? current.ipv4, ipv6: iface.ipv6 ?? current.ipv6 };
}

/** Writes layer 2 settings; InfiniBand has its own section, loopback has none. */
function writeWired(profile: OpenProfile, iface: Interface): void {
  if (iface.type === 'infiniband' || iface.type === 'loopback') return;
  const { mtu, 'mac-address': mac, 'accept-all-mac-addresses': acceptAll } = iface;
  if (mtu === undefined && mac === undefined && acceptAll === undefined) return;
  profile
    .section('ethernet')
    .set(iface.identifier === 'mac-address' ? 'mac-address' : 'cloned-mac-address', mac)
    .set('mtu', mtu)
    .setDigit('accept-all-mac-addresses', acceptAll);
}

function writePort(
  profile: OpenProfile,
  iface: Interface,
  planned: PlannedInterface,
  interfaces: PlannedInterfaces,
): void {
  const { controllerType } = planned;
  if (!iface.controller || controllerType === undefined || !matchesByName(iface)) return;
  const controller = interfaces.find(iface.controller, controllerType)?.merged;
  if (controller?.type === 'bond') writeBondPort(profile, controller, iface.name);
  if (controller?.type === 'linux-bridge') writeBridgePort(profile, controller, iface.name);
}

/** Further profiles of an interface. */
function companions(iface: Interface, interfaces: PlannedInterfaces): OpenProfile[] {
  if (iface.type === 'ovs-bridge') return ovsPortProfiles(iface);
  return iface.type === undefined || iface.type === 'ethernet' || iface.type === 'veth'
    ? vethPeers(iface, interfaces)
    : [];
}
