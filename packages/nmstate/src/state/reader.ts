// Reads nodes by table. Every misfit is recorded and reading goes on, so that one run finds them all. Nothing that was read
// may be used when there are misfits. Positions are those of the offending key or value.
import {
  closest,
  type Extent,
  type MappingEntry,
  type MappingNode,
  type Node,
  type Path,
  type ScalarNode,
  type ScalarValue,
  type SequenceNode,
  serdeYaml,
} from '@coreiso/diagnostics';
import { canonicalAddress, canonicalIpv6 } from '../ip.ts';
import { remembered } from '../remembered.ts';
import { debugNumber, debugText } from '../rust-text.ts';
import type { ChoiceType, Field, Fields, IntegerType, Section, Type } from './table.ts';

/**
 * nmstate turns everything under `interfaces` into JSON before it looks at it (`json`): text must be quoted where it looks
 * like a number, and the last of two equal keys wins. Elsewhere (`yaml`) text is what was written, and equal keys are refused.
 */
export type Regime = 'json' | 'yaml';

/** Something that does not fit its table. */
export interface Misfit {
  readonly place: Extent;
  readonly path: Path;
  readonly code: string;
  readonly message: string;
  readonly cure: string | undefined;
  /** What nmstate's parser says about it, without path and position. */
  readonly upstream: string;
}

/** Something that nmstate takes without a word and without effect. */
export interface Note {
  readonly severity: 'error' | 'warning';
  readonly place: Extent;
  readonly path: Path;
  readonly code: string;
  readonly message: string;
  readonly cure: string | undefined;
}

export const BOOLEAN_WORDS = 'Need to be boolean: 1|0|true|false|yes|no|on|off|y|n';
const TRUE_WORDS: ReadonlySet<string> = new Set(['1', 'true', 'yes', 'on', 'y']);
const FALSE_WORDS: ReadonlySet<string> = new Set(['0', 'false', 'no', 'off', 'n']);

/** Where a key was written by another spelling: its map, its canonical name, the entry. */
export type Spellings = Map<Extent, Map<string, MappingEntry>>;

/** What was read from a map: canonical keys, decoded values. */
export type Values = Record<string, unknown>;

export class Reader {
  readonly regime: Regime;
  readonly misfits: Misfit[] = [];
  readonly notes: Note[] = [];
  readonly spellings: Spellings;
  readonly #path: (string | number)[];

  constructor(regime: Regime, path: Path, spellings: Spellings = new Map()) {
    this.regime = regime;
    this.#path = [...path];
    this.spellings = spellings;
  }

