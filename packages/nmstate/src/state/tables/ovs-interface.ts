import { type Fields, inside, type Section, strictBool, strictU32, text } from '../table.ts';

const ovsPatch: Section = {
  name: 'OvsPatchConfig',
  doc: 'Makes an Open vSwitch interface one end of a patch.',
  unknownKeys: 'refused',
  fields: { peer: { type: text, required: true, key: 'peer', doc: 'Name of the other end.' } },
};

export const ovsDpdk: Section = {
  name: 'OvsDpdkConfig',
  doc: 'Makes an Open vSwitch interface a DPDK port.',
  unknownKeys: 'refused',
  fields: {
    devargs: { type: text, required: true, key: 'devargs', doc: 'Device arguments, such as a PCI address.' },
    'rx-queue': { type: strictU32, aliases: ['n_rxq'], key: 'n-rxq', doc: 'Receive queues.' },
    n_rxq_desc: { type: strictU32, key: 'n-rxq-desc', doc: 'Receive descriptors: a power of two up to 4096.' },
    n_txq_desc: { type: strictU32, key: 'n-txq-desc', doc: 'Transmit descriptors: a power of two up to 4096.' },
    'lsc-interrupt': {
      type: strictBool,
      aliases: ['dpdk-lsc-interrupt'],
      key: 'lsc-interrupt',
      as: 'digit',
      doc: 'Whether link changes raise an interrupt.',
    },
  },
};

export const ovsInterfaceFields: Fields = {
  patch: { type: inside(ovsPatch), doc: 'Makes the interface one end of a patch.' },
  dpdk: { type: inside(ovsDpdk), doc: 'Makes the interface a DPDK port.' },
};
