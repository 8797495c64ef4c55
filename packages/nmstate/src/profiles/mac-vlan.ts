import { writeFields } from '../keyfile/write-fields.ts';
import type { Report } from '../plan/report.ts';
import type { MacVlanConfig, MacVlanInterface, MacVtapInterface } from '../state/generated/types.ts';
import { macVlan as macVlanTable } from '../state/tables/mac-vlan.ts';
import type { InterfaceKind } from './kind.ts';
import type { Profile } from './profile.ts';

/** NetworkManager's numbers. */
const MODES = { unknown: 0, vepa: 1, bridge: 2, private: 3, passthru: 4, source: 5 } as const;

export const macVlan: InterfaceKind<MacVlanInterface> = {
  connectionType: 'macvlan',
  parent: (iface) => iface['mac-vlan']?.['base-iface'],
  withParent: (iface, parent) =>
    iface['mac-vlan'] === undefined ? iface : { ...iface, 'mac-vlan': { ...iface['mac-vlan'], 'base-iface': parent } },
  sanitise(iface, report) {
    check(iface['mac-vlan'], report.at('mac-vlan', 'promiscuous'));
    return iface;
  },
  write: (profile, iface) => write(profile, iface['mac-vlan'], { tap: false }),
};

export const macVtap: InterfaceKind<MacVtapInterface> = {
  connectionType: 'macvlan',
  parent: (iface) => iface['mac-vtap']?.['base-iface'],
  withParent: (iface, parent) =>
    iface['mac-vtap'] === undefined ? iface : { ...iface, 'mac-vtap': { ...iface['mac-vtap'], 'base-iface': parent } },
  sanitise(iface, report) {
    check(iface['mac-vtap'], report.at('mac-vtap', 'promiscuous'));
    return iface;
  },
  write: (profile, iface) => write(profile, iface['mac-vtap'], { tap: true }),
};

function check(config: MacVlanConfig | undefined, report: Report): void {
  if (config?.promiscuous !== false || config.mode === 'passthru') return;
  report.invalid('Disable accept-all-mac-addresses(promiscuous) is only allowed on passthru mode');
}

function write(profile: Profile, config: MacVlanConfig | undefined, { tap }: { tap: boolean }): void {
  if (config === undefined) return;
  const section = profile
    .section('macvlan')
    .set('parent', config['base-iface'])
    .set('mode', MODES[config.mode])
    .set('tap', tap);
  writeFields(section, macVlanTable, config);
}
