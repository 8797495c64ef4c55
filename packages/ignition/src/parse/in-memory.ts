import type { Node } from '@coreiso/diagnostics';
import { IgnitionError } from '../errors.ts';
import type { Config } from '../spec/generated/types.ts';
import { modelOf } from '../spec/model.ts';
import type { Values } from '../spec/values.ts';
import { readVersion, type SpecVersion } from '../spec/version.ts';
import { type Decoded, decode } from './decode.ts';
import { describeMismatch } from './load.ts';

/** Reads an object with the same walker as a text: null members are absent, unknown ones gone, the input untouched. */
export function readInMemory(config: Config, version: SpecVersion): Decoded {
  return decode(nodeOf(config), modelOf(version));
}

/** The same, where a value of the wrong type is a failure of the operation. */
export function readInMemoryOrThrow(config: Config, version: SpecVersion): Values {
  const { mismatch, values } = readInMemory(config, version);
  if (mismatch === undefined) return values;
  throw new IgnitionError('IGNITION_INVALID', describeMismatch(mismatch));
}

/** The version that a config says it is written in, undefined where it says none. */
export function declaredVersion(config: Config): SpecVersion | undefined {
  // Configs from JSON may lack what the types demand.
  const text = config.ignition?.version;
  if (!text) return undefined;
  const reading = readVersion(text);
  if (reading.kind === 'known') return reading.version;
  throw new IgnitionError('IGNITION_UNKNOWN_VERSION', `spec version "${text}" is not one this package knows in full`);
}

/** The same, where a config must say it. */
export function requiredVersion(config: Config): SpecVersion {
  const version = declaredVersion(config);
  if (version !== undefined) return version;
  throw new IgnitionError('IGNITION_UNKNOWN_VERSION', 'the config has no ignition.version');
}

/** Every member is written out: objects that begin with a spread take twenty times as long to make. */
function nodeOf(value: unknown): Node {
  if (typeof value === 'string') {
    return { start: 0, end: 0, tag: undefined, kind: 'scalar', text: value, style: 'double' };
  }
  if (Array.isArray(value)) {
    return { start: 0, end: 0, tag: undefined, kind: 'sequence', items: value.map(nodeOf) };
  }
  if (typeof value !== 'object' || value === null) {
    return { start: 0, end: 0, tag: undefined, kind: 'scalar', text: String(value ?? null), style: 'plain' };
  }
  const entries = Object.entries(value).map(([name, member]) => ({ key: nodeOf(name), value: nodeOf(member) }));
  return { start: 0, end: 0, tag: undefined, kind: 'mapping', entries };
}
