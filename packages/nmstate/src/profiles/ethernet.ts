import { writeFields } from '../keyfile/write-fields.ts';
import type { EthernetInterface, SrIovVfConfig } from '../state/generated/types.ts';
import { srIov } from '../state/tables/ethernet.ts';
import { connectionSection } from './connection-section.ts';
import { writeDisabledIp } from './disabled-ip.ts';
import type { InterfaceKind } from './kind.ts';
import { Profile } from './profile.ts';

export const ethernet: InterfaceKind<EthernetInterface> = {
  connectionType: '802-3-ethernet',
  sanitise(iface, report) {
    const functions = iface.ethernet?.['sr-iov']?.vfs ?? [];
    functions.forEach((vf, index) => {
      if (vf['vlan-proto'] !== '802.1ad' || vf['vlan-id'] || vf.qos) return;
      report
        .at('ethernet', 'sr-iov', 'vfs', index, 'vlan-proto')
        .invalid('VLAN protocol 802.1ad is not allowed when both VLAN ID and VLAN QoS are zero or unset');
    });
    return iface;
  },
  write(profile, { veth, ethernet: link }) {
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
  },
  companions(iface, { interfaces }) {
    const peer = iface.veth?.peer;
    const isKnown =
      peer === undefined || interfaces.kernel(peer)?.apply !== undefined || interfaces.ignoredType(peer) === 'ethernet';
    return isKnown ? [] : [peerProfile(peer, iface)];
  },
};

/** The other end of a virtual cable; without a profile it would stay down, and so would this end. */
function peerProfile(name: string, { name: owner, state }: EthernetInterface): Profile {
  const profile = new Profile(name);
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
