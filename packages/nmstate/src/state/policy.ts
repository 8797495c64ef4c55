// Policies: a state under `desired` that may refer to captures of a `current` state. Without `current` nmstate asks the
// running host, which is not possible here. Of interfaces that `current` has, only what differs is written.
import { type MappingNode, member, type Node, type Path, type ScalarNode, serdeYaml } from '@coreiso/diagnostics';
import { CaptureProblem, type Captures, captured, runCaptures } from './capture.ts';
import type { Misfit } from './findings.ts';
import { checkJson } from './json-limits.ts';
import { readState, type StateReading } from './read-state.ts';
import { Reader } from './reader.ts';
import { ignored, type Section } from './table.ts';

const policy: Section = {
  name: 'NetworkPolicy',
  doc: 'A policy.',
  unknownKeys: 'refused',
  fields: {
    capture: { type: ignored, nullable: false, doc: 'Parts of the current state, by name.' },
    desired: {
      type: ignored,
      aliases: ['desiredState'],
      nullable: false,
      doc: 'The state, with references to captures.',
    },
    current: { type: ignored, doc: 'The state that captures look at.' },
  },
};

export interface PolicyReading {
  /** What is wrong with the policy around the state. */
  readonly shape: readonly Misfit[];
  readonly reading: StateReading;
  /** Where the state stands. */
  readonly path: Path;
}

/** Whether a document that is no state is meant as a policy. */
export function isPolicy(root: Node): root is MappingNode {
  return (
    root.kind === 'mapping' && ['capture', 'desired', 'desiredState'].some((name) => member(root, name) !== undefined)
  );
}

export function readPolicy(root: MappingNode): PolicyReading {
  const reader = new Reader('yaml', []);
  reader.section(policy, root);
  const desired = member(root, 'desired') ?? member(root, 'desiredState');
  const captures = readCaptures(root, reader);
  if (desired !== undefined) reader.within('desired', () => checkJson(desired.value, reader));
  const template = new Template(captures, reader);
  const filled = desired && template.fill(desired.value);
  const current = captures.size > 0 ? member(root, 'current')?.value : undefined;
  const state = filled && current ? difference(filled, current) : filled;
  const path = desired?.key.kind === 'scalar' ? [desired.key.text] : [];
  return { shape: reader.misfits, reading: readState(state, 'json', path), path };
}

function readCaptures(root: MappingNode, reader: Reader): Captures {
  const capture = member(root, 'capture')?.value;
  const current = member(root, 'current')?.value;
  const none: Captures = new Map();
  if (capture === undefined) return none;
  if (capture.kind !== 'mapping') {
    reader.wrongType(capture, 'a map', 'a map');
    return none;
  }
  if (capture.entries.length === 0) return none;
  if (current?.kind !== 'mapping') {
    reader.refuse(
      capture,
      'capture',
      'captures need a `current` state: there is no host to ask',
      'capture',
      'Add `current`.',
    );
    return none;
  }
  const results = runCaptures(capture, current);
  if (!(results instanceof CaptureProblem)) return results;
  reader.refuse(capture, 'capture', results.message, results.message);
  return none;
}

const REFERENCE = /^([^{}]*)\{\{\s*([^\s{}]+)\s*\}\}([^{}]*)$/;

/** Puts captured values in the place of `{{ … }}`. */
class Template {
  readonly #captures: Captures;
  readonly #reader: Reader;

  constructor(captures: Captures, reader: Reader) {
    this.#captures = captures;
    this.#reader = reader;
  }

  fill(node: Node): Node {
    if (node.kind === 'sequence') return { ...node, items: node.items.map((item) => this.fill(item)) };
    if (node.kind === 'mapping') {
      return { ...node, entries: node.entries.map(({ key, value }) => ({ key, value: this.fill(value) })) };
    }
    return typeof serdeYaml(node) === 'string' && /[{}]/.test(node.text) ? this.#fillText(node) : node;
  }

