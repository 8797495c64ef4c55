import type { Outcome } from '@coreiso/diagnostics';
import {
  type JsonDiagnostic,
  json,
  type Limits,
  type Node,
  nodeAt,
  parseJson,
  type TextDocument,
  toPlain,
} from '@coreiso/diagnostics';
import { checkArgument, checkWord } from '@coreiso/peers/arguments';
import type { Code } from '../codes.ts';
import type { Config } from '../spec/generated/types.ts';
import { modelOf, type ObjectModel, versionModel } from '../spec/model.ts';
import type { Values } from '../spec/values.ts';
import { readVersion, SPEC_VERSIONS, type SpecVersion } from '../spec/version.ts';
import { decode, type Mismatch } from './decode.ts';
import { helpForMismatch, helpForSyntax } from './help.ts';
import { MarkedText } from './marked-text.ts';
import { pathOf } from './place.ts';
import { placeOf, type ReportEntry } from './report.ts';

/** Options of reading a config. */
export interface ParseOptions {
  /**
   * How to treat an unknown later 3.x version: `pass` (the default) returns the config as written, with a warning; `refuse` fails
   * as Ignition 2.27.0 does.
   */
  readonly newer?: 'pass' | 'refuse' | undefined;
  /** Limits of the text (default: 64 Mi characters and two million values). */
  readonly limits?: Limits | undefined;
}

/** A text, read with the model of its own version. */
export interface LoadedConfig {
  readonly input: MarkedText;
  readonly document: TextDocument;
  readonly root: Node;
  readonly version: SpecVersion;
  readonly model: ObjectModel;
  readonly values: Values;
}

/** A config to check, or a final report. */
export type LoadOutcome =
  | { readonly loaded: LoadedConfig }
  | { readonly loaded: undefined; readonly report: Outcome<Config, ReportEntry> };

const MAX_LENGTH = 64 * 1024 * 1024;

/** Does everything before the rules: JSON, version, types. */
export function load(source: Uint8Array | string, options: ParseOptions = {}): LoadOutcome {
  checkArgument('input', source, 'document');
  checkArgument('options', options, 'object');
  const { newer = 'pass', limits = {} } = options;
  checkWord('newer', newer, ['pass', 'refuse']);
  if (source.length === 0) return refuse({ code: 'empty', message: 'not a config (empty)' });
  const { length: maxLength = MAX_LENGTH } = limits;
  if (source.length > maxLength) {
    return refuse({
      code: 'too-long',
      message: `the config has ${source.length} bytes; at most ${maxLength} are read`,
    });
  }
  const input = new MarkedText(source);
  const parsed = parseJson(input.text, limits);
  if (!parsed.ok) {
    return finish({ ok: false, diagnostics: parsed.diagnostics.map((each) => syntax(each, input)) });
  }
  const document = parsed.value;
  const { root } = document;
  if (root === undefined) return refuse({ code: 'empty', message: 'not a config (empty)' });

  const refuseTypes = (found: readonly Mismatch[]): LoadOutcome => {
    const diagnostics = found.map((one) => typeEntry(one, placeOf(one.node, document, input)));
    return finish({ ok: false, diagnostics });
  };
  const stub = decode(root, versionModel());
  if (stub.mismatches.length > 0) return refuseTypes(stub.mismatches);
  const { ignition } = stub.values;
  const text = String((ignition as Values | undefined)?.['version'] ?? '');
  const reading = readVersion(text);
  if (reading.kind === 'unreadable') {
    return refuse({
      code: 'version-unreadable',
      message: "invalid config version (couldn't parse)",
      help: `Set ignition.version to the spec version the config is written in, for example "${SPEC_VERSIONS.at(-2)}".`,
    });
  }
  if (reading.kind === 'newer' && newer === 'pass') {
    const place = placeOf(nodeAt(root, VERSION_PATH), document, input);
    return finish({ ok: true, value: plainConfig(root), diagnostics: [{ ...newerWarning(text), ...place }] });
  }
  if (reading.kind !== 'known') {
    return refuse({ code: 'version-unsupported', message: 'unsupported config version', help: cureFor(reading.major) });
  }
  const { version } = reading;
  const model = modelOf(version);
  const decoded = decode(root, model);
  if (decoded.mismatches.length > 0) return refuseTypes(decoded.mismatches);
  return { loaded: { input, document, root, version, model, values: decoded.values } };
}

