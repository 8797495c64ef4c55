// Reads nodes into values as sigs.k8s.io/yaml and Go's JSON decoder do: letter case of keys is ignored, keys are read
// in the order of their bytes, numbers and booleans become text if text is expected, null changes nothing. Every
// mismatch is reported; upstream prints the first, in the order in which it reads. The file is long because it is a
// single class.
import {
  closest,
  goYaml,
  type MappingEntry,
  type MappingNode,
  type Node,
  type Path,
  type ScalarNode,
  type TextDocument,
  toPlain,
  writeGoYaml,
} from '@coreiso/diagnostics';
import { goQuote, goText } from '@coreiso/peers/go';
import { HIDDEN } from '@coreiso/peers/hidden';
import { type Cidr, parseCidr } from '@coreiso/peers/ip';
import { isSecretPath } from '@coreiso/peers/secret-names';
import type { Findings } from './config-findings.ts';
import { inByteOrder, repeatedKeys } from './lookup.ts';
import { type FieldType, goTypeName, type NetworkText, type Section } from './table.ts';

/** Help for a key that is unknown at its place. */
export interface Advice {
  readonly help: string;
  /** Whether it is valid in another place. */
  readonly misplaced: boolean;
}

/** How a document is decoded, and how unknown keys are reported. */
export interface DecodeOptions {
  /** Advice that is better than the nearest known key, if there is any. */
  readonly advise?: (parent: Path, key: string) => Advice | undefined;
  /** The prefix of messages about values that cannot be decoded. */
  readonly prefix: string;
  /** Whether unknown and repeated keys are upstream's errors, or only coreiso's. */
  readonly strict: boolean;
  /** For unknown keys that upstream reports in another way. */
  readonly unknownKeys?: { readonly prefix: string; readonly severity: 'error' | 'warning' };
}

type Values = Record<string, unknown>;

/**
 * Decodes a document by its table.
 *
 * @example const values = decodeDocument(read.document, INSTALL_CONFIG, findings, { prefix, strict: true })
 */
export function decodeDocument<T extends object>(
  document: TextDocument,
  section: Section<T>,
  findings: Findings,
  options: DecodeOptions,
): T {
  const decoder = new Decoder(document, findings, options);
  const values = emptyValues<object>(section) as Values;
  if (document.root !== undefined) {
    decoder.checkKeys(document.root);
    decoder.root(section, document.root, values);
  }
  // The table's type gives the types of its values.
  return values as T;
}

/** The values of an empty document. */
export function emptyValues<T extends object>(section: Section<T>): T {
  const entries = Object.entries(fieldsOf(section)).map(([name, { type }]) => [name, emptyValue(type)]);
  // The table's type gives the types of its values.
  return Object.fromEntries(entries) as T;
}

/** The same table, without the types of its values. */
function fieldsOf(section: Section<object>): Readonly<Record<string, { readonly type: FieldType }>> {
  return section.fields as Readonly<Record<string, { readonly type: FieldType }>>;
}

function emptyValue(type: FieldType): unknown {
  switch (type.kind) {
    case 'text':
      return '';
    case 'integer':
      return type.optional ? undefined : 0;
    case 'boolean':
      return type.optional ? undefined : false;
    case 'list':
      return [];
    case 'section':
      return type.optional ? undefined : emptyValues(type.section());
    case 'labels':
      return {};
    default:
      return undefined;
  }
}

class Decoder {
  readonly #document: TextDocument;
  readonly #findings: Findings;
  readonly #options: DecodeOptions;
  readonly #path: (string | number)[] = [];
  /** Names of Go's struct and fields on the path to the value, for its messages. */
  readonly #fields: string[] = [];
  #struct = '';
  /** Upstream reports the first unknown key, and ignores the others. */
  #hasWarned = false;

  constructor(document: TextDocument, findings: Findings, options: DecodeOptions) {
    this.#document = document;
    this.#findings = findings;
    this.#options = options;
  }

  root(section: Section<object>, node: Node, values: Values): void {
    if (node.kind === 'mapping') this.#section(section, node, values);
    else if (!isNull(node)) this.#typeError(node, `Go value of type ${section.goType}`);
  }

