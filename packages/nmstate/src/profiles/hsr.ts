import type { HsrInterface } from '../state/generated/types.ts';
import type { InterfaceKind } from './kind.ts';

/** nmstate writes no section for it. */
export const hsr: InterfaceKind<HsrInterface> = {
  connectionType: 'hsr',
  isController: true,
  ports(iface) {
    if (iface.hsr === undefined) return undefined;
    return [
      { name: iface.hsr.port1, at: ['hsr', 'port1'] },
      { name: iface.hsr.port2, at: ['hsr', 'port2'] },
    ];
  },
  sanitise(iface, report) {
    if (iface.hsr?.protocol === 'prp' && iface.hsr.interlink !== undefined) {
      report.at('hsr', 'interlink').invalid(`The interlink property is not supported on PRP interface ${iface.name}`);
    }
    return iface;
  },
};
