// Fills a policy from the current state of a host.
import { type Extent, type Node, type Plain, serdeYaml } from '@coreiso/diagnostics';
import { type Captures, type Retype, runCaptures } from '../policy/captures.ts';
import { type Command, parseCommand } from '../policy/command.ts';
import type { Members } from '../policy/json.ts';
import { PolicyProblem } from '../policy/problem.ts';
import { evaluateTemplate } from '../policy/template.ts';
import { Reader } from '../table/reader.ts';
import type { TableMismatch } from '../table/state-findings.ts';
import { type PolicyShape, readShape } from './policy.ts';
import { readState } from './read-state.ts';
import { writtenState } from './written.ts';

/** A parsed policy, without a current state. */
export interface ParsedPolicy extends PolicyShape {
  readonly commands: readonly (readonly [name: string, command: Command])[];
}

export function parsePolicy(root: Node): ParsedPolicy {
  const shape = readShape(root);
  const reader = new Reader('yaml', ['capture']);
  const commands = shape.captures.flatMap(({ key, value }) => {
    const name = key.kind === 'scalar' ? key.text : '';
    const command = reader.within(name, () => readCommand(value, reader));
    return command === undefined ? [] : [[name, command] as const];
  });
  return { ...shape, commands: [...new Map(commands)], mismatches: [...shape.mismatches, ...reader.mismatches] };
}

function readCommand(node: Node, reader: Reader): Command | undefined {
  const text = reader.scalar(node);
  if (typeof text !== 'string') {
    const upstream = `Expecting a string, but got ${node.kind === 'scalar' ? node.text : `a ${node.kind}`}`;
    return reader.refuse(node, 'capture', 'expected an expression such as interfaces.name == "eth0"', upstream);
  }
  try {
    return parseCommand(text);
  } catch (error) {
    return noteRefusal(error, [node], reader, 'capture');
  }
}

/** The desired state with captured values, or the mismatches that prevent it. */
export interface FilledPolicy {
  readonly filled: Node | undefined;
  readonly mismatches: readonly TableMismatch[];
}

/** Fills the policy from the current state, which is used only if there are captures. */
export function fillPolicy(
  { commands, captures: expressions, desired, path }: ParsedPolicy,
  current: Members,
): FilledPolicy {
  const reader = new Reader('json', []);
  try {
    const captures: Captures = runCaptures(commands, current, retype);
    const filler = new Filler(captures, reader);
    const filled = desired && reader.within(String(path[0] ?? 'desired'), () => filler.fill(desired));
    return { filled, mismatches: reader.mismatches };
  } catch (error) {
    noteRefusal(
      error,
      expressions.map(({ value }) => value),
      reader,
      'policy',
    );
    return { filled: undefined, mismatches: reader.mismatches };
  }
}

/** Reads changed plain data as nmstate does. */
const retype: Retype = (state) => {
  const root = plainNode(state, NOWHERE);
  const { state: read, mismatches } = readState(root, 'json', []);
  const [mismatch] = mismatches;
  return mismatch === undefined ? { state: writtenState(read, root) } : { mismatch: mismatch.upstream };
};

const NOWHERE: Extent = { start: 0, end: 0 };

/** Records the reason why there is no result, at its expression. */
function noteRefusal(error: unknown, places: readonly Node[], reader: Reader, rule: 'capture' | 'policy'): undefined {
  if (!(error instanceof PolicyProblem)) throw error;
  const { kind, message, line, position } = error;
  const place = places.find((one) => one.kind === 'scalar' && one.text.trim() === line) ?? places[0];
  if (place === undefined) return undefined;
  const known = kind === 'PolicyError' ? rule : kind === 'InvalidArgument' ? 'invalid-argument' : 'capture';
  return reader.refuse(within(place, line, position), known, message, message, undefined, {
    ...(line === undefined ? {} : { line }),
    ...(position === undefined ? {} : { position }),
  });
}

/** The character at the position, if the value is written without escapes; else the whole value. */
function within(node: Node, line = '', position: number | undefined): Extent {
  if (node.kind !== 'scalar' || position === undefined) return node;
  const quotes = (node.end - node.start - node.text.length) / 2;
  const isAsRead = node.style === 'plain' ? quotes === 0 : quotes === 1 && /^[\x20-\x7e]*$/.test(node.text);
  if (!isAsRead || !/^[\x20-\x7e]*$/.test(line) || position >= line.length) return node;
  const start = node.start + quotes + node.text.indexOf(line) + position;
  return { start, end: node.end - quotes };
}

/** Replaces `{{ … }}` by captured values. */
class Filler {
  readonly #captures: Captures;
  readonly #reader: Reader;

  constructor(captures: Captures, reader: Reader) {
    this.#captures = captures;
    this.#reader = reader;
  }

  fill(node: Node): Node {
    if (node.kind === 'sequence') {
      return { ...node, items: node.items.map((item, index) => this.#reader.within(index, () => this.fill(item))) };
    }
    if (node.kind === 'mapping') {
      const entries = node.entries.map(({ key, value }) => ({
        key,
        value: this.#reader.within(key.kind === 'scalar' ? key.text : '', () => this.fill(value)),
      }));
      return { ...node, entries };
    }
    return typeof serdeYaml(node) === 'string' && /[{}]/.test(node.text) ? this.#fillText(node) : node;
  }

  #fillText(node: Node & { kind: 'scalar' }): Node {
    try {
      const value = evaluateTemplate(node.text, this.#captures);
      return value === undefined ? node : plainNode(value, node);
    } catch (error) {
      noteRefusal(error, [node], this.#reader, 'policy');
      return node;
    }
  }
}

/** Makes a node of a value, at a place. */
function plainNode(value: Plain, { start, end }: Extent): Node {
  const place = { tag: undefined, start, end };
  if (Array.isArray(value))
    return { kind: 'sequence', items: value.map((item: Plain) => plainNode(item, place)), ...place };
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([name, inner]) => ({
      key: { kind: 'scalar', text: name, style: 'double', ...place } as const,
      value: plainNode(inner, place),
    }));
    return { kind: 'mapping', entries, ...place };
  }
  const style = typeof value === 'string' ? 'double' : 'plain';
  return { kind: 'scalar', text: String(value), style, ...place };
}