  path(): Path {
    return [...this.#path];
  }

  findings(): { misfits: readonly Misfit[]; notes: readonly Note[]; spellings: Spellings } {
    return { misfits: this.misfits, notes: this.notes, spellings: this.spellings };
  }

  /** Whether JSON could say it: nmstate refuses wider numbers and tags of its users even where nobody looks. */
  checkJson(node: Node): boolean {
    if (!isBeyondJson(node)) return true;
    this.#findBeyondJson(node);
    return false;
  }

  #findBeyondJson(node: Node): void {
    if (node.tag?.startsWith('!')) {
      const upstream = 'invalid type: enum, expected any valid JSON value';
      this.refuse(node, 'wrong-type', `the tag \`${node.tag}\` means nothing here`, upstream);
    } else if (node.kind === 'sequence') {
      for (const [index, item] of node.items.entries()) this.within(index, () => this.#findBeyondJson(item));
    } else if (node.kind === 'mapping') {
      for (const { key, value } of node.entries) this.within(keyOf(key), () => this.#findBeyondJson(value));
    } else if (isWide(node)) {
      this.refuse(node, 'out-of-range', `${node.text} does not fit into 64 bits`, 'JSON number out of range');
    }
  }

  /** Records a misfit of the value that is being read. */
  refuse(place: Extent, code: string, message: string, upstream: string, cure?: string): undefined {
    this.misfits.push({ place, path: [...this.#path], code: `nmstate/${code}`, message, cure, upstream });
    return undefined;
  }

  /** Records something without effect. */
  note(severity: Note['severity'], place: Extent, code: string, message: string, cure?: string): void {
    this.notes.push({ severity, place, path: [...this.#path], code: `nmstate/${code}`, message, cure });
  }

  /** Reads one step further down. */
  within<T>(step: string | number, read: () => T): T {
    this.#path.push(step);
    const value = read();
    this.#path.pop();
    return value;
  }

  /** The value of a scalar; undefined for a map or a list. */
  scalar(node: Node): ScalarValue | undefined {
    if (node.kind !== 'scalar') return undefined;
    const value = serdeYaml(node);
    // JSON has no word for them.
    return this.regime === 'json' && typeof value === 'number' && !Number.isFinite(value) ? null : value;
  }

  isNull(node: Node): boolean {
    // Most values are not, and it shows at once.
    if (node.kind !== 'scalar' || (node.tag === undefined && !MAYBE_NULL.test(node.text))) return false;
    return this.scalar(node) === null;
  }

  read(type: Type, node: Node): unknown {
    switch (type.kind) {
      case 'boolean':
        return type.lenient ? this.#lenientBoolean(node) : this.#strictBoolean(node);
      case 'integer':
        return type.lenient ? this.#lenientInteger(type, node) : this.#strictInteger(type, node);
      case 'text':
        return this.text(node);
      case 'address':
        return this.#address(node, type.version);
      case 'choice':
        return this.#choice(type, node);
      case 'open-choice':
        return this.#openChoice(type.values, type.rust, node);
      case 'list':
        return this.#list(type.of, node);
      case 'section':
        return this.section(type.section, node);
      case 'ignored':
        return undefined;
      case 'special':
        return type.read(node, this);
    }
  }

  text(node: Node): string | undefined {
    const value = this.scalar(node);
    if (typeof value === 'string') return value;
    if (this.regime === 'yaml' && node.kind === 'scalar') return node.text;
    const cure = node.kind === 'scalar' && node.text !== '' ? `Write "${node.text}", in quotes.` : undefined;
    return this.wrongType(node, 'text', 'a string', cure);
  }

  /** A value of the wrong type altogether. */
  wrongType(node: Node, wanted: string, upstreamWanted: string, cure?: string): undefined {
    const upstream = `invalid type: ${this.#upstreamName(node)}, expected ${upstreamWanted}`;
    return this.refuse(node, 'wrong-type', `${wanted} is needed here, not ${this.#name(node)}`, upstream, cure);
  }

  section(section: Section, node: Node): Values | undefined {
    const { name, upstreamName = name, fields, unknownKeys, doc } = section;
    if (node.kind === 'sequence' && this.regime === 'json') return this.#positional(fields, upstreamName, node);
    if (node.kind !== 'mapping') return this.wrongType(node, 'a map', `struct ${upstreamName}`);
    const values: Values = {};
    this.fields(fields, this.entries(node), node, values, ({ key }) => {
      if (unknownKeys === 'refused') this.unknownKey(key, fields, doc);
      else this.#ignoredKey(key, fields);
    });
    return values;
  }

  /** nmstate's parser takes a list for the values of a map, in the order of its table, if none that it needs is missing. */
  #positional(fields: Fields, name: string, node: SequenceNode): Values | undefined {
    const all = Object.entries(fields);
    const upstream = `expected struct ${name} with ${all.length} element${all.length === 1 ? '' : 's'}`;
    const values: Values = {};
    for (const [index, [key, field]] of all.entries()) {
      const item = node.items[index];
      if (item === undefined && (field.required || isNullable(field))) {
        return this.refuse(
          node,
          'wrong-type',
          'a map is needed here, not a list',
          `invalid length ${index}, ${upstream}`,
        );
      }
      const value = item && this.within(key, () => this.#value(field, item));
      if (value !== undefined) values[key] = value;
    }
    if (node.items.length > all.length) {
      const message = `invalid length ${node.items.length}, expected fewer elements in array`;
      return this.refuse(node, 'wrong-type', 'a map is needed here, not a list', message);
    }
    this.note('warning', node, 'list-as-map', 'nmstate takes this list for a map', 'Write a map, with keys.');
    return values;
  }

  /** The entries of a map by their keys; where the last of two equal keys wins, only that one. */
  entries(node: Node & { kind: 'mapping' }): MappingEntry[] {
    const byKey = new Map<string, MappingEntry>();
    const twice: MappingEntry[] = [];
    for (const entry of node.entries) {
      if (entry.key.kind !== 'scalar') {
        this.refuse(entry.key, 'wrong-type', 'a key must be text', 'invalid type: map, expected a string');
        continue;
      }
      const earlier = byKey.get(entry.key.text);
      if (earlier !== undefined && this.regime === 'json') {
        this.note(
          'error',
          earlier.key,
          'duplicate-key',
          `\`${entry.key.text}\` is written twice and the last one wins`,
          'Remove one.',
        );
      } else if (earlier !== undefined) {
        twice.push(entry);
      }
      byKey.set(entry.key.text, entry);
    }
    return twice.length === 0 ? [...byKey.values()] : node.entries.filter(({ key }) => key.kind === 'scalar');
  }

  /** Reads the fields that the table knows into `values`, in the order they are written. */
  fields(
    fields: Fields,
    entries: readonly MappingEntry[],
    map: Extent,
    values: Values,
    onUnknown: (entry: MappingEntry) => void,
  ): void {
    const { spellings, required } = factsOf(fields);
    const seen = new Set<string>();
    for (const entry of entries) {
      const written = keyText(entry);
      const known = spellings.get(written);
      if (known === undefined) {
        onUnknown(entry);
        continue;
      }
      const { name, field } = known;
      if (seen.has(name)) {
        const message = `\`${written}\` is given twice${written === name ? '' : `: it is another spelling of \`${name}\``}`;
        this.refuse(entry.key, 'duplicate-key', message, `duplicate field \`${name}\``, 'Remove one.');
        continue;
      }
      seen.add(name);
      if (written !== name) this.#rememberSpelling(map, name, entry);
      if (field.refused !== undefined) {
        this.refuse(
          entry.key,
          'refused-key',
          `\`${written}\` is not allowed here: ${field.doc}`,
          field.refused,
          'Remove it.',
        );
        continue;
      }
      this.#path.push(name);
      const value = this.#field(field, entry);
      this.#path.pop();
      if (value !== undefined) values[name] = value;
    }
    for (const [name, field] of required) {
      if (!seen.has(name)) {
        this.refuse(
          map,
          'missing-key',
          `\`${name}\` is missing here: ${field.doc}`,
          `missing field \`${name}\``,
          `Add \`${name}\`.`,
        );
      }
    }
  }

  #rememberSpelling(map: Extent, name: string, entry: MappingEntry): void {
    const known = this.spellings.get(map) ?? new Map<string, MappingEntry>();
    this.spellings.set(map, known.set(name, entry));
  }

  #field(field: Field, { key, value }: MappingEntry): unknown {
    if (field.unused)
      this.note('warning', key, 'unused-key', `\`${keyOf(key)}\` has no effect on keyfiles`, 'Remove it.');
    // In YAML an empty value is no value; `null` and `~` are.
    const isEmpty = this.regime === 'yaml' && value.kind === 'scalar' && value.style === 'plain' && value.text === '';
    if (isEmpty && field.nullable === false) return undefined;
    return this.#value(field, value);
  }

  #value(field: Field, value: Node): unknown {
    return isNullable(field) && this.isNull(value) ? undefined : this.read(field.type, value);
  }

  unknownKey(key: Node, fields: Fields, where: string, { list = true }: { list?: boolean } = {}): void {
    const written = keyOf(key);
    const names = [...factsOf(fields).spellings.keys()];
    const near = closest(written, names);
    const known = alternatives(Object.entries(fields).map(([name, { aliases }]) => [name, ...(aliases ?? [])]));
    this.within(written, () =>
      this.refuse(
        key,
        'unknown-key',
        `\`${written}\` is not known here (${trimStop(where)})`,
        `unknown field \`${written}\`${list ? `, ${known}` : ''}`,
        near === undefined ? `Known here: ${Object.keys(fields).join(', ')}.` : `Did you mean \`${near}\`?`,
      ),
    );
  }

  #ignoredKey(key: Node, fields: Fields): void {
    const near = closest(keyOf(key), [...factsOf(fields).spellings.keys()]);
    const cure = near === undefined ? 'Remove it.' : `Did you mean \`${near}\`?`;
    this.note('warning', key, 'ignored-key', `\`${keyOf(key)}\` is not known here and is ignored`, cure);
  }

  #strictBoolean(node: Node): boolean | undefined {
    const value = this.scalar(node);
    if (typeof value === 'boolean') return value;
    return this.wrongType(node, 'true or false', 'a boolean', 'Write `true` or `false`, without quotes.');
  }

  #lenientBoolean(node: Node): boolean | undefined {
    const value = this.scalar(node);
    if (typeof value === 'boolean') return value;
    if (typeof value === 'string' || (typeof value === 'bigint' && value >= 0n))
      return this.booleanWord(String(value), node);
    return this.wrongType(node, 'true or false', BOOLEAN_WORDS);
  }

