import { writeFields } from '../keyfile/write-fields.ts';
import type { InfiniBandInterface } from '../state/generated/types.ts';
import { infiniband as infinibandTable } from '../state/tables/infiniband.ts';
import type { InterfaceKind } from './kind.ts';

/** The key of a base interface, which is not written. */
const DEFAULT_KEY = 0xffff;

export const infiniband: InterfaceKind<InfiniBandInterface> = {
  connectionType: 'infiniband',
  parent: (iface) => iface.infiniband?.['base-iface'],
  write(profile, { infiniband: config, mtu }) {
    const section = profile.section('infiniband').set('mtu', mtu);
    if (config === undefined) return;
    writeFields(section, infinibandTable, config);
    section.set('parent', config['base-iface']);
    if (config.pkey !== DEFAULT_KEY) section.set('p-key', config.pkey);
  },
};
