import { writeFields } from '../keyfile/write-fields.ts';
import type { VxlanInterface } from '../state/generated/types.ts';
import { vxlan as vxlanTable } from '../state/tables/vxlan.ts';
import type { InterfaceKind } from './kind.ts';

export const vxlan: InterfaceKind<VxlanInterface> = {
  connectionType: 'vxlan',
  parent: (iface) => iface.vxlan?.['base-iface'] || undefined,
  withParent: (iface, parent) =>
    iface.vxlan === undefined ? iface : { ...iface, vxlan: { ...iface.vxlan, 'base-iface': parent } },
  write(profile, { vxlan: config }) {
    if (config === undefined) return;
    const section = profile.section('vxlan').set('parent', config['base-iface']);
    writeFields(section, vxlanTable, config);
  },
};
