import { canHoldIp } from '../plan/controllers.ts';
import type { PlannedInterface } from '../plan/planned-interface.ts';
import type { PlannedInterfaces } from '../plan/planned-interfaces.ts';
import type { Report } from '../plan/report.ts';
import type { Interface } from '../state/generated/types.ts';
import { writeBondPort } from './bond.ts';
import { matchesByName, writeConnection } from './connection.ts';
import { writeEthtool } from './ethtool.ts';
import { write8021x } from './ieee8021x.ts';
import { writeIp } from './ip.ts';
import { kindOf, typeOf } from './kinds.ts';
import { writeBridgePort } from './linux-bridge.ts';
import { writeOvsDb } from './ovs-db.ts';
import { Profile } from './profile.ts';

/** All profiles of one interface: its own first, then those that come with it. */
export function interfaceProfiles(planned: PlannedInterface, interfaces: PlannedInterfaces, report: Report): Profile[] {
  const { apply } = planned;
  if (apply === undefined) return [];
  const iface = withCurrentIp(apply, planned);
  const kind = kindOf(iface);
  const context = { planned, interfaces };
  const profile = new Profile(iface['profile-name'] ?? iface.name + (kind.idSuffix ?? ''));
  const at = report.from(planned.path);

  writeConnection(profile, iface, context);
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
  kind.write?.(profile, iface, context);
  writePort(profile, iface, planned, interfaces);
  return [profile, ...(kind.companions?.(iface, context) ?? [])];
}

/** Only `lo` exists before the state is applied, and keeps what the state does not mention. */
function withCurrentIp(iface: Interface, { current }: PlannedInterface): Interface {
  return current === undefined
    ? iface
    : { ...iface, ipv4: iface.ipv4 ?? current.ipv4, ipv6: iface.ipv6 ?? current.ipv6 };
}

/** Layer 2 settings; InfiniBand has a section of its own, loopback has none. */
function writeWired(profile: Profile, iface: Interface): void {
  if (iface.type === 'infiniband' || iface.type === 'loopback') return;
  const { mtu, 'mac-address': mac, 'accept-all-mac-addresses': acceptAll } = iface;
  if (mtu === undefined && mac === undefined && acceptAll === undefined) return;
  profile
    .section('ethernet')
    .set(iface.identifier === 'mac-address' ? 'mac-address' : 'cloned-mac-address', mac)
    .set('mtu', mtu)
    .setDigit('accept-all-mac-addresses', acceptAll);
}

function writePort(profile: Profile, iface: Interface, planned: PlannedInterface, interfaces: PlannedInterfaces): void {
  const { controllerType } = planned;
  if (!iface.controller || controllerType === undefined || !matchesByName(iface)) return;
  const controller = interfaces.find(iface.controller, controllerType)?.merged;
  if (controller?.type === 'bond') writeBondPort(profile, controller, iface.name);
  if (controller?.type === 'linux-bridge') writeBridgePort(profile, controller, iface.name);
}
