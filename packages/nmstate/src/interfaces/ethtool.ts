import type { Node } from '@coreiso/diagnostics';
import type { ValueReader } from '../table/table.ts';
import { bool, type Field, inside, oneOf, type Section, type SpecialType, u32 } from '../table/table.ts';

/** Features by name. nmstate refuses numbers, but not numbers in quotes. */
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
    /** Whether pause frames are obeyed; only with `autoneg: false`. */
    rx: { type: bool },
    /** Whether pause frames are sent; only with `autoneg: false`. */
    tx: { type: bool },
    /** Whether flow control is negotiated. */
    autoneg: { type: bool },
  },
};

function coalesceNumber(name: string): Field {
  return { type: u32, key: `coalesce-${name}` };
}

export const coalesce: Section = {
  name: 'EthtoolCoalesceConfig',
  doc: 'Interrupt coalescing.',
  unknownKeys: 'refused',
  fields: {
    /** Adaptive coalescing on receive. */
    'adaptive-rx': { type: bool, key: 'coalesce-adaptive-rx', as: 'digit' },
    /** Adaptive coalescing on transmit. */
    'adaptive-tx': { type: bool, key: 'coalesce-adaptive-tx', as: 'digit' },
    /** Packets per second above which the `high` values are used. */
    'pkt-rate-high': coalesceNumber('pkt-rate-high'),
    /** Packets per second below which the `low` values are used. */
    'pkt-rate-low': coalesceNumber('pkt-rate-low'),
    /** Received frames before an interrupt. */
    'rx-frames': coalesceNumber('rx-frames'),
    /** Received frames before an interrupt at a high rate. */
    'rx-frames-high': coalesceNumber('rx-frames-high'),
    /** Received frames before an interrupt while one is served. */
    'rx-frames-irq': coalesceNumber('rx-frames-irq'),
    /** Received frames before an interrupt at a low rate. */
    'rx-frames-low': coalesceNumber('rx-frames-low'),
    /** Microseconds before an interrupt on receive. */
    'rx-usecs': coalesceNumber('rx-usecs'),
    /** Microseconds before an interrupt on receive at a high rate. */
    'rx-usecs-high': coalesceNumber('rx-usecs-high'),
    /** Microseconds before an interrupt on receive while one is served. */
    'rx-usecs-irq': coalesceNumber('rx-usecs-irq'),
    /** Microseconds before an interrupt on receive at a low rate. */
    'rx-usecs-low': coalesceNumber('rx-usecs-low'),
    /** Not written by nmstate. */
    'sample-interval': { type: u32, unused: true },
    /** Not written by nmstate. */
    'stats-block-usecs': { type: u32, unused: true },
    /** Sent frames before an interrupt. */
    'tx-frames': coalesceNumber('tx-frames'),
    /** Sent frames before an interrupt at a high rate. */
    'tx-frames-high': coalesceNumber('tx-frames-high'),
    /** Sent frames before an interrupt while one is served. */
    'tx-frames-irq': coalesceNumber('tx-frames-irq'),
    /** Sent frames before an interrupt at a low rate. */
    'tx-frames-low': coalesceNumber('tx-frames-low'),
    /** Microseconds before an interrupt on transmit. */
    'tx-usecs': coalesceNumber('tx-usecs'),
    /** Not written by nmstate. */
    'tx-usecs-high': { type: u32, unused: true },
    /** Not written by nmstate. */
    'tx-usecs-irq': { type: u32, unused: true },
    /** Not written by nmstate. */
    'tx-usecs-low': { type: u32, unused: true },
  },
};

export const ring: Section = {
  name: 'EthtoolRingConfig',
  doc: 'Sizes of the rings.',
  unknownKeys: 'refused',
  fields: {
    /** Receive ring. */
    rx: { type: u32, key: 'ring-rx' },
    /** Read-only. */
    'rx-max': { type: u32, unused: true },
    /** Receive ring for jumbo frames. */
    'rx-jumbo': { type: u32, key: 'ring-rx-jumbo' },
    /** Read-only. */
    'rx-jumbo-max': { type: u32, unused: true },
    /** Receive ring for small frames. */
    'rx-mini': { type: u32, key: 'ring-rx-mini' },
    /** Read-only. */
    'rx-mini-max': { type: u32, unused: true },
    /** Transmit ring. */
    tx: { type: u32, key: 'ring-tx' },
    /** Read-only. */
    'tx-max': { type: u32, unused: true },
  },
};

const fec: Section = {
  name: 'EthtoolFecConfig',
  doc: 'Forward error correction.',
  unknownKeys: 'refused',
  fields: {
    /** Whether the mode is chosen by the driver. */
    auto: { type: bool },
    /** The mode, unless `auto`. */
    mode: { type: oneOf('off', 'rs', 'baser', 'llrs') },
  },
};

export const ethtool: Section = {
  name: 'EthtoolConfig',
  doc: 'Settings of the network card.',
  unknownKeys: 'refused',
  fields: {
    /** Flow control. */
    pause: { type: inside(pause) },
    /** Offload features by name, on or off. */
    feature: { type: ethtoolFeatures, nullable: false },
    /** Interrupt coalescing. */
    coalesce: { type: inside(coalesce) },
    /** Sizes of the rings. */
    ring: { type: inside(ring) },
    /** Forward error correction. */
    fec: { type: inside(fec) },
  },
};
