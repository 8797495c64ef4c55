import type { Diagnostic, Outcome } from '@coreiso/diagnostics';
import { checkArgument, checkWord } from '@coreiso/peers/arguments';
import type { Code } from '../codes.ts';
import { IgnitionError } from '../errors.ts';
import { readConfig, readConfigOrThrow } from '../parse/in-memory.ts';
import { below, type Place, pathOf } from '../parse/place.ts';
import { canonical } from '../spec/canonical.ts';
import type { Config, Integer } from '../spec/generated/types.ts';
import { modelOf, type ObjectModel } from '../spec/model.ts';
import { asConfig, listAt, objectAt, type Value, type Values } from '../spec/values.ts';
import { minorOf, SPEC_VERSIONS, type SpecVersion } from '../spec/version.ts';
import { validateConfig } from '../validate/validate.ts';
import { SPECIAL_BITS, type TranslateOptions, translateUp } from './up.ts';

/**
 * Translates a config to another version. To a later one it does the same as Ignition, and warns about losses. To an earlier one,
 * which Ignition never does, it succeeds only if that version supports everything in the config.
 *
 * @example const outcome = translate(config, '3.4.0'); // not ok where 3.4.0 cannot say the same
 */
export function translate(config: Config, to: SpecVersion, options: TranslateOptions = {}): Outcome<Config> {
  checkWord('to', to, SPEC_VERSIONS);
  checkArgument('options', options, 'object');
  if (options.from !== undefined) checkWord('from', options.from, SPEC_VERSIONS);
  const reading = readConfig(config, options.from);
  if (!reading.ok) return reading;
  const { values, version: from } = reading;
  if (minorOf(to) < minorOf(from)) return lower(values, from, to);
  const raised = translateUp(values, from, to, options);
  const diagnostics = translationLosses(values, from, to, options);
  return { ok: true, value: asConfig(canonical(raised, modelOf(to))), diagnostics };
}

/**
 * `translate` that throws an error instead of returning one.
 *
 * @example translateOrThrow(config, '3.4.0').ignition.version // '3.4.0'
 */
export function translateOrThrow(config: Config, to: SpecVersion, options: TranslateOptions = {}): Config {
  checkArgument('options', options, 'object');
  // A config that cannot be read has its own error.
  readConfigOrThrow(config, options.from);
  const outcome = translate(config, to, options);
  if (outcome.ok) return outcome.value;
  const message = `spec version ${to} cannot express this config: ${outcome.diagnostics[0]?.message ?? ''}`;
  throw new IgnitionError('IGNITION_NOT_EXPRESSIBLE', message, { diagnostics: outcome.diagnostics });
}

/**
 * The lowest version that supports everything in the config; at most its own.
 *
 * @example minimumVersion({ ignition: { version: '3.6.0' } }) // '3.0.0'
 */
export function minimumVersion(config: Config): SpecVersion {
  const { values, version: from } = readConfigOrThrow(config);
  return SPEC_VERSIONS.find((version) => version === from || lower(values, from, version).ok) ?? from;
}

function lower(values: Values, from: SpecVersion, to: SpecVersion): Outcome<Config> {
  const model = modelOf(from);
  const obstacles = unknownMembers(values, model, modelOf(to), undefined);
  const honoured = minorOf(from) >= 6 && minorOf(to) < 6;
  if (honoured) {
    obstacles.push(...specialModes(values, model).map((place) => obstacle(place, 'has bits that need 3.6.0')));
  }
  const ignition = { ...objectAt(values['ignition']), version: to };
  const config = asConfig(canonical({ ...values, ignition }, modelOf(to)));
  // Schemes, formats, hashes and pins that the older version does not know show as new errors.
  const own = canonical({ ...values, ignition: { ...ignition, version: from } }, model);
  const known = new Set(validateConfig(asConfig(own), { version: from }).diagnostics.map(identity));
  const broken = validateConfig(config).diagnostics.filter(
    (found) => found.severity === 'error' && !known.has(identity(found)),
  );
  const diagnostics = [...obstacles, ...broken];
  return diagnostics.length > 0 ? { ok: false, diagnostics } : { ok: true, value: config, diagnostics };
}

