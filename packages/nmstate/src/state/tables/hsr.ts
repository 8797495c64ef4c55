import { type Fields, inside, type Section, strictU8, text } from '../table.ts';

const hsr: Section = {
  name: 'HsrConfig',
  doc: 'High-availability seamless redundancy. nmstate writes no keyfile section for it.',
  unknownKeys: 'refused',
  fields: {
    port1: { type: text, required: true, doc: 'First port.' },
    port2: { type: text, required: true, doc: 'Second port.' },
    interlink: { type: text, unused: true, doc: 'Interlink port; not with PRP.' },
    'supervision-address': { type: text, unused: true, doc: 'Read-only.' },
    'multicast-spec': { type: strictU8, required: true, unused: true, doc: 'Last byte of the supervision address.' },
    protocol: {
      type: { kind: 'choice', values: ['hsr', 'hsr-2012', 'prp'], spellings: { 'hsr-2010': 'hsr' } },
      required: true,
      doc: 'Protocol on the ring.',
    },
  },
};

export const hsrFields: Fields = { hsr: { type: inside(hsr), doc: 'Ports and protocol.' } };
