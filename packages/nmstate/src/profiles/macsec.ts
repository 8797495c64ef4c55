import { writeFields } from '../keyfile/write-fields.ts';
import type { MacSecInterface } from '../state/generated/types.ts';
import { macsec as macsecTable } from '../state/tables/macsec.ts';
import type { InterfaceKind } from './kind.ts';

const KEY_LENGTH = 32;
const LONGEST_KEY_NAME = 64;
const I32_MAX = 0x7fff_ffff;

export const macsec: InterfaceKind<MacSecInterface> = {
  connectionType: 'macsec',
  parent: (iface) => iface.macsec?.['base-iface'],
  withParent: (iface, parent) =>
    iface.macsec === undefined ? iface : { ...iface, macsec: { ...iface.macsec, 'base-iface': parent } },
  sanitise(iface, report) {
    const { 'mka-cak': key, 'mka-ckn': keyName } = iface.macsec ?? {};
    const at = report.at('macsec');
    if ((key === undefined) !== (keyName === undefined)) {
      at.invalid('The mka_cak and mka_cnk must be all missing or present.');
    }
    if (key !== undefined && byteLength(key) !== KEY_LENGTH) {
      at.at('mka-cak').invalid('The mka_cak must be a string of 32 characters');
    }
    const length = keyName === undefined ? 2 : byteLength(keyName);
    if (length < 2 || length > LONGEST_KEY_NAME || length % 2 === 1) {
      at.at('mka-ckn').invalid('The mka_ckn must be a string of even size between 2 and 64 characters');
    }
    return iface;
  },
  write(profile, { macsec: config }) {
    const section = profile.section('macsec');
    if (config === undefined) return;
    writeFields(section, macsecTable, config);
    section.set('parent', config['base-iface']);
    if (config.port > 0 && config.port <= I32_MAX) section.set('port', config.port);
  },
};

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