function identity({ code, path }: Diagnostic): string {
  return JSON.stringify([code, path]);
}

function obstacle(place: Place, reason: string): Diagnostic {
  const path = pathOf(place);
  return { severity: 'error', code: 'ignition/not-expressible', message: `${path.at(-1)} ${reason}`, path };
}

function unknownMembers(values: Values, model: ObjectModel, older: ObjectModel, at: Place): Diagnostic[] {
  return model.fields.flatMap(({ name, list, model: inner }) => {
    const value = values[name];
    if (value === undefined) return [];
    const place = below(at, name);
    const known = older.byName.get(name);
    if (known === undefined) {
      return isEmptyWhenWritten(value)
        ? []
        : [obstacle(place, `does not exist before spec version ${firstVersion(place)}`)];
    }
    const olderInner = known.model;
    if (inner === undefined || olderInner === undefined) return [];
    if (list === undefined) return unknownMembers(objectAt(value), inner, olderInner, place);
    return listAt(value).flatMap((item, index) =>
      unknownMembers(objectAt(item), inner, olderInner, below(place, index)),
    );
  });
}

/** Whether a writer omits the value: it omits empty lists and objects. */
function isEmptyWhenWritten(value: Value): boolean {
  return (
    typeof value === 'object' &&
    Object.values(value).every((member) => member === undefined || isEmptyWhenWritten(member))
  );
}

function firstVersion(place: Place): string {
  const names = pathOf(place).filter((step) => typeof step === 'string');
  const has = (version: SpecVersion): boolean => {
    let model: ObjectModel | undefined = modelOf(version);
    return names.every((name) => {
      const field = model?.byName.get(name);
      model = field?.model;
      return field !== undefined;
    });
  };
  return SPEC_VERSIONS.find(has) ?? '';
}

/** The places of modes with bits that have an effect only since 3.6.0. */
function specialModes(values: Values, model: ObjectModel): Place[] {
  const storage = objectAt(values['storage']);
  const storageModel = model.byName.get('storage')?.model;
  return (storageModel?.fields ?? [])
    .filter(({ name }) => name === 'files' || name === 'directories')
    .flatMap(({ name }) =>
      listAt(storage[name]).flatMap((item, index) => {
        const mode = objectAt(item)['mode'] as Integer | undefined;
        const special = mode !== undefined && (BigInt(mode) & SPECIAL_BITS) !== 0n;
        return special ? [below(undefined, 'storage', name, index, 'mode')] : [];
      }),
    );
}

function translationLosses(
  values: Values,
  from: SpecVersion,
  to: SpecVersion,
  options: TranslateOptions,
): Diagnostic[] {
  const [low, high] = [minorOf(from), minorOf(to)];
  const warn = (code: Code, message: string, place: Place): Diagnostic => ({
    severity: 'warning',
    code: `ignition/${code}`,
    message,
    path: pathOf(place),
  });
  const losses: Diagnostic[] = [];
  if (low <= 4 && high > 4 && !options.keepAdvertisements) {
    const message = 'Ignition drops tang advertisements when it translates 3.4.0 to 3.5.0, and so does coreiso';
    losses.push(...advertisements(values).map((place) => warn('advertisement-dropped', message, place)));
  }
  if (low <= 5 && high > 5) {
    const message = 'the setuid, setgid and sticky bits had no effect before 3.6.0 and were cleared';
    losses.push(...specialModes(values, modelOf(from)).map((place) => warn('mode-bits-cleared', message, place)));
  }
  return losses;
}

function advertisements(values: Values): Place[] {
  return listAt(objectAt(values['storage'])['luks']).flatMap((luks, index) =>
    listAt(objectAt(objectAt(luks)['clevis'])['tang']).flatMap((tang, position) => {
      const present = objectAt(tang)['advertisement'] !== undefined;
      return present ? [below(undefined, 'storage', 'luks', index, 'clevis', 'tang', position, 'advertisement')] : [];
    }),
  );
}