/** The finding for a value of the wrong type. Ignition stops at the first one; we report all. */
function typeEntry(found: Mismatch, place: Pick<ReportEntry, 'range' | 'mark'>): ReportEntry {
  const help = helpForMismatch(found);
  return {
    severity: 'error',
    code: 'ignition/type',
    message: describeMismatch(found),
    path: pathOf(found.place),
    ...(help === undefined ? {} : { help }),
    ...place,
  };
}

function refuse(entry: { code: Code; message: string } & Omit<Partial<ReportEntry>, 'code'>): LoadOutcome {
  const { code, message, path = [], ...rest } = entry;
  return finish({ ok: false, diagnostics: [{ severity: 'error', code: `ignition/${code}`, message, path, ...rest }] });
}

function finish(report: Outcome<Config, ReportEntry>): LoadOutcome {
  return { loaded: undefined, report };
}

/** Every member of a config in an unknown version, with all digits of its numbers. */
function plainConfig(root: Node): Config {
  const plain = toPlain(root, (node) => {
    const value = json(node);
    return typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value;
  });
  return plain as unknown as Config;
}

const VERSION_PATH = ['ignition', 'version'];

function newerWarning(version: string): ReportEntry {
  return {
    severity: 'warning',
    code: 'ignition/version-newer',
    message: `spec version ${version} is newer than this package knows; the config was not checked`,
    path: VERSION_PATH,
  };
}

function cureFor(major: bigint): string {
  if (major === 2n || major === 1n) {
    return 'Translate the config to spec 3 first (ign-converter does it), or write it as Butane and let Butane produce spec 3.';
  }
  return `Use one of ${SPEC_VERSIONS.join(', ')}.`;
}

/** Our own message, because the message of the real tool names its data types. */
export function describeMismatch({ expected, node, place }: Mismatch): string {
  const step = place === undefined ? 'a config' : typeof place.step === 'number' ? 'this item' : place.step;
  return `${step} must be ${expected}, not ${describe(node)}`;
}

function describe(node: Node): string {
  if (node.kind === 'mapping') return 'an object';
  if (node.kind === 'sequence') return 'a list';
  if (node.style === 'double') return 'a string';
  return /^[tfn]/.test(node.text) ? node.text : 'this number';
}

const NEEDED: Readonly<Record<NonNullable<JsonDiagnostic['json']>['needed'], string>> = {
  value: 'expected a value',
  'member-name': 'expected a member name in double quotes',
  colon: 'expected a colon after the member name',
  'member-end': 'expected a comma or a closing brace after the member',
  'item-end': 'expected a comma or a closing bracket after the list item',
  end: 'expected nothing after the config',
  string: 'expected a double quote at the end of the string, with line breaks written as \\n',
  escape: 'expected one of " \\ / b f n r t u after the backslash',
  'hexadecimal-escape': 'expected four hexadecimal digits after \\u',
  digit: 'expected a digit after the minus sign',
  'fraction-digit': 'expected a digit after the decimal point',
  'exponent-digit': 'expected a digit after the exponent',
  word: 'expected true, false, null or a string in double quotes',
  more: 'the text ends before the config does',
};

function syntax({ json: report, ...diagnostic }: JsonDiagnostic, input: MarkedText): ReportEntry {
  const { range } = diagnostic;
  if (range === undefined) return diagnostic;
  const mark = input.mark(range.start.offset);
  if (report === undefined) return { ...diagnostic, mark };
  const found = report.found === undefined ? '' : `, found ${report.found}`;
  const help = helpForSyntax(input.text, range.start.offset);
  return {
    ...diagnostic,
    ...(help === undefined ? {} : { help }),
    code: 'ignition/syntax',
    message: `not JSON: ${NEEDED[report.needed]}${found}`,
    mark,
  };
}
