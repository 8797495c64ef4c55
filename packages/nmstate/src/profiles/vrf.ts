import { writeFields } from '../keyfile/write-fields.ts';
import type { VrfInterface } from '../state/generated/types.ts';
import { vrf as vrfTable } from '../state/tables/vrf.ts';
import type { InterfaceKind } from './kind.ts';

export const vrf: InterfaceKind<VrfInterface> = {
  connectionType: 'vrf',
  isController: true,
  ports: (iface) => iface.vrf?.port?.map((name, index) => ({ name, at: ['vrf', 'port', index] })),
  withoutPorts(iface, names) {
    const port = iface.vrf?.port?.filter((name) => !names.has(name));
    return port === undefined ? iface : { ...iface, vrf: { ...iface.vrf, port } };
  },
  check(iface, report) {
    if (!iface.vrf?.['route-table-id']) {
      report
        .at('vrf', 'route-table-id')
        .invalid(
          `Route table ID undefined or 0 is not allowed for new VRF interface ${iface.name}`,
          'Add `vrf.route-table-id` with a number of its own.',
        );
    }
    return iface;
  },
  // It works on layer 3: a MAC address means nothing to it.
  sanitise: (iface) => ({
    ...iface,
    'mac-address': undefined,
    'accept-all-mac-addresses': iface['accept-all-mac-addresses'] || undefined,
  }),
  write(profile, { vrf: config }) {
    if (config !== undefined) writeFields(profile.section('vrf'), vrfTable, config);
  },
};
