import { writeFields } from '../keyfile/write-fields.ts';
import type { VlanConfig, VlanInterface, VlanQosMapping } from '../state/generated/types.ts';
import { vlan as vlanTable } from '../state/tables/vlan.ts';
import type { InterfaceKind } from './kind.ts';

const HIGHEST_PRIORITY = 7;
const FLAG = { reorderHeaders: 1, gvrp: 2, looseBinding: 4, mvrp: 8 } as const;

export const vlan: InterfaceKind<VlanInterface> = {
  connectionType: 'vlan',
  parent: (iface) => iface.vlan?.['base-iface'],
  withParent: (iface, parent) =>
    iface.vlan === undefined ? iface : { ...iface, vlan: { ...iface.vlan, 'base-iface': parent } },
  sanitise(iface, report) {
    const config = iface.vlan;
    if (config === undefined) return iface;
    if (config['base-iface'] === undefined) {
      report.at('vlan').invalid(`Missing 'vlan.base-iface' for interface '${iface.name}'`, 'Add `base-iface`.');
    }
    for (const [direction, side] of [
      ['ingress', 'from'],
      ['egress', 'to'],
    ] as const) {
      const tooHigh = config[`${direction}-qos-map`]?.filter((pair) => pair[side] > HIGHEST_PRIORITY).sort(byPair)[0];
      if (tooHigh === undefined) continue;
      report
        .at('vlan', `${direction}-qos-map`)
        .invalid(
          `The maximum VLAN priority is 7, but got VLAN ${iface.name} ${direction} qos map ${side} value set as ${tooHigh[side]}`,
        );
    }
    return iface;
  },
  write(profile, iface) {
    const config = iface.vlan;
    if (config === undefined) return;
    const section = profile.section('vlan');
    writeFields(section, vlanTable, config);
    section
      .set('parent', config['base-iface'])
      .set('protocol', config.protocol?.replace('q', 'Q'))
      .set('flags', flags(config))
      .setList('ingress-priority-map', pairs(config['ingress-qos-map']))
      .setList('egress-priority-map', pairs(config['egress-qos-map']));
  },
};

function flags({
  'reorder-headers': reorder = true,
  'registration-protocol': protocol,
  'loose-binding': loose,
}: VlanConfig): number {
  let bits = reorder ? FLAG.reorderHeaders : 0;
  if (protocol === 'gvrp') bits |= FLAG.gvrp;
  if (protocol === 'mvrp') bits |= FLAG.mvrp;
  if (loose === true) bits |= FLAG.looseBinding;
  return bits;
}

function pairs(map: readonly VlanQosMapping[] = []): string[] {
  return [...map].sort(byPair).map(({ from, to }) => `${from}:${to}`);
}

function byPair(a: VlanQosMapping, b: VlanQosMapping): number {
  return a.from - b.from || a.to - b.to;
}