  /**
   * Repeated keys anywhere in the document; strict reading refuses them before anything else, including merged ones.
   */
  checkKeys(root: Node): void {
    const repeated = repeatedKeys(root);
    const [first] = repeated;
    if (this.#options.strict && first !== undefined) {
      const lines = repeated.map(
        ({ value, name }) =>
          `  line ${this.#document.range(value).start.line}: key ${goQuote(name)} already set in map`,
      );
      const message = `${this.#options.prefix}error converting YAML to JSON: yaml: unmarshal errors:\n${lines.join('\n')}`;
      const code = 'nodes-config/duplicate-key';
      this.#findings.upstream('yaml', { code, message, help: 'Remove one of them.' }, this.#document.range(first.key));
    }
    for (const { key, name, earlier, isMerged } of this.#options.strict ? repeated.slice(1) : repeated) {
      // Keys from a merge may be overridden below it; merging exists for that.
      if (earlier.isMerged) continue;
      const message = isMerged
        ? `\`${name}\` is overridden by the merge key after it`
        : `\`${name}\` is given twice; the last one is used`;
      const help = isMerged ? 'Put the merge key first.' : 'Remove one of them.';
      const place = isMerged ? earlier.key : key;
      this.#findings.own({ code: 'nodes-config/duplicate-key', message, help }, this.#document.range(place));
    }
  }

