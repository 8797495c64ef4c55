// Policies: a state under `desired` that may refer to captures of a `current` state. Without `current` nmstate asks the
// running host, which is not possible here. With it nmstate merges both states by rules of every property, and writes what is
// left to change: a policy that wants something of what there is already is refused.
import { type MappingNode, member, type Node, type Path, type ScalarNode, serdeYaml } from '@coreiso/diagnostics';
import { checkJson } from '../table/json-limits.ts';
import { Reader } from '../table/reader.ts';
import type { Misfit } from '../table/state-findings.ts';
import { ignored, type Section } from '../table/table.ts';
import { CaptureProblem, type Captures, captured, runCaptures } from './capture.ts';
import { readState, type StateReading } from './read-state.ts';

const policy: Section = {
  name: 'NetworkPolicy',
  doc: 'A policy.',
  unknownKeys: 'refused',
  fields: {
    /** Parts of the current state, by name. */
    capture: { type: ignored, nullable: false },
    /** The state, with references to captures. */
    desired: { type: ignored, aliases: ['desiredState'], nullable: false },
    /** The state that captures look at. */
    current: { type: ignored },
  },
};

interface PolicyReading {
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
  if (filled && current) reader.within('desired', () => refuseShared(filled, current, reader));
  const path = desired?.key.kind === 'scalar' ? [desired.key.text] : [];
  return { shape: reader.misfits, reading: readState(filled, 'json', path), path };
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

/** Says which parts of the desired state are in `current`, too. */
function refuseShared(desired: Node, current: Node, reader: Reader): void {
  if (desired.kind !== 'mapping' || current.kind !== 'mapping') return;
  for (const { key } of desired.entries) {
    const section = keyText(key);
    if (section !== 'interfaces' && member(current, section) !== undefined) refuseMerge(key, section, reader);
  }
  const existing = new Set(interfacesOf(current).map(nameOf));
  for (const item of interfacesOf(desired)) {
    if (existing.has(nameOf(item))) refuseMerge(item, nameOf(item), reader);
  }
}

function refuseMerge(place: Node, name: string, reader: Reader): void {
  const message = `\`${name}\` is in \`current\` as well, and nmstate would merge the two and write what is left to change`;
  reader.refuse(place, 'capture', message, message, 'Write the whole state without `capture`.');
}

function interfacesOf(state: MappingNode): readonly Node[] {
  const list = member(state, 'interfaces')?.value;
  return list?.kind === 'sequence' ? list.items : [];
}

function nameOf(node: Node): string {
  const name = node.kind === 'mapping' ? member(node, 'name')?.value : undefined;
  return name?.kind === 'scalar' ? name.text : '';
}

function keyText(key: Node): string {
  return key.kind === 'scalar' ? key.text : '';
}
