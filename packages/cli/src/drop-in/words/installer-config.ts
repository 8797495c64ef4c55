// The messages of coreos-installer about a wrong installer config: from serde_yaml and the parsers of single settings.
import { formatPath, type Path, type Range } from '@coreiso/diagnostics';
import { type ExpectedType, type InstallerFault, normalizeConsole } from '@coreiso/ignition/customize';
import { displayFloat } from '@coreiso/peers/rust';
import { foundText } from './found.ts';
import { serdeYamlMessage } from './serde-yaml.ts';

const DIALECT = { nothing: 'unit value', float: displayFloat };

const TYPES: Readonly<Record<ExpectedType, string>> = {
  boolean: 'a boolean',
  integer: 'an integer',
  key: 'field identifier',
  list: 'a sequence',
  object: 'struct InstallConfig',
  string: 'a string',
};

/** Returns the message of serde_yaml: the path of the setting, the message, and the place unless it is the start of the text. */
export function installerConfigMessage(fault: InstallerFault, path: Path, range: Range | undefined): string {
  if (fault.kind === 'syntax') return fault.finding === undefined ? 'not YAML' : serdeYamlMessage(fault.finding);
  if (fault.kind === 'more-documents') {
    return 'deserializing from YAML containing more than one document is not supported';
  }
  const setting = path.length === 0 ? '' : `${formatPath(path)}: `;
  const start = range?.start;
  const place = start === undefined || start.offset === 0 ? '' : ` at line ${start.line} column ${start.column}`;
  return `${setting}${faultText(fault)}${place}`;
}

function faultText(fault: Exclude<InstallerFault, { kind: 'syntax' | 'more-documents' }>): string {
  switch (fault.kind) {
    case 'wrong-type':
      return `invalid type: ${foundText(fault.found, DIALECT)}, expected ${TYPES[fault.expected]}`;
    case 'unknown-key':
      return `unknown field \`${fault.key}\`, expected one of ${fault.known.map((key) => `\`${key}\``).join(', ')}`;
    case 'repeated-key':
      return `duplicate field \`${fault.key}\``;
    case 'bad-setting':
      return settingText(fault.key, fault.text);
  }
}

/** Returns the reason why a setting refuses this text, which is known to be wrong. */
function settingText(key: string, text: string): string {
  switch (key) {
    case 'console': {
      const reading = normalizeConsole(text);
      return 'reason' in reading ? reading.reason : '';
    }
    case 'ignition-hash':
      return hashText(text);
    case 'fetch-retries':
      if (text === '') return 'cannot parse integer from empty string';
      return /^\+?[0-9]+$/.test(text) ? 'number too large to fit in target type' : 'invalid digit found in string';
    default:
      return urlText(text.trim());
  }
}

function urlText(text: string): string {
  if (!/^[A-Za-z][A-Za-z0-9+.-]*:/.test(text)) return 'relative URL without a base';
  return /^[a-z]+:\/*(?:[?#]|$)/i.test(text) ? 'empty host' : 'invalid international domain name';
}

function hashText(text: string): string {
  const [, type, digest = ''] = /^([^-]*)-(.*)$/s.exec(text) ?? [];
  if (type === undefined) return `failed to detect hash-type and digest in '${text}'`;
  if (type !== 'sha256' && type !== 'sha512') return `unknown hash type '${type}'`;
  return /^(?:[0-9a-fA-F]{2})*$/.test(digest) ? `wrong digest length (${digest.length * 4})` : 'decoding hex digest';
}
