import type { Outcome } from '@coreiso/diagnostics';
import { nodeAt } from '@coreiso/diagnostics';
import { checkArgument, checkWord } from '@coreiso/peers/arguments';
import { findingOf } from '../codes.ts';
import { readConfig } from '../parse/in-memory.ts';
import { type LoadedConfig, load, type ParseOptions } from '../parse/load.ts';
import { valueOrThrow } from '../parse/parse.ts';
import { pathOf } from '../parse/place.ts';
import { placeOf, type ReportEntry } from '../parse/report.ts';
import type { Config } from '../spec/generated/types.ts';
import { modelOf } from '../spec/model.ts';
import { asConfig, type Values } from '../spec/values.ts';
import { minorOf, SPEC_VERSIONS, type SpecVersion } from '../spec/version.ts';
import { type Breach, Findings } from './breaches.ts';
import { helpFor } from './help.ts';
import { checkDuplicates, checkKeys, checkRules } from './passes.ts';

/**
 * Checks the text of a config as ignition-validate 2.27.0 does, under the rules of its own version. The value is the config as
 * Ignition reads it, without unknown members.
 *
 * @example const report = validate(await readFile('worker.ign'))
 */
export function validate(input: Uint8Array | string, options: ParseOptions = {}): Outcome<Config, ReportEntry> {
  const outcome = load(input, options);
  if (outcome.loaded === undefined) return outcome.report;
  const { model, root, values, version } = outcome.loaded;
  const findings = new Findings(minorOf(version));
  checkRules(values, model, undefined, findings);
  checkDuplicates(values, model, undefined, findings);
  checkKeys(values, root, model, undefined, findings);
  return conclude(values, placed(findings.breaches, outcome.loaded));
}

/**
 * `validate` that throws errors instead of returning them; it ignores warnings.
 *
 * @example const config = validateOrThrow(await readFile('worker.ign'))
 */
export function validateOrThrow(input: Uint8Array | string, options: ParseOptions = {}): Config {
  return valueOrThrow(validate(input, options));
}

/**
 * Checks a config in memory: the result of a merge, or a config built by hand. Findings have a path but no position.
 *
 * @example validateConfig(merge(parent, child).config).ok
 */
export function validateConfig(
  config: Config,
  options: {
    /** The version whose rules apply (default: the config's own). */
    readonly version?: SpecVersion | undefined;
  } = {},
): Outcome<Config, ReportEntry> {
  checkArgument('options', options, 'object');
  if (options.version !== undefined) checkWord('version', options.version, SPEC_VERSIONS);
  const reading = readConfig(config, options.version);
  if (!reading.ok) return reading;
  const { values, version } = reading;
  const findings = new Findings(minorOf(version));
  checkRules(values, modelOf(version), undefined, findings);
  checkDuplicates(values, modelOf(version), undefined, findings);
  return conclude(values, findings.breaches.map(entry));
}

function conclude(values: Values, diagnostics: readonly ReportEntry[]): Outcome<Config, ReportEntry> {
  const invalid = diagnostics.some(({ severity }) => severity === 'error');
  return invalid ? { ok: false, diagnostics } : { ok: true, value: asConfig(values), diagnostics };
}

function entry({ rule, place, detail }: Breach): ReportEntry {
  const help = helpFor(rule, detail);
  return {
    code: `ignition/${rule}`,
    ...findingOf(rule, detail),
    path: pathOf(place),
    ...(help === undefined ? {} : { help }),
  };
}

function placed(breaches: readonly Breach[], { document, input, root }: LoadedConfig): ReportEntry[] {
  return breaches.map((breach) => {
    const found = entry(breach);
    const { extent } = breach;
    if (extent !== undefined) return { ...found, range: document.range(extent), mark: input.mark(extent.start) };
    return { ...found, ...placeOf(nodeAt(root, found.path), document, input) };
  });
}