  #section(section: Section<object>, node: MappingNode, values: Values): void {
    const outerStruct = this.#struct;
    this.#struct = section.goType.replace(/^.*\./, '');
    const fields = fieldsOf(section);
    const names = foldedNames(section);
    for (const [written, entry] of inByteOrder(node)) {
      const name = names.get(written.toLowerCase());
      const field = name === undefined ? undefined : fields[name];
      if (name === undefined || field === undefined) {
        this.#unknownKey(written, entry, section);
        continue;
      }
      if (written !== name && name !== 'BMC') this.#otherCase(written, name, entry);
      this.#within(name, name, () => {
        values[name] = this.#value(field.type, entry.value, values[name]);
      });
    }
    this.#struct = outerStruct;
  }

  /** Null and mismatches keep the earlier value. */
  #value(type: FieldType, node: Node, before: unknown): unknown {
    switch (type.kind) {
      case 'any':
        this.#checkJson(node);
        return undefined;
      case 'raw':
        this.#checkJson(node);
        return isNull(node) ? undefined : node;
      case 'network':
        return this.#network(node);
      case 'list':
        return this.#list(type, node, before);
      case 'labels':
        return this.#labels(node, before);
      case 'section':
        return this.#nested(type, node, before);
      default:
        return node.kind === 'scalar' ? this.#scalar(type, node, before) : this.#mismatch(type, node, before);
    }
  }

  #nested(type: FieldType & { kind: 'section' }, node: Node, before: unknown): unknown {
    if (isNull(node)) return type.optional ? undefined : before;
    if (node.kind !== 'mapping') return this.#mismatch(type, node, before);
    const values = (before ?? emptyValues(type.section())) as Values;
    this.#section(type.section(), node, values);
    return values;
  }

  #list(type: FieldType & { kind: 'list' }, node: Node, before: unknown): unknown {
    if (isNull(node)) return [];
    if (node.kind !== 'sequence') return this.#mismatch(type, node, before);
    const items = node.items.map((item, position) =>
      this.#within(position, undefined, () => {
        if (isNull(item)) this.#nullItem(type, item);
        return this.#value(type.of, item, emptyValue(type.of));
      }),
    );
    // Items without a value have been reported; rules expect a value in every item.
    return type.of.kind === 'cidr' ? items.filter((item) => item !== undefined) : items;
  }

  #labels(node: Node, before: unknown): unknown {
    if (isNull(node)) return {};
    if (node.kind !== 'mapping') return this.#mismatch({ kind: 'labels' }, node, before);
    const members: Record<string, unknown> = {};
    for (const [name, { value }] of inByteOrder(node)) {
      members[name] = this.#within(name, undefined, () => this.#value({ kind: 'text' }, value, ''));
    }
    return members;
  }

  #scalar(type: FieldType, node: ScalarNode, before: unknown): unknown {
    const value = goYaml(node);
    if (value === null) return before;
    if (type.kind === 'text') {
      if (typeof value === 'string') return value;
      if (type.exact) return this.#mismatch(type, node, before);
      const text = goText(value) ?? '';
      if (text !== node.text) this.#changedText(node, text);
      return text;
    }
    if (type.kind === 'cidr')
      return typeof value === 'string' ? this.#cidr(value, node) : this.#mismatch(type, node, before);
    if (type.kind === 'boolean') return typeof value === 'boolean' ? value : this.#mismatch(type, node, before);
    const number = typeof value === 'bigint' || typeof value === 'number' ? Number(value) : Number.NaN;
    return Number.isSafeInteger(number) ? number : this.#mismatch(type, node, before);
  }

  #cidr(text: string, node: Node): Cidr | undefined {
    const network = parseCidr(text);
    if (network !== undefined) return network;
    const message = `${this.#options.prefix}error unmarshaling JSON: while decoding JSON: failed to Parse cidr string to net.IPNet: invalid CIDR address: ${text}`;
    const help = 'Write an address and a prefix length, such as 192.0.2.0/24.';
    const path = [...this.#path];
    this.#findings.upstream(
      'decode',
      { code: 'nodes-config/wrong-type', message, path, help },
      this.#document.range(node),
    );
    return undefined;
  }

  #network(node: Node): NetworkText | undefined {
    this.#checkJson(node);
    const text = writeGoYaml(toPlain(node, goYaml));
    return { path: [...this.#path], node, document: this.#document, text };
  }

  /** JSON cannot represent infinity, so the document cannot be converted. */
  #checkJson(node: Node): void {
    const tasks: Node[] = [node];
    for (const next of tasks) {
      if (next.kind === 'sequence') tasks.push(...next.items);
      else if (next.kind === 'mapping') tasks.push(...next.entries.map(({ value }) => value));
      else this.#checkFinite(next);
    }
  }

  #checkFinite(node: ScalarNode): void {
    const value = goYaml(node);
    if (typeof value !== 'number' || Number.isFinite(value)) return;
    const text = Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
    const message = `${this.#options.prefix}error converting YAML to JSON: json: unsupported value: ${text}`;
    this.#findings.upstream(
      'yaml',
      { code: 'nodes-config/wrong-type', message, path: [...this.#path] },
      this.#document.range(node),
    );
  }

  #within<R>(step: string | number, goField: string | undefined, read: () => R): R {
    this.#path.push(step);
    if (goField !== undefined) this.#fields.push(goField);
    const result = read();
    if (goField !== undefined) this.#fields.pop();
    this.#path.pop();
    return result;
  }

  /** Reports a value of the wrong type; the earlier value stays. */
  #mismatch(type: FieldType, node: Node, before: unknown): unknown {
    const inlined = this.#fields.length === 1 && type.kind === 'text' && type.exact ? 'TypeMeta.' : '';
    const where = `${this.#struct}.${inlined}${this.#fields.join('.')}`;
    this.#typeError(node, `Go struct field ${where} of type ${goTypeName(type)}`, type);
    return before;
  }

  #typeError(node: Node, target: string, type?: FieldType): void {
    const message = `${this.#options.prefix}error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${jsonName(node, type)} into ${target}`;
    this.#findings.upstream(
      'decode',
      { code: 'nodes-config/wrong-type', message, path: [...this.#path], help: typeHelp(type, node, this.#path) },
      this.#document.range(node),
    );
  }

  #unknownKey(written: string, entry: MappingEntry, section: Section<object>): void {
    this.#checkJson(entry.value);
    const { advise, strict, prefix } = this.#options;
    const names = Object.keys(section.fields);
    const advice = advise?.(this.#path, written) ?? nearest(written, names);
    const code = advice.misplaced ? 'nodes-config/misplaced-key' : 'nodes-config/unknown-key';
    const range = this.#document.range(entry.key);
    const path = [...this.#path, written];
    const help = advice.help;
    if (strict) {
      const { prefix: before, severity } = this.#options.unknownKeys ?? { prefix, severity: 'error' };
      const message = `${before}error unmarshaling JSON: while decoding JSON: json: unknown field ${goQuote(written)}`;
      if (severity === 'error') this.#findings.upstream('decode', { code, message, path, help }, range);
      else if (this.#hasWarned) this.#findings.note('warning', { code, message, path, help }, range);
      else this.#findings.upstreamWarning('decode', { code, message, path, help });
      this.#hasWarned = true;
    } else if (!isExtension(written)) {
      this.#findings.own({ code, message: `unknown key \`${written}\` is ignored`, path, help }, range);
    }
  }

  #otherCase(written: string, name: string, { key }: MappingEntry): void {
    const message = `\`${written}\` is read as \`${name}\``;
    this.#findings.note(
      'warning',
      { code: 'nodes-config/key-case', message, path: [...this.#path, name], help: `Write \`${name}\`.` },
      this.#document.range(key),
    );
  }

  #changedText(node: ScalarNode, text: string): void {
    const isSecret = isSecretPath(this.#path);
    const [written, read] = isSecret ? [HIDDEN, HIDDEN] : [node.text, text];
    const message = `\`${written}\` is ${typeof goYaml(node) === 'boolean' ? 'a boolean' : 'a number'} to YAML and becomes the text \`${read}\``;
    this.#findings.own(
      {
        code: 'nodes-config/unquoted-text',
        message,
        path: [...this.#path],
        help: isSecret ? 'Write it in quotes.' : `Write "${written}", in quotes.`,
      },
      this.#document.range(node),
    );
  }

  /**
   * Null becomes Go's empty value if there is one; the installer crashes on a nil pointer, and on a network without
   * address.
   */
  #nullItem({ of, pointers }: FieldType & { kind: 'list' }, node: Node): void {
    if (!pointers && of.kind !== 'cidr') return;
    const [message, help] = pointers
      ? ['an entry without anything in it makes the installer crash', 'Give the entry a `macAddress`, or remove it.']
      : [
          'an entry without anything in it is not a network',
          'Write a network such as 192.0.2.0/24, or remove the entry.',
        ];
    const finding = { code: 'nodes-config/null-entry', message, path: [...this.#path], help } as const;
    this.#findings.note('error', finding, this.#document.range(node));
  }
}

const FOLDED = new WeakMap<object, ReadonlyMap<string, string>>();

/** The names of a table by their lower case. */
function foldedNames(section: Section<object>): ReadonlyMap<string, string> {
  const known = FOLDED.get(section);
  if (known !== undefined) return known;
  const names = new Map(Object.keys(section.fields).map((name) => [name.toLowerCase(), name]));
  FOLDED.set(section, names);
  return names;
}

function nearest(written: string, names: readonly string[]): Advice {
  const near = closest(written, names);
  const known = names.length === 0 ? 'Remove it.' : `Expected one of: ${names.join(', ')}.`;
  const help = near === undefined ? known : `Did you mean \`${near}\`?`;
  return { help, misplaced: false };
}

/** The usual place for anchors: `x-defaults: &defaults …`. */
function isExtension(key: string): boolean {
  return key.startsWith('x-') || key.startsWith('.');
}

function isNull(node: Node): boolean {
  return node.kind === 'scalar' && goYaml(node) === null;
}

/** The name of a JSON value in messages of Go's decoder. */
export function jsonName(node: Node, type?: FieldType): string {
  if (node.kind !== 'scalar') return node.kind === 'mapping' ? 'object' : 'array';
  const value = goYaml(node);
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'string':
      return 'string';
    default:
      return type?.kind === 'integer' ? `number ${String(value)}` : 'number';
  }
}

/** How to write a value of the expected type. */
function typeHelp(type: FieldType | undefined, node: Node, path: Path): string | undefined {
  switch (type?.kind) {
    case undefined:
      return 'Write a map of keys and values.';
    case 'text':
      if (node.kind !== 'scalar') return 'Write text here.';
      return isSecretPath(path) ? 'Write it in quotes.' : `Write "${node.text}", in quotes.`;
    case 'integer':
      return 'Write a whole number, without quotes and without a unit.';
    case 'boolean':
      return 'Write `true` or `false`, without quotes.';
    case 'list':
      return 'Write a list: each entry on a line of its own, after `- `.';
    case 'section':
    case 'labels':
      return 'Write a map of keys and values.';
    default:
      return undefined;
  }
}