  #fillText(node: ScalarNode): Node {
    const parts = REFERENCE.exec(node.text.trim());
    const [, before = '', path = '', after = ''] = parts ?? [];
    const value =
      parts === null ? new CaptureProblem('a reference is {{ capture.NAME.PATH }}') : captured(path, this.#captures);
    if (value instanceof CaptureProblem) {
      this.#reader.refuse(node, 'capture', value.message, value.message);
      return node;
    }
    if (before.trim() === '' && after.trim() === '') return { ...value, start: node.start, end: node.end };
    return {
      ...node,
      text: before.trim() + (value.kind === 'scalar' ? value.text : '') + after.trim(),
      style: 'double',
    };
  }
}

/** The desired state without interfaces, and properties of interfaces, that are already so. */
function difference(desired: Node, current: Node): Node {
  const wanted = desired.kind === 'mapping' ? member(desired, 'interfaces') : undefined;
  const existing = current.kind === 'mapping' ? member(current, 'interfaces')?.value : undefined;
  if (desired.kind !== 'mapping' || wanted?.value.kind !== 'sequence' || existing?.kind !== 'sequence') return desired;
  const byName = new Map(existing.items.map((item) => [nameOf(item), item]));
  const items = wanted.value.items.flatMap((item): Node[] => {
    const before = byName.get(nameOf(item));
    const changed = before === undefined ? item : changes(item, before);
    if (changed === undefined) return [];
    return [before === undefined || changed.kind !== 'mapping' ? item : withIdentity(changed, item)];
  });
  const entries = desired.entries.map((entry) =>
    entry === wanted ? { key: entry.key, value: { ...wanted.value, items } } : entry,
  );
  return { ...desired, entries };
}

function nameOf(node: Node): string {
  const name = node.kind === 'mapping' ? member(node, 'name')?.value : undefined;
  return name?.kind === 'scalar' ? name.text : '';
}

function changes(wanted: Node, before: Node): Node | undefined {
  if (wanted.kind !== 'mapping' || before.kind !== 'mapping') return isSame(wanted, before) ? undefined : wanted;
  const values = valuesByKey(before);
  const entries = wanted.entries.flatMap((entry) => {
    const other = values.get(keyText(entry.key));
    const value = other === undefined ? entry.value : changes(entry.value, other);
    return value === undefined ? [] : [{ key: entry.key, value }];
  });
  return entries.length === 0 ? undefined : { ...wanted, entries };
}

function withIdentity(changed: MappingNode, wanted: Node): MappingNode {
  const kept = wanted.kind === 'mapping' ? ['name', 'type', 'state'].flatMap((key) => member(wanted, key) ?? []) : [];
  const rest = changed.entries.filter(
    ({ key }) => key.kind !== 'scalar' || !['name', 'type', 'state'].includes(key.text),
  );
  return { ...changed, entries: [...kept, ...rest] };
}

function isSame(a: Node, b: Node): boolean {
  if (a.kind === 'scalar' && b.kind === 'scalar') return serdeYaml(a) === serdeYaml(b);
  if (a.kind === 'sequence' && b.kind === 'sequence') {
    return a.items.length === b.items.length && a.items.every((item, index) => isSameItem(item, b.items[index]));
  }
  if (a.kind !== 'mapping' || b.kind !== 'mapping' || a.entries.length !== b.entries.length) return false;
  const values = valuesByKey(b);
  return a.entries.every(({ key, value }) => isSameItem(value, values.get(keyText(key))));
}

function isSameItem(a: Node, b: Node | undefined): boolean {
  return b !== undefined && isSame(a, b);
}

function valuesByKey({ entries }: MappingNode): Map<string, Node> {
  return new Map(entries.map(({ key, value }) => [keyText(key), value]));
}

function keyText(key: Node): string {
  return key.kind === 'scalar' ? key.text : '';
}
