import type { Node } from '@coreiso/diagnostics';
import { checkArgument } from '@coreiso/peers/arguments';
import type { FindingCode } from '../codes.ts';
import { IgnitionError } from '../errors.ts';
import type { Config } from '../spec/generated/types.ts';
import { modelOf } from '../spec/model.ts';
import type { Values } from '../spec/values.ts';
import { NEWEST_STABLE, readVersion, type SpecVersion } from '../spec/version.ts';
import { decode } from './decode.ts';
import { describeMismatch } from './load.ts';
import { pathOf } from './place.ts';
import type { ReportEntry } from './report.ts';

/** A config from memory, read with the model of a version. */
export type ConfigReading =
  | { readonly ok: true; readonly version: SpecVersion; readonly values: Values }
  | { readonly ok: false; readonly diagnostics: readonly [ReportEntry] };

/**
 * Reads an object with the same walker as text: drops null and unknown members, and does not change the input. `version`
 * overrides the version that the config declares.
 */
export function readConfig(config: Config, version?: SpecVersion): ConfigReading {
  checkArgument('config', config, 'object');
  const declared = version ?? declaredVersion(config);
  if (typeof declared !== 'string') return refuse(declared ?? NO_VERSION);
  const { mismatches, values } = decode(nodeOf(config), modelOf(declared));
  const [mismatch] = mismatches;
  if (mismatch === undefined) return { ok: true, version: declared, values };
  return refuse({ code: 'ignition/type', message: describeMismatch(mismatch), path: pathOf(mismatch.place) });
}

/** Like `readConfig`, but throws if the config cannot be read. */
export function readConfigOrThrow(config: Config, version?: SpecVersion): { version: SpecVersion; values: Values } {
  const reading = readConfig(config, version);
  if (reading.ok) return reading;
  throw unreadable(reading.diagnostics);
}

/** The error for a config that cannot be read. */
function unreadable(diagnostics: readonly [ReportEntry]): IgnitionError {
  const [{ code, message }] = diagnostics;
  const isVersion = code !== 'ignition/type';
  return new IgnitionError(isVersion ? 'IGNITION_UNKNOWN_VERSION' : 'IGNITION_INVALID', message, { diagnostics });
}

type Refusal = Pick<ReportEntry, 'message' | 'path' | 'help'> & { readonly code: FindingCode };

const VERSION_PATH = ['ignition', 'version'];

const NO_VERSION: Refusal = {
  code: 'ignition/version-unreadable',
  message: 'the config has no ignition.version',
  path: VERSION_PATH,
  help: `Set ignition.version to the spec version the config is written in, for example "${NEWEST_STABLE}".`,
};

function refuse(refusal: Refusal): ConfigReading {
  return { ok: false, diagnostics: [{ severity: 'error', ...refusal }] };
}

/** The version that a config declares; undefined if it declares none. */
function declaredVersion(config: Config): SpecVersion | Refusal | undefined {
  // Configs from JSON may lack members that the types require.
  const text: unknown = config.ignition?.version;
  if (text === undefined || text === null || text === '') return undefined;
  const reading = typeof text === 'string' ? readVersion(text) : undefined;
  if (reading?.kind === 'known') return reading.version;
  const message = `spec version ${JSON.stringify(text) ?? text} is not fully supported by this package`;
  return { code: 'ignition/version-unsupported', message, path: VERSION_PATH };
}

/** Like `declaredVersion`, but throws if the version is unknown. */
export function declaredVersionOrThrow(config: Config): SpecVersion | undefined {
  checkArgument('config', config, 'object');
  const declared = declaredVersion(config);
  if (declared === undefined || typeof declared === 'string') return declared;
  throw unreadable([{ severity: 'error', ...declared }]);
}

/** Makes a node of a value. It lists every member, because objects that begin with a spread take twenty times as long. */
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
