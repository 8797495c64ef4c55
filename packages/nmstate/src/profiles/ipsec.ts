import { writeFields } from '../keyfile/write-fields.ts';
import type { IpsecInterface } from '../state/generated/types.ts';
import { libreswan } from '../state/tables/ipsec.ts';
import { HIDDEN_SECRET } from './ieee8021x.ts';
import type { InterfaceKind } from './kind.ts';

export const ipsec: InterfaceKind<IpsecInterface> = {
  connectionType: 'vpn',
  isUserspace: true,
  sanitise(iface) {
    const { ipv4 } = iface;
    // Here `dhcp: false` means that the server gives no address, hence no IPv4 at all.
    if (ipv4?.enabled !== true || ipv4.dhcp !== false) return iface;
    return { ...iface, ipv4: { ...ipv4, enabled: false, dhcp: undefined } };
  },
  write(profile, { libreswan: config }) {
    if (config === undefined) return;
    const section = profile.section('vpn').set('service-type', 'org.freedesktop.NetworkManager.libreswan');
    writeFields(section, libreswan, config);
    if (config['nm-auto-defaults'] === false) section.set('nm-auto-defaults', 'no');
    if (config.psk !== undefined && config.psk !== HIDDEN_SECRET)
      profile.section('vpn-secrets').set('pskvalue', config.psk);
  },
};
