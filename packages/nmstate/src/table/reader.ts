// Reads nodes by table. It records every mismatch and continues, so that one run finds them all. The values must not be used if
// there are mismatches. Positions are those of the offending key or value.
import {
  closest,
  type Extent,
  type MappingEntry,
  type MappingNode,
  type Node,
  type Path,
  type ScalarValue,
  type SequenceNode,
  serdeYaml,
} from '@coreiso/diagnostics';
import type { Rule } from './codes.ts';
import { expectedOneOf, plainName, upstreamName } from './serde-words.ts';
import type { Note, Regime, Spellings, TableMismatch } from './state-findings.ts';
import { type Field, type Fields, factsOf, isNullable, type Section, type Type, type ValueReader } from './table.ts';
import { readAddress, readBoolean, readChoice, readInteger, readOpenChoice } from './values.ts';

/** The content of a map: canonical keys and decoded values. */
export type Values = Record<string, unknown>;

export class Reader implements ValueReader {
  readonly regime: Regime;
  readonly mismatches: TableMismatch[] = [];
  readonly notes: Note[] = [];
  readonly spellings: Spellings;
  readonly #path: (string | number)[];
  /** Whether messages must hide the current value. */
  #isSecret = false;

  constructor(regime: Regime, path: Path, spellings: Spellings = new Map()) {
    this.regime = regime;
    this.#path = [...path];
    this.spellings = spellings;
  }

  path(): Path {
    return [...this.#path];
  }

  /** Records a mismatch of the current value. */
  refuse(
    place: Extent,
    rule: Rule,
    message: string,
    upstream: string,
    help?: string,
    named?: TableMismatch['arguments'],
  ): undefined {
    const words = this.#isSecret ? SECRET_WORDS : { message, help, upstream, ...(named && { arguments: named }) };
    this.mismatches.push({ place, path: [...this.#path], code: `nmstate/${rule}`, ...words });
    return undefined;
  }

  /** Records a key or value without effect. */
  note(severity: Note['severity'], place: Extent, rule: Rule, message: string, help?: string): void {
    this.notes.push({ severity, place, path: [...this.#path], code: `nmstate/${rule}`, message, help });
  }

  /** Reads one level deeper. */
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
    // JSON has no such numbers.
    return this.regime === 'json' && typeof value === 'number' && !Number.isFinite(value) ? null : value;
  }

  isNull(node: Node): boolean {
    // A fast check, because most values are not null.
    if (node.kind !== 'scalar' || (node.tag === undefined && !MAYBE_NULL.test(node.text))) return false;
    return this.scalar(node) === null;
  }

  read(type: Type, node: Node): unknown {
    switch (type.kind) {
      case 'boolean':
        return readBoolean(type, node, this);
      case 'integer':
        return readInteger(type, node, this);
      case 'text':
        return this.text(node);
      case 'address':
        return readAddress(type, node, this);
      case 'choice':
        return readChoice(type, node, this);
      case 'open-choice':
        return readOpenChoice(type, node, this);
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
    const help = node.kind === 'scalar' && node.text !== '' ? `Write "${node.text}", in quotes.` : undefined;
    return this.wrongType(node, 'text', 'a string', help);
  }

  /** Records a value of the wrong type. */
  wrongType(node: Node, wanted: string, upstreamWanted: string, help?: string): undefined {
    const value = this.scalar(node);
    const upstream = `invalid type: ${upstreamName(node, value, this.regime)}, expected ${upstreamWanted}`;
    return this.refuse(node, 'wrong-type', `expected ${wanted}, found ${plainName(node, value)}`, upstream, help);
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

  /** Reads a list as the values of a map in the order of its table. nmstate's parser accepts that if no required value is missing. */
  #positional(fields: Fields, name: string, node: SequenceNode): Values | undefined {
    const all = Object.entries(fields);
    const upstream = `expected struct ${name} with ${all.length} element${all.length === 1 ? '' : 's'}`;
    const values: Values = {};
    for (const [index, [key, field]] of all.entries()) {
      const item = node.items[index];
      if (item === undefined && (field.required || isNullable(field))) {
        return this.refuse(node, 'wrong-type', 'expected a map, found a list', `invalid length ${index}, ${upstream}`);
      }
      const value = item && this.within(key, () => this.#value(field, item));
      if (value !== undefined) values[key] = value;
    }
    if (node.items.length > all.length) {
      const message = `invalid length ${node.items.length}, expected fewer elements in array`;
      return this.refuse(node, 'wrong-type', 'expected a map, found a list', message);
    }
    this.note('warning', node, 'list-as-map', 'nmstate reads this list as a map', 'Write a map, with keys.');
    return values;
  }

  /** The entries of a map. Where the last of equal keys wins, they contain only that one. */
  entries(node: MappingNode): readonly MappingEntry[] {
    if (hasPlainKeys(node)) return node.entries;
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

  /** Reads the fields of the table into `values`, in the order in which they are written. */
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
      const written = keyOf(entry.key);
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
          `missing key \`${name}\``,
          `missing field \`${name}\``,
          `Add \`${name}\`${meaningOf(field.doc)}`,
        );
      }
    }
  }

  #rememberSpelling(map: Extent, name: string, entry: MappingEntry): void {
    const known = this.spellings.get(map) ?? new Map<string, MappingEntry>();
    this.spellings.set(map, known.set(name, entry));
  }

  #field(field: Field, { key, value }: MappingEntry): unknown {
    if (field.unused) {
      this.note('warning', key, 'unused-key', `\`${keyOf(key)}\` has no effect on keyfiles`, 'Remove it.');
    }
    // In YAML an empty value is not a value; `null` and `~` are.
    const isEmpty = this.regime === 'yaml' && value.kind === 'scalar' && value.style === 'plain' && value.text === '';
    if (isEmpty && field.nullable === false) return undefined;
    this.#isSecret = field.secret === true;
    const read = this.#value(field, value);
    this.#isSecret = false;
    return read;
  }

  #value(field: Field, value: Node): unknown {
    return isNullable(field) && this.isNull(value) ? undefined : this.read(field.type, value);
  }

  unknownKey(key: Node, fields: Fields, where: string, { list = true }: { list?: boolean } = {}): void {
    const written = keyOf(key);
    const names = [...factsOf(fields).spellings.keys()];
    const near = closest(written, names);
    const known = expectedOneOf(Object.entries(fields).map(([name, { aliases }]) => [name, ...(aliases ?? [])]));
    this.within(written, () =>
      this.refuse(
        key,
        'unknown-key',
        `unknown key \`${written}\` in ${placeOf(where)}`,
        `unknown field \`${written}\`${list ? `, ${known}` : ''}`,
        near === undefined ? `Expected one of: ${Object.keys(fields).join(', ')}.` : `Did you mean \`${near}\`?`,
      ),
    );
  }

  #ignoredKey(key: Node, fields: Fields): void {
    const near = closest(keyOf(key), [...factsOf(fields).spellings.keys()]);
    const help = near === undefined ? 'Remove it.' : `Did you mean \`${near}\`?`;
    this.note('warning', key, 'ignored-key', `unknown key \`${keyOf(key)}\` is ignored`, help);
  }

  #list(of: Type, node: Node): unknown[] | undefined {
    if (node.kind !== 'sequence') return this.wrongType(node, 'a list', 'a sequence');
    return node.items.map((item, index) => this.within(index, () => this.read(of, item)));
  }
}

