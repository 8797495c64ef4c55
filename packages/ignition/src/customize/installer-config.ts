/** A user's installer config: the YAML of `/etc/coreos/installer.d`, checked as coreos-installer checks it before embedding. */
import {
  type Diagnostic,
  decodeText,
  type Node,
  parseYaml,
  type Range,
  type ScalarNode,
  serdeYaml,
  serdeYamlMessage,
  type TextDocument,
} from '@coreiso/diagnostics';
import { debugText, displayFloat } from '@coreiso/diagnostics/rust';
import { normalizeConsole } from './console.ts';
import { Refusal } from './refusal.ts';

/** What a config sets: texts, lists of texts, flags. */
export type InstallerValues = ReadonlyMap<string, string | readonly string[] | boolean>;

type Kind = 'text' | 'optional text' | 'list' | 'flag';

/** Every key, in the order in which the refusal of an unknown one lists them. */
const KEYS: Readonly<Record<string, Kind>> = {
  stream: 'optional text',
  'image-url': 'optional text',
  'image-file': 'optional text',
  'ignition-file': 'optional text',
  'ignition-url': 'optional text',
  'ignition-hash': 'optional text',
  architecture: 'text',
  platform: 'optional text',
  console: 'list',
  'append-karg': 'list',
  'delete-karg': 'list',
  'copy-network': 'flag',
  'network-dir': 'text',
  'save-partlabel': 'list',
  'save-partindex': 'list',
  offline: 'flag',
  insecure: 'flag',
  'insecure-ignition': 'flag',
  'stream-base-url': 'optional text',
  'preserve-on-error': 'flag',
  'fetch-retries': 'text',
  'secure-ipl': 'flag',
  'dest-device': 'optional text',
};

/** What the text of a key must look like beyond being one: a reason, or undefined if it is fine. */
const FORMATS: Readonly<Record<string, (text: string) => string | undefined>> = {
  'image-url': urlProblem,
  'ignition-url': urlProblem,
  'stream-base-url': urlProblem,
  'ignition-hash': hashProblem,
  'fetch-retries': retriesProblem,
  console: (text) => {
    const reading = normalizeConsole(text);
    return 'reason' in reading ? reading.reason : undefined;
  },
};

const MORE_THAN_ONE = 'deserializing from YAML containing more than one document is not supported';

/** Reads the config named `name`; throws a `Refusal` worded as upstream's. */
export function readInstallerConfig(bytes: Uint8Array, name: string): InstallerValues {
  const context = `parsing installer config ${name}`;
  const decoded = decodeText(bytes);
  if (!decoded.ok) throw yamlRefusal(context, decoded.diagnostics);
  const [first, second] = parseYaml(decoded.value.text);
  if (!first.ok) throw yamlRefusal(context, first.diagnostics);
  const values = new Reader(first.value, context).read();
  if (second === undefined) return values;
  if (!second.ok) throw yamlRefusal(context, second.diagnostics);
  throw new Refusal('invalid-installer-config', [context, MORE_THAN_ONE]);
}

function yamlRefusal(context: string, [first]: readonly Diagnostic[]): Refusal {
  const message = first === undefined ? 'not YAML' : serdeYamlMessage(first);
  return new Refusal('invalid-installer-config', [context, message], { range: first?.range });
}

/** The start of the text is never named. */
function placeText({ start }: Range): string {
  return start.offset === 0 ? '' : ` at line ${start.line} column ${start.column}`;
}

class Reader {
  readonly #document: TextDocument;
  readonly #context: string;

  constructor(document: TextDocument, context: string) {
    this.#document = document;
    this.#context = context;
  }

  read(): InstallerValues {
    const values = new Map<string, string | readonly string[] | boolean>();
    const { root } = this.#document;
    if (root === undefined || isEmptyPlain(root)) return values;
    if (root.kind !== 'mapping') throw this.#wrongType(root, '', 'struct InstallConfig');
    const seen = new Set<string>();
    for (const { key: keyNode, value } of root.entries) {
      if (keyNode.kind !== 'scalar') throw this.#wrongType(keyNode, '', 'field identifier');
      const key = keyNode.text;
      const kind = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
      if (kind === undefined) {
        const keys = Object.keys(KEYS).map((known) => `\`${known}\``);
        throw this.#refuse(keyNode, '', `unknown field \`${key}\`, expected one of ${keys.join(', ')}`);
      }
      if (seen.has(key)) throw this.#refuse(root, '', `duplicate field \`${key}\``);
      seen.add(key);
      const read = this.#value(key, kind, value);
      if (read !== undefined) values.set(key, read);
    }
    return values;
  }

