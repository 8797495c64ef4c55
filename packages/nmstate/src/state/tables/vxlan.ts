import { address, type Fields, inside, type Section, strictBool, text, u16, u32 } from '../table.ts';

export const vxlan: Section = {
  name: 'VxlanConfig',
  doc: 'What makes a VXLAN.',
  unknownKeys: 'refused',
  fields: {
    'base-iface': { type: text, nullable: false, doc: 'The interface below.' },
    id: { type: u32, required: true, key: 'id', doc: 'VXLAN network identifier.' },
    learning: { type: strictBool, key: 'learning', doc: 'Whether unknown addresses are learned.' },
    local: { type: address, key: 'local', doc: 'Source address of the tunnel.' },
    remote: { type: address, key: 'remote', doc: 'Unicast or multicast destination.' },
    'destination-port': { type: u16, key: 'destination-port', doc: 'UDP port.' },
  },
};

export const vxlanFields: Fields = { vxlan: { type: inside(vxlan), doc: 'What makes the VXLAN.' } };
