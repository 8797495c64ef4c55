import { type Fields, inside, oneOf, type Section, text, u16 } from '../table.ts';

export const infiniband: Section = {
  name: 'InfiniBandConfig',
  doc: 'IP over InfiniBand.',
  unknownKeys: 'refused',
  fields: {
    mode: { type: oneOf('datagram', 'connected'), required: true, key: 'transport-mode', doc: 'Transport mode.' },
    'base-iface': { type: text, doc: 'The interface below.' },
    pkey: { type: u16, required: true, doc: 'Partition key; `0xffff` for a base interface.' },
  },
};

export const infinibandFields: Fields = { infiniband: { type: inside(infiniband), doc: 'IP over InfiniBand.' } };
