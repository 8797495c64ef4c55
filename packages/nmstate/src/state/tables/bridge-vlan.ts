import { trunkTag } from '../special/trunk-tag.ts';
import { bool, type Field, inside, listOf, oneOf, type Section, u16 } from '../table.ts';

const bridgePortVlan: Section = {
  name: 'BridgePortVlanConfig',
  doc: 'VLANs of a bridge port.',
  unknownKeys: 'refused',
  fields: {
    'enable-native': { type: bool, doc: 'Whether `tag` names the native VLAN of a trunk.' },
    mode: { type: oneOf('trunk', 'access'), doc: 'Whether the port carries many VLANs or one.' },
    tag: { type: u16, doc: 'The VLAN of an access port, or the native VLAN of a trunk.' },
    'trunk-tags': { type: listOf(trunkTag), doc: 'The VLANs of a trunk: `id` or `id-range`.' },
  },
};
/** The same for ports of Linux bridges and of Open vSwitch. */
export const portVlan: Field = { type: inside(bridgePortVlan), doc: 'VLANs of the port.' };
