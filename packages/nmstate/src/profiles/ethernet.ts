import type { EthernetInterface, SrIovVfConfig } from '../generated/types.ts';
import { srIov } from '../interfaces/ethernet.ts';
import { OpenProfile } from '../keyfile/open-profile.ts';
import { writeFields } from '../keyfile/write-fields.ts';
import type { PlannedInterfaces } from '../plan/planned-interfaces.ts';
import { connectionSection } from './connection.ts';
import { writeDisabledIp } from './ip.ts';

export function writeEthernet(profile: OpenProfile, { veth, ethernet: link }: EthernetInterface): void {
  if (veth !== undefined) profile.section('veth').set('peer', veth.peer);
  const negotiated = link?.['auto-negotiation'];
  if (negotiated !== undefined) profile.section('ethernet').set('auto-negotiate', negotiated);
  if (negotiated === false) profile.section('ethernet').set('speed', link?.speed).set('duplex', link?.duplex);
  const sriov = link?.['sr-iov'];
  if (sriov === undefined || sriov['total-vfs'] === 0) return;
  const section = profile.section('sriov');
  writeFields(section, srIov, sriov);
  const functions = [...(sriov.vfs ?? [])].sort((a, b) => a.id - b.id);
  for (const vf of functions) section.set(`vf.${vf.id}`, functionText(vf));
}

export function vethPeers(iface: EthernetInterface, interfaces: PlannedInterfaces): OpenProfile[] {
  const peer = iface.veth?.peer;
  const isKnown =
    peer === undefined || interfaces.kernel(peer)?.apply !== undefined || interfaces.ignoredType(peer) === 'ethernet';
  return isKnown ? [] : [peerProfile(peer, iface)];
}

/** The profile of the other end of a virtual cable; without a profile both ends would stay down. */
function peerProfile(name: string, { name: owner, state }: EthernetInterface): OpenProfile {
  const profile = new OpenProfile(name);
  connectionSection(profile, { type: 'veth', connectionType: 'veth', name, state }).set('interface-name', name);
  writeDisabledIp(profile);
  profile.section('veth').set('peer', owner);
  return profile;
}

function functionText(vf: SrIovVfConfig): string {
  const items: [string, string | number | boolean | undefined][] = [
    ['mac', vf['mac-address']?.toUpperCase()],
    ['spoof-check', vf['spoof-check']],
    ['trust', vf.trust],
    ['min-tx-rate', vf['min-tx-rate']],
    ['max-tx-rate', vf['max-tx-rate']],
    ['vlans', vlanText(vf)],
  ];
  return items
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${value}`)
    .join(' ');
}

function vlanText({ 'vlan-id': id, qos = 0, 'vlan-proto': protocol }: SrIovVfConfig): string | undefined {
  return id === undefined ? undefined : `${id}.${qos}.${protocol === '802.1ad' ? 'ad' : 'q'}`;
}