  #value(key: string, kind: Kind, node: Node): string | readonly string[] | boolean | undefined {
    if (kind === 'flag') return this.#flag(key, node);
    if (kind === 'list') {
      if (isEmptyPlain(node)) return [];
      if (node.kind !== 'sequence') throw this.#wrongType(node, key, 'a sequence');
      return node.items.map((item, index) => this.#text(key, `${key}[${index}]`, item));
    }
    if (kind === 'optional text' && node.kind === 'scalar' && node.style === 'plain' && serdeYaml(node) === null) {
      return undefined;
    }
    return this.#text(key, key, node);
  }

  #flag(key: string, node: Node): boolean {
    const value = node.kind === 'scalar' && node.style === 'plain' ? serdeYaml(node) : undefined;
    if (typeof value !== 'boolean') throw this.#wrongType(node, key, 'a boolean');
    return value;
  }

  #text(key: string, path: string, node: Node): string {
    if (node.kind !== 'scalar') throw this.#wrongType(node, path, 'a string');
    const problem = FORMATS[key]?.(node.text);
    if (problem !== undefined) throw this.#refuse(node, path, problem);
    return node.text;
  }

  #wrongType(node: Node, path: string, expected: string): Refusal {
    return this.#refuse(node, path, `invalid type: ${kindText(node)}, expected ${expected}`);
  }

  #refuse(node: Node, path: string, message: string): Refusal {
    const range = this.#document.range(node);
    const text = `${path === '' ? '' : `${path}: `}${message}${placeText(range)}`;
    const key = /^([a-z-]+)(?:\[([0-9]+)\])?$/.exec(path);
    const steps = key === null ? [] : [key[1] ?? '', ...(key[2] === undefined ? [] : [Number(key[2])])];
    return new Refusal('invalid-installer-config', [this.#context, text], { path: steps, range });
  }
}

function isEmptyPlain(node: Node): boolean {
  return node.kind === 'scalar' && node.text === '' && node.style === 'plain';
}

function kindText(node: Node): string {
  if (node.kind !== 'scalar') return node.kind === 'mapping' ? 'map' : 'sequence';
  return scalarText(node);
}

function scalarText(node: ScalarNode): string {
  const value = serdeYaml(node);
  if (value === null) return 'unit value';
  switch (typeof value) {
    case 'boolean':
      return `boolean \`${value}\``;
    case 'bigint':
      return `integer \`${value}\``;
    case 'number':
      return `floating point \`${displayFloat(value)}\``;
    default:
      return `string ${debugText(value)}`;
  }
}

function urlProblem(text: string): string | undefined {
  if (URL.canParse(text)) return undefined;
  if (!/^[A-Za-z][A-Za-z0-9+.-]*:/.test(text.trim())) return 'relative URL without a base';
  return /^[a-z]+:\/*(?:[?#]|$)/i.test(text.trim()) ? 'empty host' : 'invalid international domain name';
}

const DIGEST_BITS: Readonly<Record<string, number>> = { sha256: 256, sha512: 512 };

function hashProblem(text: string): string | undefined {
  const dash = text.indexOf('-');
  if (dash === -1) return `failed to detect hash-type and digest in '${text}'`;
  const bits = DIGEST_BITS[text.slice(0, dash)];
  if (bits === undefined) return `unknown hash type '${text.slice(0, dash)}'`;
  const digest = text.slice(dash + 1);
  if (!/^(?:[0-9a-fA-F]{2})*$/.test(digest)) return 'decoding hex digest';
  return digest.length * 4 === bits ? undefined : `wrong digest length (${digest.length * 4})`;
}

function retriesProblem(text: string): string | undefined {
  if (text === 'infinite') return undefined;
  if (text === '') return 'cannot parse integer from empty string';
  if (!/^\+?[0-9]+$/.test(text)) return 'invalid digit found in string';
  return Number(text) > 0xffff_ffff ? 'number too large to fit in target type' : undefined;
}
