import { type Fields, inside, listOf, type Section, text, u32 } from '../table.ts';

export const vrf: Section = {
  name: 'VrfConfig',
  doc: 'What makes a virtual routing and forwarding domain.',
  unknownKeys: 'refused',
  fields: {
    port: { type: listOf(text), aliases: ['ports'], doc: 'Interfaces of the domain.' },
    'route-table-id': { type: u32, key: 'table', doc: 'Route table of the domain; not 0.' },
  },
};

export const vrfFields: Fields = { vrf: { type: inside(vrf), doc: 'What makes the domain.' } };