  /** One of the words that stand for true and false where booleans are lenient. */
  booleanWord(word: string, node: Node): boolean | undefined {
    const lower = word.toLowerCase();
    if (TRUE_WORDS.has(lower)) return true;
    if (FALSE_WORDS.has(lower)) return false;
    return this.refuse(node, 'wrong-value', `true or false is needed here, not \`${word}\``, BOOLEAN_WORDS);
  }

  #lenientInteger(type: IntegerType, node: Node): number | bigint | undefined {
    const value = this.scalar(node);
    if (typeof value === 'string') return this.#integerText(type, value, node);
    const sign = type.signed ? 'signed' : 'unsigned';
    const upstream = `${sign} integer or string`;
    if (typeof value !== 'bigint' || (value < 0n && !type.signed))
      return this.wrongType(node, 'a whole number', upstream);
    if (value > U64_MAX || value < I64_MIN) {
      const message = `invalid type: integer \`${value}\` as ${value < 0n ? 'i128' : 'u128'}, expected ${upstream}`;
      return this.refuse(node, 'out-of-range', rangeMessage(type, value), message);
    }
    return this.#fit(type, value, node, 'out of range integral type conversion attempted');
  }

  #integerText(type: IntegerType, written: string, node: Node): number | bigint | undefined {
    const hexadecimal = !type.signed && written.startsWith('0x');
    const digits = hexadecimal ? written.slice(2) : written;
    const pattern = hexadecimal ? /^\+?[0-9a-fA-F]+$/ : type.signed ? /^[+-]?[0-9]+$/ : /^\+?[0-9]+$/;
    if (!pattern.test(digits)) {
      const upstream = digits === '' ? 'cannot parse integer from empty string' : 'invalid digit found in string';
      return this.refuse(node, 'wrong-value', `\`${written}\` is not a whole number`, upstream);
    }
    const negative = digits.startsWith('-');
    const magnitude = BigInt((hexadecimal ? '0x' : '') + digits.replace(/^[+-]/, ''));
    const value = negative ? -magnitude : magnitude;
    const [lowest, highest] = limitsOf(64, type.signed);
    if (value > highest || value < lowest) {
      const upstream = `number too ${negative ? 'small' : 'large'} to fit in target type`;
      return this.refuse(node, 'out-of-range', rangeMessage(type, value), upstream);
    }
    return this.#fit(type, value, node, 'out of range integral type conversion attempted');
  }

  #strictInteger(type: IntegerType, node: Node): number | bigint | undefined {
    const value = this.scalar(node);
    const upstreamType = `${type.signed ? 'i' : 'u'}${type.bits}`;
    if (typeof value !== 'bigint') {
      return this.wrongType(node, 'a whole number', upstreamType, 'Write the number without quotes.');
    }
    return this.#fit(type, value, node, `invalid value: integer \`${value}\`, expected ${upstreamType}`);
  }

  #fit(type: IntegerType, value: bigint, node: Node, upstream: string): number | bigint | undefined {
    const [lowest, highest] = limitsOf(type.bits, type.signed);
    if (value < lowest || value > highest)
      return this.refuse(node, 'out-of-range', rangeMessage(type, value), upstream);
    return shrink(value);
  }

  #address(node: Node, version: 6 | undefined): string | undefined {
    const kind = version === 6 ? 'IPv6' : 'IP';
    const written = this.scalar(node);
    if (typeof written !== 'string') return this.wrongType(node, `an ${kind} address`, `${kind} address`);
    const canonical = version === 6 ? canonicalIpv6(written) : canonicalAddress(written);
    if (canonical !== undefined) return canonical;
    const cure = written.includes('/') ? 'Write the address alone; the prefix length has a key of its own.' : undefined;
    return this.refuse(
      node,
      'wrong-address',
      `\`${written}\` is not an ${kind} address`,
      `invalid ${kind} address syntax`,
      cure,
    );
  }

  #choice(type: ChoiceType, node: Node): string | undefined {
    if (node.kind === 'mapping' && this.regime === 'json' && type.numbered === undefined)
      return this.#choiceMap(type, node);
    const value = this.scalar(node);
    const isNumber = typeof value === 'bigint' && value >= 0n && type.numbered !== undefined;
    const isText = typeof value === 'string' || (this.regime === 'yaml' && node.kind === 'scalar');
    if (!isNumber && !isText) {
      return this.wrongType(
        node,
        `one of ${type.values.join(', ')}`,
        type.numbered === undefined ? 'string or map' : 'unsigned integer or string',
      );
    }
    const written =
      node.kind === 'scalar' && typeof value !== 'string' ? String(isNumber ? value : node.text) : String(value);
    const chosen = chooseValue(type, written);
    if (chosen !== undefined) return chosen;
    const spellings = [...type.values, ...Object.keys(type.spellings ?? {})];
    const near = closest(written, spellings);
    return this.refuse(
      node,
      'unknown-value',
      `\`${written}\` is not one of ${type.values.join(', ')}`,
      `unknown variant \`${written}\`, ${alternatives(variantsOf(type))}`,
      near === undefined ? undefined : `Did you mean \`${near}\`?`,
    );
  }

  /** nmstate's parser also takes `{word: null}` for a word. */
  #choiceMap(type: ChoiceType, node: MappingNode): string | undefined {
    const [entry, ...more] = node.entries;
    if (entry === undefined || more.length > 0) {
      const upstream = 'invalid value: map, expected map with a single key';
      return this.refuse(node, 'wrong-type', `one of ${type.values.join(', ')} is needed here, not a map`, upstream);
    }
    const chosen = this.#choice(type, { ...entry.key, tag: TEXT_TAG });
    if (chosen !== undefined && !this.isNull(entry.value)) return this.wrongType(entry.value, 'nothing', 'unit');
    return chosen;
  }

  #openChoice(values: readonly string[], rust: string, node: Node): string | undefined {
    const value = this.scalar(node);
    if (typeof value !== 'string') {
      const upstream = `data did not match any variant of untagged enum ${rust}`;
      return this.refuse(node, 'wrong-type', `text is needed here, not ${this.#name(node)}`, upstream);
    }
    const lower = value.toLowerCase();
    // `Ll` is neither `ll` nor `LL`, hence a text of its own.
    return values.includes(lower) && (value === lower || value === value.toUpperCase()) ? lower : value;
  }

  #list(of: Type, node: Node): unknown[] | undefined {
    if (node.kind !== 'sequence') return this.wrongType(node, 'a list', 'a sequence');
    return node.items.map((item, index) => this.within(index, () => this.read(of, item)));
  }

  #name(node: Node): string {
    if (node.kind !== 'scalar') return node.kind === 'mapping' ? 'a map' : 'a list';
    const value = this.scalar(node);
    if (value === null) return 'nothing';
    if (typeof value === 'string') return `the text \`${value}\``;
    return `\`${node.text}\``;
  }

  #upstreamName(node: Node): string {
    if (node.kind !== 'scalar') return node.kind === 'mapping' ? 'map' : 'sequence';
    const value = this.scalar(node);
    switch (typeof value) {
      case 'string':
        return `string ${debugText(value)}`;
      case 'boolean':
        return `boolean \`${value}\``;
      case 'bigint':
        return `integer \`${value}\``;
      case 'number':
        return `floating point \`${debugNumber(value)}\``;
      default:
        return this.regime === 'json' ? 'null' : 'unit value';
    }
  }
}

