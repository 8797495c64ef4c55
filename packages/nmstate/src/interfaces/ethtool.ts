import type { Node } from '@coreiso/diagnostics';
import type { ValueReader } from '../table/table.ts';
import { bool, type Field, inside, oneOf, type Section, type SpecialType, u32 } from '../table/table.ts';

/** Features by name. Numbers are refused, their texts are not. */
const ethtoolFeatures: SpecialType = {
  kind: 'special',
  typescript: '{ readonly [feature: string]: boolean }',
  schema: {
    type: 'object',
    additionalProperties: {
      anyOf: [{ type: 'boolean' }, { type: 'string', pattern: '^([tT][rR][uU][eE]|[fF][aA][lL][sS][eE]|0|1)$' }],
    },
  },
  read(node, reader) {
    if (node.kind !== 'mapping') return reader.wrongType(node, 'a map', 'Need to hash map of String:bool');
    const features: Record<string, boolean> = Object.create(null);
    for (const { key, value } of reader.entries(node)) {
      const name = key.kind === 'scalar' ? key.text : '';
      const on = reader.within(name, () => featureValue(value, reader));
      if (on !== undefined) features[name] = on;
    }
    return features;
  },
};

function featureValue(node: Node, reader: ValueReader): boolean | undefined {
  const value = reader.scalar(node);
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.toLowerCase() : undefined;
  if (word === 'true' || word === '1') return true;
  if (word === 'false' || word === '0') return false;
  return reader.refuse(node, 'wrong-value', 'expected true or false', 'Invalid feature value, should be boolean');
}

const pause: Section = {
  name: 'EthtoolPauseConfig',
  doc: 'Flow control.',
  unknownKeys: 'refused',
  fields: {
    rx: { type: bool, doc: 'Whether pause frames are obeyed; only with `autoneg: false`.' },
    tx: { type: bool, doc: 'Whether pause frames are sent; only with `autoneg: false`.' },
    autoneg: { type: bool, doc: 'Whether flow control is negotiated.' },
  },
};

function coalesceNumber(name: string, doc: string): Field {
  return { type: u32, key: `coalesce-${name}`, doc };
}

export const coalesce: Section = {
  name: 'EthtoolCoalesceConfig',
  doc: 'Interrupt coalescing.',
  unknownKeys: 'refused',
  fields: {
    'adaptive-rx': { type: bool, key: 'coalesce-adaptive-rx', as: 'digit', doc: 'Adaptive coalescing on receive.' },
    'adaptive-tx': { type: bool, key: 'coalesce-adaptive-tx', as: 'digit', doc: 'Adaptive coalescing on transmit.' },
    'pkt-rate-high': coalesceNumber('pkt-rate-high', 'Packets per second above which the `high` values are used.'),
    'pkt-rate-low': coalesceNumber('pkt-rate-low', 'Packets per second below which the `low` values are used.'),
    'rx-frames': coalesceNumber('rx-frames', 'Received frames before an interrupt.'),
    'rx-frames-high': coalesceNumber('rx-frames-high', 'Received frames before an interrupt at a high rate.'),
    'rx-frames-irq': coalesceNumber('rx-frames-irq', 'Received frames before an interrupt while one is served.'),
    'rx-frames-low': coalesceNumber('rx-frames-low', 'Received frames before an interrupt at a low rate.'),
    'rx-usecs': coalesceNumber('rx-usecs', 'Microseconds before an interrupt on receive.'),
    'rx-usecs-high': coalesceNumber('rx-usecs-high', 'Microseconds before an interrupt on receive at a high rate.'),
    'rx-usecs-irq': coalesceNumber('rx-usecs-irq', 'Microseconds before an interrupt on receive while one is served.'),
    'rx-usecs-low': coalesceNumber('rx-usecs-low', 'Microseconds before an interrupt on receive at a low rate.'),
    'sample-interval': { type: u32, unused: true, doc: 'Not written by nmstate.' },
    'stats-block-usecs': { type: u32, unused: true, doc: 'Not written by nmstate.' },
    'tx-frames': coalesceNumber('tx-frames', 'Sent frames before an interrupt.'),
    'tx-frames-high': coalesceNumber('tx-frames-high', 'Sent frames before an interrupt at a high rate.'),
    'tx-frames-irq': coalesceNumber('tx-frames-irq', 'Sent frames before an interrupt while one is served.'),
    'tx-frames-low': coalesceNumber('tx-frames-low', 'Sent frames before an interrupt at a low rate.'),
    'tx-usecs': coalesceNumber('tx-usecs', 'Microseconds before an interrupt on transmit.'),
    'tx-usecs-high': { type: u32, unused: true, doc: 'Not written by nmstate.' },
    'tx-usecs-irq': { type: u32, unused: true, doc: 'Not written by nmstate.' },
    'tx-usecs-low': { type: u32, unused: true, doc: 'Not written by nmstate.' },
  },
};

export const ring: Section = {
  name: 'EthtoolRingConfig',
  doc: 'Sizes of the rings.',
  unknownKeys: 'refused',
  fields: {
    rx: { type: u32, key: 'ring-rx', doc: 'Receive ring.' },
    'rx-max': { type: u32, unused: true, doc: 'Read-only.' },
    'rx-jumbo': { type: u32, key: 'ring-rx-jumbo', doc: 'Receive ring for jumbo frames.' },
    'rx-jumbo-max': { type: u32, unused: true, doc: 'Read-only.' },
    'rx-mini': { type: u32, key: 'ring-rx-mini', doc: 'Receive ring for small frames.' },
    'rx-mini-max': { type: u32, unused: true, doc: 'Read-only.' },
    tx: { type: u32, key: 'ring-tx', doc: 'Transmit ring.' },
    'tx-max': { type: u32, unused: true, doc: 'Read-only.' },
  },
};

const fec: Section = {
  name: 'EthtoolFecConfig',
  doc: 'Forward error correction.',
  unknownKeys: 'refused',
  fields: {
    auto: { type: bool, doc: 'Whether the mode is chosen by the driver.' },
    mode: { type: oneOf('off', 'rs', 'baser', 'llrs'), doc: 'The mode, unless `auto`.' },
  },
};

export const ethtool: Section = {
  name: 'EthtoolConfig',
  doc: 'Settings of the network card.',
  unknownKeys: 'refused',
  fields: {
    pause: { type: inside(pause), doc: 'Flow control.' },
    feature: { type: ethtoolFeatures, nullable: false, doc: 'Offload features by name, on or off.' },
    coalesce: { type: inside(coalesce), doc: 'Interrupt coalescing.' },
    ring: { type: inside(ring), doc: 'Sizes of the rings.' },
    fec: { type: inside(fec), doc: 'Forward error correction.' },
  },
};
