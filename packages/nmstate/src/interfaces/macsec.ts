import { utf8Length } from '@coreiso/peers/go';
import type { MacSecInterface } from '../generated/types.ts';
import { inside, oneOf, type Section, strictBool, strictU32, text } from '../table/table.ts';
import type { InterfaceKind } from './kind.ts';

export const macsecConfig: Section = {
  name: 'MacSecConfig',
  doc: 'Settings of a MACsec interface.',
  unknownKeys: 'refused',
  fields: {
    encrypt: { type: strictBool, required: true, key: 'encrypt', doc: 'Whether traffic is encrypted.' },
    'base-iface': { type: text, required: true, names: 'base', doc: 'The interface below.' },
    /** Connectivity association key: 32 hexadecimal digits. A secret. */
    'mka-cak': {
      type: text,
      secret: true,
      key: 'mka-cak',
    },
    /** Name of that key: 2 to 64 hexadecimal digits. */
    'mka-ckn': { type: text, key: 'mka-ckn' },
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
    /** Where the work is done. */
    offload: { type: oneOf('off', 'phy', 'mac'), key: 'offload', as: 'index' },
  },
};

const KEY_LENGTH = 32;
const LONGEST_KEY_NAME = 64;

export const macsec: InterfaceKind<MacSecInterface> = {
  name: 'MacSecInterface',
  doc: 'Encryption of a link.',
  fields: {
    /** What makes the MACsec interface. */
    macsec: { type: inside(macsecConfig) },
  },
  connectionType: 'macsec',
  parent: (iface) => iface.macsec?.['base-iface'],
  withParent: (iface, parent) =>
    iface.macsec === undefined ? iface : { ...iface, macsec: { ...iface.macsec, 'base-iface': parent } },
  sanitise(iface, findings) {
    const { 'mka-cak': key, 'mka-ckn': keyName } = iface.macsec ?? {};
    const at = findings.at('macsec');
    if ((key === undefined) !== (keyName === undefined)) {
      at.invalid('The mka_cak and mka_cnk must be all missing or present.');
    }
    if (key !== undefined && utf8Length(key) !== KEY_LENGTH) {
      at.at('mka-cak').invalid('The mka_cak must be a string of 32 characters');
    }
    const length = keyName === undefined ? 2 : utf8Length(keyName);
    if (length < 2 || length > LONGEST_KEY_NAME || length % 2 === 1) {
      at.at('mka-ckn').invalid('The mka_ckn must be a string of even size between 2 and 64 characters');
    }
    return iface;
  },
};