/** The words for null, and the numbers that JSON has none for. */
const MAYBE_NULL = /^(?:|~|null|Null|NULL|[+-]?\.\w+)$/;
/** No number of fewer characters needs more than 64 bits. */
const SHORTEST_WIDE = 18;
const TEXT_TAG = 'tag:yaml.org,2002:str';
const U64_MAX = 0xffff_ffff_ffff_ffffn;
const I64_MIN = -(1n << 63n);

function isBeyondJson(node: Node): boolean {
  if (node.tag?.startsWith('!')) return true;
  if (node.kind === 'sequence') return node.items.some(isBeyondJson);
  if (node.kind === 'mapping') return node.entries.some(({ value }) => isBeyondJson(value));
  return isWide(node);
}

function isWide(node: ScalarNode): boolean {
  if (node.text.length < SHORTEST_WIDE) return false;
  const value = serdeYaml(node);
  return typeof value === 'bigint' && (value > U64_MAX || value < I64_MIN);
}

function limitsOf(bits: number, signed: boolean): [bigint, bigint] {
  return signed ? [-(1n << BigInt(bits - 1)), (1n << BigInt(bits - 1)) - 1n] : [0n, (1n << BigInt(bits)) - 1n];
}

function rangeMessage({ bits, signed }: IntegerType, value: bigint): string {
  const [lowest, highest] = limitsOf(bits, signed);
  return `${value} is out of range: ${lowest} to ${highest} is possible`;
}

