import { type Fields, inside, listOf, oneOf, type Section, strictBool, text, u16, u32 } from '../table.ts';

const qosMap: Section = {
  name: 'VlanQosMapping',
  doc: 'One pair of a QoS map.',
  unknownKeys: 'ignored',
  fields: {
    from: { type: u32, required: true, doc: 'Priority before.' },
    to: { type: u32, required: true, doc: 'Priority after.' },
  },
};

export const vlan: Section = {
  name: 'VlanConfig',
  doc: 'What makes a VLAN.',
  unknownKeys: 'refused',
  fields: {
    'base-iface': { type: text, doc: 'The interface below.' },
    id: { type: u16, required: true, key: 'id', doc: 'VLAN number, 1 to 4094.' },
    protocol: { type: oneOf('802.1q', '802.1ad'), doc: 'Tag protocol.' },
    'registration-protocol': { type: oneOf('gvrp', 'mvrp', 'none'), doc: 'Protocol that announces the VLAN.' },
    'reorder-headers': { type: strictBool, doc: 'Whether the tag is taken out of received headers; yes by default.' },
    'loose-binding': { type: strictBool, doc: 'Whether the VLAN stays up without its base.' },
    'ingress-qos-map': { type: listOf(inside(qosMap)), doc: 'VLAN priority to internal priority.' },
    'egress-qos-map': { type: listOf(inside(qosMap)), doc: 'Internal priority to VLAN priority.' },
  },
};

export const vlanFields: Fields = { vlan: { type: inside(vlan), doc: 'What makes the VLAN.' } };
