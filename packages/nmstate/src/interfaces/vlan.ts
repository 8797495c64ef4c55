import type { VlanInterface, VlanQosMapping } from '../generated/types.ts';
import { inside, listOf, oneOf, type Section, strictBool, text, u16, u32 } from '../table/table.ts';
import type { InterfaceKind } from './kind.ts';

const qosMap: Section = {
  name: 'VlanQosMapping',
  doc: 'One pair of a QoS map.',
  unknownKeys: 'ignored',
  fields: {
    from: { type: u32, required: true, doc: 'Priority before.' },
    to: { type: u32, required: true, doc: 'Priority after.' },
  },
};

export const vlanConfig: Section = {
  name: 'VlanConfig',
  doc: 'Settings of a VLAN.',
  unknownKeys: 'refused',
  fields: {
    /** The interface below. */
    'base-iface': { type: text, names: 'base' },
    id: { type: u16, required: true, key: 'id', doc: 'VLAN number, 1 to 4094.' },
    /** Tag protocol. */
    protocol: { type: oneOf('802.1q', '802.1ad') },
    /** Protocol that announces the VLAN. */
    'registration-protocol': { type: oneOf('gvrp', 'mvrp', 'none') },
    /** Whether the tag is taken out of received headers; yes by default. */
    'reorder-headers': { type: strictBool },
    /** Whether the VLAN stays up without its base. */
    'loose-binding': { type: strictBool },
    /** VLAN priority to internal priority. */
    'ingress-qos-map': { type: listOf(inside(qosMap)) },
    /** Internal priority to VLAN priority. */
    'egress-qos-map': { type: listOf(inside(qosMap)) },
  },
};

const HIGHEST_PRIORITY = 7;

export const vlan: InterfaceKind<VlanInterface> = {
  name: 'VlanInterface',
  doc: 'A VLAN on top of another interface.',
  fields: {
    /** What makes the VLAN. */
    vlan: { type: inside(vlanConfig) },
  },
  connectionType: 'vlan',
  parent: (iface) => iface.vlan?.['base-iface'],
  withParent: (iface, parent) =>
    iface.vlan === undefined ? iface : { ...iface, vlan: { ...iface.vlan, 'base-iface': parent } },
  sanitise(iface, findings) {
    const config = iface.vlan;
    if (config === undefined) return iface;
    if (config['base-iface'] === undefined) {
      findings.at('vlan').invalid(`Missing 'vlan.base-iface' for interface '${iface.name}'`, 'Add `base-iface`.');
    }
    for (const [direction, side] of [
      ['ingress', 'from'],
      ['egress', 'to'],
    ] as const) {
      const tooHigh = config[`${direction}-qos-map`]?.filter((pair) => pair[side] > HIGHEST_PRIORITY).sort(byPair)[0];
      if (tooHigh === undefined) continue;
      findings
        .at('vlan', `${direction}-qos-map`)
        .invalid(
          `The maximum VLAN priority is 7, but got VLAN ${iface.name} ${direction} qos map ${side} value set as ${tooHigh[side]}`,
        );
    }
    return iface;
  },
};

/** The order in which nmstate keeps the pairs of a map. */
export function byPair(a: VlanQosMapping, b: VlanQosMapping): number {
  return a.from - b.from || a.to - b.to;
}
