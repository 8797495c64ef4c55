import type { VrfInterface } from '../generated/types.ts';
import { inside, listOf, type Section, text, u32 } from '../table/table.ts';
import type { InterfaceKind } from './kind.ts';

export const vrfConfig: Section = {
  name: 'VrfConfig',
  doc: 'Settings of a virtual routing and forwarding domain.',
  unknownKeys: 'refused',
  fields: {
    /** Interfaces of the domain. */
    port: { type: listOf(text), aliases: ['ports'], names: 'port' },
    /** Route table of the domain; not 0. */
    'route-table-id': { type: u32, key: 'table' },
  },
};

export const vrf: InterfaceKind<VrfInterface> = {
  name: 'VrfInterface',
  doc: 'A virtual routing and forwarding domain.',
  fields: {
    /** What makes the domain. */
    vrf: { type: inside(vrfConfig) },
  },
  connectionType: 'vrf',
  isController: true,
  ports: (iface) => iface.vrf?.port?.map((name, index) => ({ name, at: ['vrf', 'port', index] })),
  withoutPorts(iface, names) {
    const port = iface.vrf?.port?.filter((name) => !names.has(name));
    return port === undefined ? iface : { ...iface, vrf: { ...iface.vrf, port } };
  },
  check(iface, findings) {
    if (!iface.vrf?.['route-table-id']) {
      findings
        .at('vrf', 'route-table-id')
        .invalid(
          `Route table ID undefined or 0 is not allowed for new VRF interface ${iface.name}`,
          'Add `vrf.route-table-id` with a number of its own.',
        );
    }
    return iface;
  },
  // A VRF works on layer 3, so it has no MAC address.
  sanitise: (iface) => ({
    ...iface,
    'mac-address': undefined,
    'accept-all-mac-addresses': iface['accept-all-mac-addresses'] || undefined,
  }),
};