/** Messages about a secret, without its value; all secrets are text. */
const SECRET_WORDS = {
  message: 'expected text',
  help: 'Write it in quotes.',
  upstream: 'invalid type, expected a string',
} as const;

/** The spellings of null, and of numbers that JSON does not have. */
const MAYBE_NULL = /^(?:|~|null|Null|NULL|[+-]?\.\w+)$/;

/** Whether all keys are text and different, as they nearly always are. */
function hasPlainKeys({ entries }: MappingNode): boolean {
  const keys = new Set<string>();
  for (const { key } of entries) if (key.kind === 'scalar') keys.add(key.text);
  return keys.size === entries.length;
}

function keyOf(key: Node): string {
  return key.kind === 'scalar' ? key.text : '';
}

/** The meaning of a field, to follow its name; an abbreviation keeps its case. */
function meaningOf(doc: string | undefined): string {
  if (doc === undefined) return '.';
  return `: ${/^[A-Z][a-z ]/.test(doc) ? doc.charAt(0).toLowerCase() + doc.slice(1) : doc}`;
}

/** Converts `One address. More.` to `an address`. */
function placeOf(doc: string): string {
  const place = doc.replace(/[.;].*$/s, '').replace(/^One (?=([aeiou]?))/, (_, vowel) => (vowel ? 'an ' : 'a '));
  return /^[A-Z][a-z ]/.test(place) ? place.charAt(0).toLowerCase() + place.slice(1) : place;
}
