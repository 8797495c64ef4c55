import type { HsrInterface } from '../generated/types.ts';
import { inside, type Section, strictU8, text } from '../table/table.ts';
import type { InterfaceKind } from './kind.ts';

const hsrConfig: Section = {
  name: 'HsrConfig',
  doc: 'High-availability seamless redundancy. nmstate writes no keyfile section for it.',
  unknownKeys: 'refused',
  fields: {
    port1: { type: text, required: true, names: 'port', doc: 'First port.' },
    port2: { type: text, required: true, names: 'port', doc: 'Second port.' },
    /** Interlink port; not with PRP. */
    interlink: { type: text, unused: true, names: 'port' },
    /** Read-only. */
    'supervision-address': { type: text, unused: true },
    'multicast-spec': { type: strictU8, required: true, unused: true, doc: 'Last byte of the supervision address.' },
    protocol: {
      type: { kind: 'choice', values: ['hsr', 'hsr-2012', 'prp'], spellings: { 'hsr-2010': 'hsr' } },
      required: true,
      doc: 'Protocol on the ring.',
    },
  },
};

/** nmstate writes no section for it. */
export const hsr: InterfaceKind<HsrInterface> = {
  name: 'HsrInterface',
  doc: 'A redundant ring.',
  fields: {
    /** Ports and protocol. */
    hsr: { type: inside(hsrConfig) },
  },
  connectionType: 'hsr',
  isController: true,
  ports(iface) {
    if (iface.hsr === undefined) return undefined;
    return [
      { name: iface.hsr.port1, at: ['hsr', 'port1'] },
      { name: iface.hsr.port2, at: ['hsr', 'port2'] },
    ];
  },
  sanitise(iface, findings) {
    if (iface.hsr?.protocol === 'prp' && iface.hsr.interlink !== undefined) {
      findings.at('hsr', 'interlink').invalid(`The interlink property is not supported on PRP interface ${iface.name}`);
    }
    return iface;
  },
};
