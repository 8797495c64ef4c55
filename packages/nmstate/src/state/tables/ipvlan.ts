import { bool, type Fields, inside, oneOf, type Section, text } from '../table.ts';

const ipvlan: Section = {
  name: 'IpVlanConfig',
  doc: 'What makes an IP VLAN. nmstate writes no keyfile section for it.',
  unknownKeys: 'refused',
  fields: {
    'base-iface': { type: text, unused: true, doc: 'The interface below.' },
    mode: { type: oneOf('l2', 'l3', 'l3s'), unused: true, doc: 'Layer at which packets are switched.' },
    private: { type: bool, doc: 'Whether siblings are kept apart.' },
    vepa: { type: bool, doc: 'Whether a switch outside sends packets back.' },
  },
};

export const ipvlanFields: Fields = { ipvlan: { type: inside(ipvlan), doc: 'What makes the IP VLAN.' } };