/** Numbers as far as they are exact, bigint beyond. */
function shrink(value: bigint): number | bigint {
  const small = Number(value);
  return Number.isSafeInteger(small) ? small : value;
}

function chooseValue({ values, spellings, numbered }: ChoiceType, written: string): string | undefined {
  if (values.includes(written)) return written;
  const other = spellings?.[written];
  if (other !== undefined || numbered === undefined || !/^(?:0|[1-9][0-9]*)$/.test(written)) return other;
  const position = Number(written);
  return position < numbered ? values[position] : undefined;
}

/** Whether null stands for nothing; where nmstate is lenient about the type it is strict about that. */
function isNullable({ type, required, nullable }: Field): boolean {
  if (required || nullable === false || type.kind === 'ignored') return false;
  if (type.kind === 'boolean' || type.kind === 'integer') return !type.lenient;
  return type.kind !== 'choice' || type.numbered === undefined;
}

/** Every spelling of every value, a value's own together. */
function variantsOf({ values, spellings, numbered = 0 }: ChoiceType): string[][] {
  return values.map((value, position) => [
    ...(position < numbered ? [String(position)] : []),
    value,
    ...Object.entries(spellings ?? {}).flatMap(([spelling, meaning]) => (meaning === value ? [spelling] : [])),
  ]);
}

