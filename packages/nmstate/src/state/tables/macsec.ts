import { type Fields, inside, oneOf, type Section, strictBool, strictU32, text } from '../table.ts';

export const macsec: Section = {
  name: 'MacSecConfig',
  doc: 'What makes a MACsec interface.',
  unknownKeys: 'refused',
  fields: {
    encrypt: { type: strictBool, required: true, key: 'encrypt', doc: 'Whether traffic is encrypted.' },
    'base-iface': { type: text, required: true, doc: 'The interface below.' },
    'mka-cak': {
      type: text,
      secret: true,
      key: 'mka-cak',
      doc: 'Connectivity association key: 32 hexadecimal digits. A secret.',
    },
    'mka-ckn': { type: text, key: 'mka-ckn', doc: 'Name of that key: 2 to 64 hexadecimal digits.' },
    port: { type: strictU32, required: true, doc: 'Port of the secure channel identifier.' },
    validation: {
      type: oneOf('disabled', 'check', 'strict'),
      required: true,
      key: 'validation',
      as: 'index',
      doc: 'What happens to frames that are not protected.',
    },
    'send-sci': {
      type: strictBool,
      required: true,
      key: 'send-sci',
      doc: 'Whether the channel identifier is always sent.',
    },
    offload: { type: oneOf('off', 'phy', 'mac'), key: 'offload', as: 'index', doc: 'Where the work is done.' },
  },
};

export const macsecFields: Fields = { macsec: { type: inside(macsec), doc: 'What makes the MACsec interface.' } };
