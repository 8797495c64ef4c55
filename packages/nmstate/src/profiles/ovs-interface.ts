import { writeFields } from '../keyfile/write-fields.ts';
import type { Report } from '../plan/report.ts';
import type { OvsInterface } from '../state/generated/types.ts';
import { ovsDpdk } from '../state/tables/ovs-interface.ts';
import type { InterfaceKind } from './kind.ts';

const MOST_DESCRIPTORS = 4096;

export const ovsInterface: InterfaceKind<OvsInterface> = {
  connectionType: 'ovs-interface',
  idSuffix: '-if',
  // Its bridge counts as what it stands on.
  parent: (iface) => iface.controller,
  sanitise(iface, report) {
    if (iface.patch !== undefined) {
      if (iface.mtu !== undefined) {
        report
          .at('mtu')
          .invalid(`OVS patch interface is not allowed to hold MTU configuration, interface name ${iface.name}`);
      }
      if (iface.ipv4?.enabled === true || iface.ipv6?.enabled === true) {
        report
          .at(iface.ipv4?.enabled === true ? 'ipv4' : 'ipv6')
          .invalid(`OVS patch interface is not allowed to hold IP configuration, interface name ${iface.name}`);
      }
    }
    checkDescriptors(iface, 'n_rxq_desc', report);
    checkDescriptors(iface, 'n_txq_desc', report);
    return iface;
  },
  write(profile, { patch, dpdk }) {
    const section = profile.section('ovs-interface');
    if (patch !== undefined) {
      section.set('type', 'patch');
      profile.section('ovs-patch').set('peer', patch.peer);
    } else if (dpdk !== undefined && dpdk.devargs !== '') {
      section.set('type', 'dpdk');
      writeFields(profile.section('ovs-dpdk'), ovsDpdk, dpdk);
    } else {
      section.set('type', 'internal');
    }
  },
};

function checkDescriptors(iface: OvsInterface, key: 'n_rxq_desc' | 'n_txq_desc', report: Report): void {
  const count = iface.dpdk?.[key] ?? 0;
  if (count === 0 || (count <= MOST_DESCRIPTORS && Number.isInteger(Math.log2(count)))) return;
  report
    .at('dpdk', key)
    .invalid(
      `OVS DPDK ${key} must power of 2 within range of 1 to 4096. Setting to 0 if you want to remove this setting from OVS database. But got ${count}`,
    );
}