/** serde lists the spellings of one thing in alphabetical order. */
function alternatives(groups: readonly (readonly string[])[]): string {
  const all = groups.flatMap((group) => [...group].sort()).map((name) => `\`${name}\``);
  if (all.length === 0) return 'there are no fields';
  if (all.length === 1) return `expected ${all[0]}`;
  return all.length === 2 ? `expected ${all[0]} or ${all[1]}` : `expected one of ${all.join(', ')}`;
}

interface TableFacts {
  /** Every accepted spelling of the table's keys, and the key. */
  readonly spellings: ReadonlyMap<string, { readonly name: string; readonly field: Field }>;
  readonly required: readonly (readonly [name: string, field: Field])[];
}

const factsOf = remembered((fields: Fields): TableFacts => {
  const spellings = new Map<string, { name: string; field: Field }>();
  for (const [name, field] of Object.entries(fields)) {
    for (const spelling of [name, ...(field.aliases ?? [])]) spellings.set(spelling, { name, field });
  }
  return { spellings, required: Object.entries(fields).filter(([, { required }]) => required) };
});

function keyText(entry: MappingEntry): string {
  return keyOf(entry.key);
}

function keyOf(key: Node): string {
  return key.kind === 'scalar' ? key.text : '';
}

function trimStop(sentence: string): string {
  return sentence.replace(/\.$/, '').toLowerCase();
}
