/** A user's installer config: the YAML of `/etc/coreos/installer.d`, checked as coreos-installer checks it before embedding. */
import {
  closest,
  type Diagnostic,
  decodeText,
  type Node,
  type Path,
  parseYaml,
  serdeYaml,
  type TextDocument,
} from '@coreiso/diagnostics';
import { normalizeConsole } from './console.ts';
import { type ExpectedType, type FoundValue, type InstallerFault, wrongTypeText } from './fault.ts';
import { Refusal, type RefusalDetails } from './refusal.ts';

/** The values of a config: texts, lists of texts, flags. */
export type InstallerValues = ReadonlyMap<string, string | readonly string[] | boolean>;

type Kind = 'text' | 'optional text' | 'list' | 'flag';

/** Every key, in the order of the list in the error about an unknown key. */
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

/** Formats of texts. */
const FORMATS: Readonly<Record<string, { isGood(text: string): boolean; expected: string }>> = {
  'image-url': { isGood: URL.canParse, expected: 'a URL' },
  'ignition-url': { isGood: URL.canParse, expected: 'a URL' },
  'stream-base-url': { isGood: URL.canParse, expected: 'a URL' },
  'ignition-hash': {
    isGood: (text) => /^(?:sha256-[0-9a-fA-F]{64}|sha512-[0-9a-fA-F]{128})$/.test(text),
    expected: 'sha256- or sha512- with the hexadecimal digits of a digest',
  },
  'fetch-retries': {
    isGood: (text) => text === 'infinite' || (/^\+?[0-9]+$/.test(text) && Number(text) <= 0xffff_ffff),
    expected: 'a number or infinite',
  },
  console: {
    isGood: (text) => 'console' in normalizeConsole(text),
    expected: 'a console such as ttyS0,115200n8',
  },
};

/** Reads the config named `name`, or throws a `Refusal`. */
export function readInstallerConfig(bytes: Uint8Array, name: string): InstallerValues {
  const context = `parsing installer config ${name}`;
  const decoded = decodeText(bytes);
  if (!decoded.ok) throw yamlRefusal(context, decoded.diagnostics);
  const [first, second] = parseYaml(decoded.value.text);
  if (!first.ok) throw yamlRefusal(context, first.diagnostics);
  const values = new Reader(first.value, context).read();
  if (second === undefined) return values;
  if (!second.ok) throw yamlRefusal(context, second.diagnostics);
  throw refusal(context, { kind: 'more-documents' }, 'there is more than one document');
}

function yamlRefusal(context: string, [finding]: readonly Diagnostic[]): Refusal {
  const text = finding?.message ?? 'not YAML';
  return refusal(context, { kind: 'syntax', finding }, text, { range: finding?.range });
}

function refusal(context: string, fault: InstallerFault, text: string, more: RefusalDetails = {}): Refusal {
  return new Refusal('invalid-installer-config', [context, text], {
    ...more,
    fault: { input: 'installer-config', fault },
  });
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
    if (root.kind !== 'mapping') throw this.#wrongType(root, [], 'object');
    const seen = new Set<string>();
    for (const { key: keyNode, value } of root.entries) {
      if (keyNode.kind !== 'scalar') throw this.#wrongType(keyNode, [], 'key');
      const key = keyNode.text;
      const kind = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
      if (kind === undefined) throw this.#unknownKey(keyNode, key);
      if (seen.has(key)) throw this.#refuse(root, [], { kind: 'repeated-key', key }, `${key} is given twice`);
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
      if (node.kind !== 'sequence') throw this.#wrongType(node, [key], 'list');
      return node.items.map((item, index) => this.#text(key, [key, index], item));
    }
    if (kind === 'optional text' && node.kind === 'scalar' && node.style === 'plain' && serdeYaml(node) === null) {
      return undefined;
    }
    return this.#text(key, [key], node);
  }

  #flag(key: string, node: Node): boolean {
    const value = node.kind === 'scalar' && node.style === 'plain' ? serdeYaml(node) : undefined;
    if (typeof value !== 'boolean') throw this.#wrongType(node, [key], 'boolean');
    return value;
  }

  #text(key: string, path: Path, node: Node): string {
    if (node.kind !== 'scalar') throw this.#wrongType(node, path, 'string');
    const { text } = node;
    const format = FORMATS[key];
    if (format === undefined || format.isGood(text)) return text;
    throw this.#refuse(node, path, { kind: 'bad-setting', key, text }, `${key} must be ${format.expected}`);
  }

  #unknownKey(node: Node, key: string): Refusal {
    const known = Object.keys(KEYS);
    const near = closest(key, known);
    const help = near === undefined ? undefined : `Did you mean ${near}?`;
    return this.#refuse(node, [], { kind: 'unknown-key', key, known }, `unknown setting ${key}`, help);
  }

  #wrongType(node: Node, path: Path, expected: ExpectedType): Refusal {
    const found = foundValueOf(node);
    return this.#refuse(node, path, { kind: 'wrong-type', found, expected }, wrongTypeText(found, expected));
  }

  #refuse(node: Node, path: Path, fault: InstallerFault, text: string, help?: string): Refusal {
    return refusal(this.#context, fault, text, { path, range: this.#document.range(node), help });
  }
}

function isEmptyPlain(node: Node): boolean {
  return node.kind === 'scalar' && node.text === '' && node.style === 'plain';
}

function foundValueOf(node: Node): FoundValue {
  if (node.kind !== 'scalar') return { kind: node.kind === 'mapping' ? 'object' : 'list' };
  const value = serdeYaml(node);
  if (value === null) return { kind: 'null' };
  if (typeof value === 'boolean') return { kind: 'boolean', value };
  if (typeof value === 'bigint') return { kind: 'integer', value };
  return typeof value === 'number' ? { kind: 'float', value } : { kind: 'string', value };
}
