import type { BaseInterface, Interface, InterfaceType, MptcpConfig } from '../generated/types.ts';
import { KINDS, kindOf, typeOf } from '../interfaces/kinds.ts';
import { ovsPortOf } from '../interfaces/ovs.ts';
import { type OpenProfile, type OpenSection, profileUuid } from '../keyfile/open-profile.ts';
import type { PlannedInterface, PlannedInterfaces } from '../plan/planned-interfaces.ts';

interface Identity {
  /** The type in nmstate, from which the UUID is computed. */
  readonly type: string;
  readonly connectionType: string;
  readonly name: string;
  readonly state: BaseInterface['state'];
}

/** The part of `[connection]` that every profile has. */
export function connectionSection(profile: OpenProfile, { type, connectionType, name, state }: Identity): OpenSection {
  return profile
    .section('connection')
    .set('id', profile.id)
    .set('uuid', profileUuid(type, name))
    .set('type', connectionType)
    .set('autoconnect', state !== 'down')
    .set('autoconnect-slaves', -1);
}

/** NetworkManager's flags; 8 applies them without a default route. */
const MPTCP_FLAGS = { signal: 0x10, subflow: 0x20, backup: 0x40, fullmesh: 0x80 } as const;
const MPTCP_DISABLED = 1;
const MPTCP_WITHOUT_DEFAULT_ROUTE = 8;

export function writeConnection(
  profile: OpenProfile,
  iface: Interface,
  planned: PlannedInterface,
  interfaces: PlannedInterfaces,
): void {
  const kind = kindOf(iface);
  const connectionType =
    typeOf(iface) === 'ethernet' && 'veth' in iface && iface.veth !== undefined ? 'veth' : kind.connectionType;
  const section = connectionSection(profile, {
    type: typeOf(iface),
    connectionType,
    name: iface.name,
    state: iface.state,
  });
  if (kind.isController) section.set('autoconnect-slaves', 1);
  if (matchesByName(iface)) section.set('interface-name', iface.name);
  section.setDigit('lldp', iface.lldp?.enabled).set('mptcp-flags', mptcpFlags(iface.mptcp));

  const { controller } = iface;
  const { controllerType } = planned;
  if (!controller || controllerType === undefined || controllerType === 'hsr') return;
  const bridge = controllerType === 'ovs-bridge' ? interfaces.find(controller, controllerType)?.merged : undefined;
  if (bridge?.type === 'ovs-bridge') section.set('master', ovsPortOf(bridge, iface.name)).set('slave-type', 'ovs-port');
  else section.set('master', controller).set('slave-type', portType(controllerType));
}

/** Whether the profile matches the interface by name, not by its card. */
export function matchesByName(iface: Interface): boolean {
  return iface.type !== 'ipsec' && (iface.identifier ?? 'name') === 'name';
}

function portType(controllerType: InterfaceType): string {
  return KINDS[controllerType].connectionType;
}

function mptcpFlags(mptcp: MptcpConfig | undefined): number | undefined {
  const flags = mptcp?.['address-flags'];
  if (flags === undefined) return undefined;
  if (flags.length === 0) return MPTCP_DISABLED;
  return flags.reduce((bits, flag) => bits | MPTCP_FLAGS[flag], MPTCP_WITHOUT_DEFAULT_ROUTE);
}
